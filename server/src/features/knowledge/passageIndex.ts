import type { Postings } from './postings.ts';

/** Everything that is known of the sources of an index, by number: of terms, of entries (passages), and of sources. */
export interface PassageIndex {
  lang: string;
  stems: Postings;
  /** By a piece of four letters: which stems have forms with it. */
  pieces: Postings;
  /** In how many sources a stem is. */
  frequency: Int32Array;
  ids: string[];
  /** The source of an entry. */
  sourceOf: Int32Array;
  /** Of entries, in words. */
  lengths: Float64Array;
  meanLength: number;
  /** Of entries; none where nobody reads excerpts. */
  texts: string[];
}

/** In how many sources each term is. Those of a source stand behind each other, as its entries do. */
export function frequencies({ starts, places }: Postings, sourceOf: Int32Array): Int32Array {
  const frequency = new Int32Array(starts.length - 1);
  for (let term = 0; term < frequency.length; term++) {
    let [count, last] = [0, -1];
    for (let at = starts[term] as number; at < (starts[term + 1] as number); at++) {
      const source = sourceOf[places[at] as number] as number;
      if (source !== last) count++;
      last = source;
    }
    frequency[term] = count;
  }
  return frequency;
}

import type { Pause } from '#platform/work';

/** Of the blocks in which numbers wait while lists are made: nothing is copied when there are more of them. */
const BLOCK = 2 ** 16;
/** About what a term takes besides its list. */
const TERM_BYTES = 110;
const TIMES_MAX = 255;

/** By term: where it stands, in ascending order, and how often. In typed arrays, since there are millions of them. */
export interface Postings {
  /** The number of a term; undefined: it stands nowhere. */
  numberOf(term: string): number | undefined;
  /** The list of term `n` goes from `starts[n]` to `starts[n + 1]`, in both. */
  starts: Int32Array;
  places: Int32Array;
  times: Uint8Array;
  bytes: number;
}

/** Lists in the making. */
export interface PostingsMaker {
  /** Places come in ascending order. @returns the number of the term */
  add(term: string, place: number, times: number): number;
  /** @param pause is awaited between pieces of the work */
  done(pause: Pause): Promise<Postings>;
}

/** Collects lists in the order of places, and sorts them by term at the end (a counting sort). */
export function createPostings(): PostingsMaker {
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  const blocks: { terms: Int32Array; places: Int32Array; times: Uint8Array }[] = [];
  let used = BLOCK;

  function add(term: string, place: number, count: number): number {
    let number = numbers.get(term);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(term, number);
      counts.push(0);
    }
    counts[number] = (counts[number] as number) + 1;
    if (used === BLOCK) {
      blocks.push({ terms: new Int32Array(BLOCK), places: new Int32Array(BLOCK), times: new Uint8Array(BLOCK) });
      used = 0;
    }
    const block = blocks[blocks.length - 1] as (typeof blocks)[number];
    block.terms[used] = number;
    block.places[used] = place;
    block.times[used] = Math.min(count, TIMES_MAX);
    used++;
    return number;
  }

  async function done(pause: Pause): Promise<Postings> {
    const starts = new Int32Array(counts.length + 1);
    for (const [i, count] of counts.entries()) starts[i + 1] = (starts[i] as number) + count;
    const next = starts.slice();
    const size = starts[counts.length] as number;
    const places = new Int32Array(size);
    const times = new Uint8Array(size);
    for (const [i, block] of blocks.entries()) {
      const length = i === blocks.length - 1 ? used : BLOCK;
      for (let at = 0; at < length; at++) {
        const term = block.terms[at] as number;
        const to = next[term] as number;
        next[term] = to + 1;
        places[to] = block.places[at] as number;
        times[to] = block.times[at] as number;
      }
      await pause();
    }
    const bytes = starts.byteLength + places.byteLength + times.byteLength + numbers.size * TERM_BYTES;
    return { numberOf: (term) => numbers.get(term), starts, places, times, bytes };
  }

  return { add, done };
}

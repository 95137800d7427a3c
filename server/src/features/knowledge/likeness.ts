import type { PassageIndex } from './passageIndex.ts';
import type { Word } from './words.ts';

/** What a word counts that is found by its pieces, and the share of them that is needed. */
const LIKENESS = 0.65;
const PIECES_MIN = 0.6;
/** A word that stands in so many sources, or in this share of them, needs nobody to guess what is meant. */
const FREQUENT = 2_000;
const FREQUENT_SHARE = 0.1;
/** Places that are looked at for one word: where there are more, terms have to have more of its pieces. */
const PLACES_MAX = 20_000;
/** A word is cut to 32 letters. */
const PIECES_MAX = 29;
/** The word itself, beside the bits of its pieces. */
const ITSELF = 1 << 31;

/** Told of each entry that has a word: how often, and whether it is the word itself (1) or only looks like it. */
export type Visit = (entry: number, times: number, likeness: number) => void;

/** By term and by entry: a bit for each piece that it has. All zero between two searches. */
let bitsOfTerm = new Int32Array(0);
let bitsOfEntry = new Int32Array(0);
let timesOfEntry = new Uint8Array(0);

/** Visits the entries that have a word, or else most of its pieces, which may be those of several words. */
export function visitLike(index: PassageIndex, word: Word, visit: Visit): void {
  const number = index.stems.numberOf(word.stem);
  const terms = word.pieces.length === 0 || isFrequent(index, number) ? [] : similarTerms(index, word, number);
  const { starts, places, times } = index.stems;
  if (terms.length === 0) {
    if (number === undefined) return;
    const end = starts[number + 1] as number;
    for (let at = starts[number] as number; at < end; at++) visit(places[at] as number, times[at] as number, 1);
    return;
  }
  if (bitsOfEntry.length < index.sourceOf.length) {
    bitsOfEntry = new Int32Array(index.sourceOf.length);
    timesOfEntry = new Uint8Array(index.sourceOf.length);
  }
  if (number !== undefined) terms.unshift({ term: number, bits: ITSELF });
  const entries: number[] = [];
  for (const { term, bits } of terms) {
    const end = starts[term + 1] as number;
    for (let at = starts[term] as number; at < end; at++) {
      const entry = places[at] as number;
      const before = bitsOfEntry[entry] as number;
      if (before === 0) entries.push(entry);
      if (before >= 0) timesOfEntry[entry] = Math.max(timesOfEntry[entry] as number, times[at] as number);
      bitsOfEntry[entry] = before | bits;
    }
  }
  for (const entry of entries) {
    const bits = bitsOfEntry[entry] as number;
    const share = countBits(bits) / word.pieces.length;
    if (bits < 0) visit(entry, timesOfEntry[entry] as number, 1);
    else if (share >= PIECES_MIN) visit(entry, timesOfEntry[entry] as number, LIKENESS * share);
    bitsOfEntry[entry] = 0;
    timesOfEntry[entry] = 0;
  }
}

function isFrequent({ frequency, ids }: PassageIndex, number: number | undefined): boolean {
  return number !== undefined && (frequency[number] as number) > Math.min(FREQUENT, FREQUENT_SHARE * ids.length);
}

interface Similar {
  term: number;
  bits: number;
}

/** The terms that have pieces of a word, without the word itself: those with the most of them, as far as `PLACES_MAX` goes. */
function similarTerms(index: PassageIndex, word: Word, number: number | undefined): Similar[] {
  const { starts, places, numberOf } = index.pieces;
  if (bitsOfTerm.length < index.frequency.length) bitsOfTerm = new Int32Array(index.frequency.length);
  const touched: number[] = [];
  for (const [i, piece] of word.pieces.entries()) {
    const list = numberOf(piece);
    if (list === undefined) continue;
    const end = starts[list + 1] as number;
    for (let at = starts[list] as number; at < end; at++) {
      const term = places[at] as number;
      if (bitsOfTerm[term] === 0) touched.push(term);
      bitsOfTerm[term] = (bitsOfTerm[term] as number) | (1 << i);
    }
  }
  /** By how many pieces terms have: in how many places these are. */
  const counts = new Float64Array(PIECES_MAX + 1);
  const found: Similar[] = [];
  for (const term of touched) {
    const bits = bitsOfTerm[term] as number;
    bitsOfTerm[term] = 0;
    if (term === number) continue;
    found.push({ term, bits });
    const shared = countBits(bits);
    counts[shared] = (counts[shared] as number) + placesOf(index, term);
  }
  const needed = leastShared(counts, Math.ceil(PIECES_MIN * word.pieces.length));
  return found.filter(({ bits }) => countBits(bits) >= needed);
}

function leastShared(counts: Float64Array, enough: number): number {
  let places = 0;
  for (let shared = PIECES_MAX; shared > 0; shared--) {
    places += counts[shared] as number;
    if (places > PLACES_MAX && shared < enough) return shared + 1;
  }
  return 1;
}

function placesOf({ stems: { starts } }: PassageIndex, term: number): number {
  return (starts[term + 1] as number) - (starts[term] as number);
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** How much all passages of a source count together, beside the best one alone. */
const WHOLE = 0.5;
/** How much it counts that most of a question is found. */
const BONUS_FROM = 0.5;
/** With so many entries that have one of the telling words itself, further words add to what is found, and find no others. */
const CANDIDATES = 5_000;

/** By entry and by source: what a search counts with. All zero between two searches, which never overlap. */
let scores = new Float64Array(0);
/** Of one word: the best that a source has of it. */
let gains = new Float64Array(0);
let likenesses = new Float64Array(0);
/** Of all words. */
let sums = new Float64Array(0);
let covered = new Float64Array(0);
/** The best entry of a source, counted from 1. */
let bestEntries = new Int32Array(0);

function makeRoom(size: number): void {
  if (scores.length >= size) return;
  scores = new Float64Array(size);
  gains = new Float64Array(size);
  likenesses = new Float64Array(size);
  sums = new Float64Array(size);
  covered = new Float64Array(size);
  bestEntries = new Int32Array(size);
}

/** A source with what was found in it. */
export interface Tallied {
  source: number;
  /** Its best one. */
  entry: number;
  score: number;
}

/** What the end of a search asks for. */
interface End {
  limit: number;
  /** What all words of the question weigh together. */
  possible: number;
  /** The share of the surest one that others need. */
  beside: number;
  /** Decides between equal scores. */
  idOf(source: number): string;
}

/**
 * Counts what one search finds, word by word, the telling ones first. Numbers in arrays that are used again: a word may stand in every
 * entry, and an object for each would be what a search costs.
 */
export function createTally(sourceOf: Int32Array) {
  makeRoom(sourceOf.length);
  const entries: number[] = [];
  const sources: number[] = [];
  let ofWord: number[] = [];
  let candidates = 0;
  let isOpen = true;

  /** @param gain of the word in this entry */
  function count(entry: number, gain: number, likeness: number): void {
    const before = scores[entry] as number;
    if (before === 0) {
      if (!isOpen) return;
      entries.push(entry);
      if (likeness === 1) candidates++;
    }
    scores[entry] = before + gain;
    const source = sourceOf[entry] as number;
    const best = gains[source] as number;
    if (best === 0) ofWord.push(source);
    if (gain <= best) return;
    gains[source] = gain;
    likenesses[source] = likeness;
  }

  /** After the last entry of a word. */
  function endWord(weight: number): void {
    for (const source of ofWord) {
      const before = sums[source] as number;
      if (before === 0) sources.push(source);
      sums[source] = before + (gains[source] as number);
      covered[source] = (covered[source] as number) + weight * (likenesses[source] as number);
      gains[source] = 0;
    }
    ofWord = [];
    isOpen = candidates < CANDIDATES;
  }

  function end({ limit, possible, beside, idOf }: End): { best: Tallied[]; surest: number } {
    for (const entry of entries) {
      const source = sourceOf[entry] as number;
      const before = bestEntries[source] as number;
      if (before === 0 || (scores[entry] as number) > (scores[before - 1] as number)) bestEntries[source] = entry + 1;
    }
    const scoreOf = (source: number) =>
      (1 - WHOLE) * (scores[(bestEntries[source] as number) - 1] as number) + WHOLE * (sums[source] as number);
    const sureness = (source: number) =>
      scoreOf(source) * (BONUS_FROM + Math.min(1, (covered[source] as number) / (possible || 1)));
    const surest = sources.reduce((most, source) => Math.max(most, sureness(source)), 0);
    const best: Tallied[] = [];
    const isBefore = (a: Tallied, b: Tallied) =>
      a.score > b.score || (a.score === b.score && idOf(a.source) < idOf(b.source));
    for (const source of sources) {
      if (sureness(source) < beside * surest) continue;
      const one = { source, entry: (bestEntries[source] as number) - 1, score: scoreOf(source) };
      const last = best.at(-1);
      if (best.length >= limit && last && !isBefore(one, last)) continue;
      best.splice(best.findIndex((other) => isBefore(one, other)) >>> 0, 0, one);
      if (best.length > limit) best.pop();
    }
    clear();
    return { best, surest };
  }

  function clear(): void {
    for (const entry of entries) scores[entry] = 0;
    for (const source of sources) {
      sums[source] = 0;
      covered[source] = 0;
      bestEntries[source] = 0;
    }
  }

  return { count, endWord, end };
}

import { meets, type Term, wordsOf } from './words.ts';

/** Code points before and behind the word found. */
const BEFORE = 40;
const BEHIND = 80;

/** A message cut to what stands around the first word found. */
export function excerptOf(content: string, terms: Term[]): string {
  const characters = [...content.replace(/\s+/gu, ' ').trim()];
  const from = Math.max(0, firstHit(characters, terms) - BEFORE);
  const to = Math.min(characters.length, from + BEFORE + BEHIND);
  const text = characters.slice(from, to).join('');
  return `${from > 0 ? '…' : ''}${text}${to < characters.length ? '…' : ''}`;
}

/** Where the first word begins that meets a term: the start of the shortest beginning that holds it, by halving. */
function firstHit(characters: string[], terms: Term[]): number {
  const holds = (from: number, to: number) => {
    const words = wordsOf(characters.slice(from, to).join(''));
    return terms.some((term) => meets(words, term));
  };
  if (!holds(0, characters.length)) return 0;
  let [short, long] = [0, characters.length];
  while (long - short > 1) {
    const middle = (short + long) >> 1;
    if (holds(0, middle)) long = middle;
    else short = middle;
  }
  let start = long - 1;
  while (start > 0 && !holds(start, long)) start--;
  return start;
}

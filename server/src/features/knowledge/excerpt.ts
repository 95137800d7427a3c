import type { ReadWords } from './words.ts';

const LENGTH_MAX = 180;
/** The boundary between two sentences, in scripts with and without blanks. */
const BETWEEN_SENTENCES = /(?<=[.!?؟।]\s)|(?<=[。！？])/u;

/** The part of a passage with the most of these stems: from the beginning of a sentence, as far as an excerpt goes. */
export function excerptOf(passage: string, stems: ReadonlySet<string>, read: ReadWords): string {
  if (passage.length <= LENGTH_MAX) return passage;
  let at = 0;
  let best = { from: 0, found: 0 };
  for (const sentence of passage.split(BETWEEN_SENTENCES)) {
    const found = new Set(read(sentence).flatMap(({ stem }) => (stems.has(stem) ? stem : []))).size;
    if (found > best.found) best = { from: at, found };
    at += sentence.length;
  }
  const before = best.from === 0 ? '' : '… ';
  const rest = passage.slice(best.from);
  if (rest.length <= LENGTH_MAX) return before + rest;
  const head = rest.slice(0, LENGTH_MAX);
  const end = head.lastIndexOf(' ') > LENGTH_MAX / 2 ? head.lastIndexOf(' ') : head.length;
  return `${before}${head.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`;
}

import { el } from '../kit.ts';

/** What ends an address. Marks of direction would make it read as another than it leads to. */
const END = '\\s<>"()\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const PAIR = `\\([^${END}]*\\)`;
/** A web address, up to the punctuation of the sentence around it; a pair of brackets belongs to it. */
const LINK = new RegExp(`\\b(?:https?://|www\\.)(?:${PAIR}|[^${END}])*(?:${PAIR}|[^${END}.,;:!?'*\\]}])`, 'gi');

/** Turns web addresses in a text into links, and leaves all else the text it is. */
export function withLinks(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: found, index = 0 } of text.matchAll(LINK)) {
    const href = /^h/i.test(found) ? found : `https://${found}`;
    parts.push(text.slice(end, index), el('a', '', { href, target: '_blank', rel: 'noopener' }, found));
    end = index + found.length;
  }
  parts.push(text.slice(end));
  return parts;
}

import { el } from '../kit.ts';

/** A web address, up to the punctuation of the sentence around it; a pair of brackets belongs to it. */
const LINK = /\b(?:https?:\/\/|www\.)(?:\([^\s<>"()]*\)|[^\s<>"()])*(?:\([^\s<>"()]*\)|[^\s<>"().,;:!?'*\]}])/gi;

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

import { el } from '../../dom.ts';

const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"]+/gi;
/** Marks that end a sentence rather than an address. */
const TAIL = /[.,;:!?'*_\])}]+$/;

/** Turns web addresses in a text into links, and leaves all else the text it is. */
export function withLinks(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const found = trimTail(match[0]);
    const url = urlOf(found);
    if (!url) continue;
    parts.push(
      text.slice(end, match.index),
      el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, found),
    );
    end = match.index + found.length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** Drops closing punctuation, but keeps a bracket that the address itself opened. */
function trimTail(address: string): string {
  const short = address.replace(TAIL, '');
  return short.includes('(') && address.startsWith(`${short})`) ? `${short})` : short;
}

function urlOf(address: string): string | null {
  try {
    const { protocol, href } = new URL(/^www\./i.test(address) ? `https://${address}` : address);
    return /^https?:$/.test(protocol) ? href : null;
  } catch {
    return null;
  }
}

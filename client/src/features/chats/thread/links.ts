import { webAddress } from '../../../lib/webAddress.ts';

/** A stretch of a message: plain, or a web address that may be followed. */
export interface Segment {
  text: string;
  href?: string;
}

// Neither control characters nor those that turn the direction of a text: a link shows where it leads.
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`\p{Cc}\p{Cf}]+/giu;
const TRAILING = '.,;:!?…';

/** Splits a message into plain text and http(s) addresses; nothing else ever becomes a link. */
export function segmentsOf(content: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of content.matchAll(ADDRESS)) {
    const text = withoutPunctuation(match[0]);
    const href = webAddress(/^h/i.test(text) ? text : `https://${text}`);
    if (!href) continue;
    if (match.index > end) segments.push({ text: content.slice(end, match.index) });
    segments.push({ text, href });
    end = match.index + text.length;
  }
  if (end < content.length) segments.push({ text: content.slice(end) });
  return segments;
}

/**
 * Drops the sentence's own punctuation, and brackets that were opened before the address. Every character is looked at
 * twice at most: an address may be a whole message of brackets, which is held against this whenever it is drawn.
 */
function withoutPunctuation(address: string): string {
  let opened = 0;
  for (const character of address) opened += character === '(' ? 1 : character === ')' ? -1 : 0;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1] ?? '';
    if (TRAILING.includes(last)) continue;
    if (last !== ')' || opened >= 0) break;
    opened++;
  }
  return address.slice(0, end);
}

/** A stretch of a message: plain, or a web address that may be followed. */
export interface Segment {
  text: string;
  href?: string;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\p{Cc}]+/giu;
const TRAILING = /[.,;:!?…]+$/;

/** Splits a message into plain text and http(s) addresses; nothing else ever becomes a link. */
export function segmentsOf(content: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of content.matchAll(ADDRESS)) {
    const text = withoutPunctuation(match[0]);
    const href = webAddress(text);
    if (!href) continue;
    if (match.index > end) segments.push({ text: content.slice(end, match.index) });
    segments.push({ text, href });
    end = match.index + text.length;
  }
  if (end < content.length) segments.push({ text: content.slice(end) });
  return segments;
}

/** The address as a browser reads it, or nothing when it is no http(s) address. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

/** Drops the sentence's own punctuation, and a bracket that was opened before the address. */
function withoutPunctuation(address: string): string {
  let text = address.replace(TRAILING, '');
  while (text.endsWith(')') && text.split('(').length < text.split(')').length) {
    text = text.slice(0, -1).replace(TRAILING, '');
  }
  return text;
}

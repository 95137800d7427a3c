import { memo } from 'react';
import { httpUrl } from '../../../lib/validate.ts';
import { FormattedText } from './FormattedText.tsx';

/** A message's text with links, or with its formatting. Memoized: a text is read once, not with every render of the thread. */
export const MessageText = memo(function MessageText({
  text,
  isFormatted,
}: {
  text: string;
  isFormatted?: boolean | undefined;
}) {
  if (isFormatted) return <FormattedText source={text} />;
  return segmentsOf(text).map((segment, index) =>
    segment.href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's text never changes
        key={index}
        href={segment.href}
        dir="ltr"
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-strong underline underline-offset-2"
      >
        {segment.text}
      </a>
    ) : (
      segment.text
    ),
  );
});

/** A part of a message: plain text, or a link. */
export interface Segment {
  text: string;
  href?: string;
}

// Without control and bidi characters, which could make a link look as if it led elsewhere.
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`\p{Cc}\p{Cf}]+/giu;
const TRAILING = '.,;:!?…';

/** Splits a message into plain text and http(s) addresses; nothing else ever becomes a link. */
export function segmentsOf(content: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of content.matchAll(ADDRESS)) {
    const text = withoutPunctuation(match[0]);
    const href = httpUrl(/^h/i.test(text) ? text : `https://${text}`);
    if (!href) continue;
    if (match.index > end) segments.push({ text: content.slice(end, match.index) });
    segments.push({ text, href });
    end = match.index + text.length;
  }
  if (end < content.length) segments.push({ text: content.slice(end) });
  return segments;
}

/**
 * Drops punctuation after the address, and closing brackets that were opened before it. Linear: an address may be a whole
 * message of brackets, and a quadratic search would freeze the page.
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

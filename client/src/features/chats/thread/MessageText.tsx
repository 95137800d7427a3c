import { memo } from 'react';
import { segmentsOf } from './links.ts';

/**
 * What somebody wrote: its web addresses can be followed, the rest is text and nothing else. It is looked through once,
 * not each time that something beside it changes.
 */
export const Text = memo(function Text({ text }: { text: string }) {
  return segmentsOf(text).map((segment, index) =>
    segment.href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's text never changes
        key={index}
        href={segment.href}
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

import { createElement, Fragment, type ReactNode } from 'react';
import { type Block, formattingOf, type Run } from 'server/contract';
import { cx } from '../../../lib/cx.ts';

const BLOCK_LOOKS: Record<Block['tag'], string> = {
  p: '',
  ul: 'list-disc ps-5',
  ol: 'list-decimal ps-7',
  pre: 'rounded-control bg-text/5 px-2.5 py-1.5 whitespace-pre-wrap',
};
const RUN_LOOKS = { code: 'address font-mono text-[0.9em]', em: 'italic', strong: 'font-semibold' };
const RUN_TAGS = ['code', 'em', 'strong'] as const;

/** A message with light formatting. */
export function FormattedText({ source }: { source: string }) {
  // As arguments, the elements need no keys: a text has no others than their places.
  return createElement(Fragment, null, ...formattingOf(source).map(blockOf));
}

function blockOf({ tag, items }: Block): ReactNode {
  const lines = items.flatMap(({ value, runs }): ReactNode[] => {
    const words = runs.map((run) => wordsOf(run, tag === 'pre'));
    return tag === 'ul' || tag === 'ol' ? [createElement('li', { value: value && Number(value) }, ...words)] : words;
  });
  return createElement(tag, { dir: 'auto', className: cx('not-first:mt-2', BLOCK_LOOKS[tag]) }, ...lines);
}

function wordsOf(run: Run, isBlock: boolean): ReactNode {
  let words: ReactNode = run.text;
  for (const tag of RUN_TAGS) {
    const className = cx(RUN_LOOKS[tag], tag === 'code' && !isBlock && 'rounded-sm bg-text/10 px-1');
    if (run[tag]) words = createElement(tag, { className }, words);
  }
  if (!run.href) return words;
  const look = 'text-accent-strong underline underline-offset-2';
  return (
    <a href={run.href} dir="auto" target="_blank" rel="noopener noreferrer nofollow" className={look}>
      {words}
    </a>
  );
}

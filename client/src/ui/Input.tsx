import type { ComponentProps } from 'react';
import { cx } from '../lib/cx.ts';
import { useControl } from './Field.tsx';

const LOOK = cx(
  'w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-text transition-colors',
  'hover:border-muted focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0',
  'disabled:bg-background disabled:text-muted read-only:bg-background aria-invalid:border-danger',
  // Phones zoom into fields whose letters are smaller than 16 px.
  'text-base sm:text-sm',
);

const ADDRESSES = ['email', 'tel', 'url'];

/** One line of text. Addresses and phone numbers are written from the left in every language; for code, `dir="ltr"` says so. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  const isAddress = ADDRESSES.includes(props.type ?? '') || ADDRESSES.includes(props.inputMode ?? '');
  return (
    <input {...useControl()} {...(isAddress && { dir: 'ltr' })} {...props} className={cx(LOOK, 'h-10', className)} />
  );
}

/** Several lines of text. */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<'textarea'>) {
  return <textarea {...useControl()} rows={rows} {...props} className={cx(LOOK, 'py-2', className)} />;
}

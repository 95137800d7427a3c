import { cx } from '../lib/cx.ts';

/** A placeholder for content that is loading; size it with `className`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block animate-breathe rounded-control bg-text/8', className)} />;
}

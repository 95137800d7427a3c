import { cx } from '../lib/cx.ts';

/** The shape of something that is on its way; size it with `className`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block animate-breathe rounded-control bg-text/8', className)} />;
}

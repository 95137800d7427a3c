import { cx } from '../../lib/cx.ts';
import { atMostNine } from './title.ts';

/** How much is unread, as a small round mark; nothing where all is read. */
export function Unread({ count, className }: { count: number; className: string }) {
  if (count === 0) return null;
  return (
    <span
      className={cx(
        'flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-[10px] font-semibold text-on-accent tabular-nums',
        className,
      )}
    >
      {atMostNine(count)}
      <span className="sr-only"> unread</span>
    </span>
  );
}

import { useMatches } from 'react-router-dom';
import { cx } from '../../lib/cx.ts';
import type { RouteHandle } from '../guards.tsx';

/** How much is unread, as a small round mark; nothing where all is read. */
export function UnreadBadge({ count, className }: { count: number; className: string }) {
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

/** Above this nobody counts, and no more are asked for. */
const COUNTED = 99;

/** The title of the screen that is open, led by how much is unread. */
export function useScreenTitle(unread: number): string {
  const handle = useMatches().findLast((match) => match.handle !== undefined)?.handle as RouteHandle | undefined;
  const title = handle?.title ? `${handle.title} · Parley` : 'Parley';
  return unread > 0 ? `(${unread > COUNTED ? `${COUNTED}+` : unread}) ${title}` : title;
}

/** Small marks have room for one digit. */
export function atMostNine(count: number): string {
  return count > 9 ? '9+' : String(count);
}

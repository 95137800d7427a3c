import { useMatches } from 'react-router-dom';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import type { RouteHandle } from '../guards.tsx';

/** Higher counts are shown as `99+`; no more chats are loaded to count them. */
const UNREAD_SHOWN_MAX = 99;

/** The number of unread chats as a round badge; nothing if there are none. */
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
      <span className="sr-only"> {t('unread')}</span>
    </span>
  );
}

/** The title of the open screen, with the number of unread chats in front. */
export function useScreenTitle(unread: number): string {
  const handle = useMatches().findLast((match) => match.handle !== undefined)?.handle as RouteHandle | undefined;
  const title = handle?.title ? `${t(handle.title)} · Parley` : 'Parley';
  return unread > 0 ? `(${unread > UNREAD_SHOWN_MAX ? `${UNREAD_SHOWN_MAX}+` : unread}) ${title}` : title;
}

/** A count for a badge, which has room for one digit. */
export function atMostNine(count: number): string {
  return count > 9 ? '9+' : String(count);
}

import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';

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

/** A count for a badge, which has room for one digit. */
export function atMostNine(count: number): string {
  return count > 9 ? '9+' : String(count);
}

import { Link } from 'react-router-dom';
import type { Chat } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Time } from '../../../ui/Time.tsx';
import { opening, STATUS_TONES } from '../model/words.ts';

/** One chat of the console's list, by what it began with. */
export function ConsoleRow({ chat, to, open }: { chat: Chat; to: string; open: boolean }) {
  const [first] = chat.messages;
  return (
    <li data-row={chat._id} className="h-23 border-b">
      <Link
        to={to}
        aria-current={open || undefined}
        className={cx(
          'flex h-full flex-col justify-center gap-0.5 px-4 py-2 transition-colors focus-visible:-outline-offset-2',
          open ? 'bg-accent-soft' : 'hover:bg-text/4',
        )}
      >
        <span className="flex items-center gap-2">
          <span
            dir="auto"
            className={cx('min-w-0 flex-1 truncate text-left', chat.unread > 0 ? 'font-semibold' : 'font-medium')}
          >
            {visitorName(chat.visitorInfo.name, 'Anonymous Visitor')}
          </span>
          <Badge tone={STATUS_TONES[chat.status]}>
            <span className="capitalize">{chat.status}</span>
          </Badge>
        </span>
        <span dir="auto" className="truncate text-left text-xs text-muted">
          {chat.visitorInfo.email || 'No email'}
        </span>
        <span dir="auto" className="truncate text-left">
          {first ? opening(first.text) : 'No messages yet'}
        </span>
        <span className="flex items-center gap-2 text-xs text-muted">
          <Time at={chat.metadata.lastActivity} className="shrink-0" />
          {chat.claimedBy && (
            <span dir="auto" className="min-w-0 flex-1 truncate text-end">
              Claimed by {chat.claimedBy.name}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

import { Ban, Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Chat } from 'server/contract';
import { ClaimedBy, preview, StatusBadge } from '#features/chats';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Time } from '../../../ui/Time.tsx';
import type { RowPlace } from './ChatList.tsx';

interface ChatRowProps {
  chat: Chat;
  place: RowPlace;
  userId: string;
  to: string;
  open: boolean;
  /** Given where the user may claim the chat. */
  onClaim: (() => void) | undefined;
  /** Selects the chat. */
  box: ReactNode;
}

/** One chat of the inbox's list. */
export function ChatRow({ chat, place, userId, to, open, onClaim, box }: ChatRowProps) {
  const name = visitorName(chat.visitorInfo.name);
  const unread = chat.unread > 0;
  return (
    <li {...place} data-row={chat._id} className="relative h-19 border-b has-checked:bg-accent-soft">
      <Link
        to={to}
        aria-current={open || undefined}
        className={cx(
          'flex h-full gap-3 px-4 py-1.5 transition-colors focus-visible:-outline-offset-2',
          open ? 'bg-accent-soft' : 'hover:bg-text/4',
        )}
      >
        <Avatar name={name} size="lg" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span
              dir="auto"
              className={cx(
                'min-w-0 flex-1 truncate text-left rtl:text-right',
                unread ? 'font-semibold' : 'font-medium',
              )}
            >
              {name}
            </span>
            {chat.blocked && <Blocked />}
            <Time at={chat.metadata.lastActivity} className="shrink-0 text-xs text-muted" />
          </span>
          <span className="flex items-center gap-2">
            <span
              dir="auto"
              className={cx('min-w-0 flex-1 truncate text-left rtl:text-right', !unread && 'text-muted')}
            >
              {preview(chat)}
            </span>
            {chat.department && (
              <span dir="auto" className="max-w-24 shrink-0 truncate rounded-full bg-text/6 px-2 text-xs/4.5 text-text">
                {chat.department.name}
              </span>
            )}
            {unread && <Unread count={chat.unread} />}
          </span>
          <span className="flex items-center gap-2 pt-0.5 text-xs text-muted">
            <StatusBadge {...chat} />
            {chat.waitingSince && !chat.snoozedUntil && !chat.assistant?.active && (
              <Waiting since={chat.waitingSince} />
            )}
            <span dir="auto" className="min-w-8 flex-1 truncate text-left rtl:text-right">
              {chat.site.name || t('Unknown Site')}
            </span>
            <ClaimedBy chat={chat} userId={userId} />
            {onClaim && (
              // Room for the button, whose word is longer in some languages. It cannot stand in the link.
              <span aria-hidden className="invisible shrink-0 px-3 font-medium">
                {t('Claim')}
              </span>
            )}
          </span>
        </span>
      </Link>
      {box}
      {onClaim && (
        <Button
          variant="secondary"
          size="sm"
          onClick={onClaim}
          aria-label={t('Claim the chat of {name}', { name })}
          className="absolute! end-4 bottom-1.5 h-6! text-xs"
        >
          {t('Claim')}
        </Button>
      )}
    </li>
  );
}

function Unread({ count }: { count: number }) {
  return (
    <span className="inline-flex h-4.5 min-w-4.5 shrink-0 items-center justify-center rounded-full bg-accent px-1.5 text-[11px] font-semibold text-on-accent tabular-nums">
      {count > 99 ? '99+' : count}
      <span className="sr-only">{t('unread')}</span>
    </span>
  );
}

/** How long the visitor has waited for an answer. */
function Waiting({ since }: { since: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 font-medium text-waiting">
      <Hourglass size={12} aria-hidden />
      <span className="sr-only">{t('Waits for an answer:')}</span>
      <Time at={since} />
    </span>
  );
}

function Blocked() {
  return (
    <span className="shrink-0 text-danger" title={t('Blocked')}>
      <Ban size={14} aria-hidden className="translate-y-0.5" />
      <span className="sr-only">{t('Blocked')}</span>
    </span>
  );
}

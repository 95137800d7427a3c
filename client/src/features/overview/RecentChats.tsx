import { Inbox } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Chat } from 'server/contract';
import { truncate } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Time } from '../../ui/Time.tsx';
import { PREVIEW_LENGTH } from './activity.ts';

const TONES = { active: 'success', waiting: 'waiting', closed: 'closed' } as const;

/** The latest chats over all sites, newest activity first. */
export function RecentChats({ chats }: { chats: readonly Chat[] }) {
  return (
    <section aria-labelledby="recent-chats" className="min-w-0 rounded-card border bg-surface">
      <div className="flex items-center justify-between gap-3 border-b px-4 py-3 sm:px-5">
        <h2 id="recent-chats" className="text-base font-semibold">
          {t('Recent Chats')}
        </h2>
        <Link to={paths.inbox} className="rounded-small font-medium text-accent hover:text-accent-strong">
          {t('View all')}
        </Link>
      </div>
      {chats.length === 0 ? (
        <EmptyState icon={Inbox} title={t('No recent chats')} />
      ) : (
        <ul aria-label={t('Recent chats')} className="divide-y">
          {chats.map((chat) => (
            <RecentRow key={chat._id} chat={chat} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RecentRow({ chat }: { chat: Chat }) {
  const name = visitorName(chat.visitorInfo.name);
  return (
    <li className="last:*:rounded-b-card">
      <Link
        to={paths.chat(chat._id)}
        className="flex gap-3 px-4 py-3 transition-colors hover:bg-text/4 focus-visible:-outline-offset-2 sm:px-5"
      >
        <Avatar name={name} size="lg" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-3">
            <span dir="auto" className="min-w-0 flex-1 truncate text-left rtl:text-right font-medium">
              {name}
            </span>
            <Time at={chat.metadata.lastActivity} className="shrink-0 text-xs text-muted" />
          </span>
          <span dir="auto" className="block truncate text-left rtl:text-right text-muted">
            {truncate(chat.lastMessage, PREVIEW_LENGTH) ||
              (chat.lastSeq > 0 ? t('Message deleted') : t('No messages yet'))}
          </span>
          <span className="flex items-center gap-2 pt-1.5 text-xs text-muted">
            <Badge tone={chat.assistant?.active ? 'accent' : TONES[chat.status]}>
              <span className="inline-block first-letter:uppercase">
                {chat.assistant?.active ? t('Assistant') : t(chat.status)}
              </span>
            </Badge>
            <span className="truncate">{chat.site.name || t('Unknown Site')}</span>
          </span>
        </span>
      </Link>
    </li>
  );
}

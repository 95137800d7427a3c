import { AtSign, BellOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Chat, Mention, Notice } from 'server/contract';
import { NotificationPrompt } from '#features/notify';
import { Notices } from '#features/usage';
import { facts, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Time } from '../../ui/Time.tsx';

interface UnreadListProps {
  chats: readonly Chat[];
  mentions: readonly Mention[];
  notices: readonly Notice[];
  onFollow: () => void;
}

/** The list behind the bell: mentions, unread chats, warnings, and the offer of desktop notifications. */
export function NotificationList({ chats, mentions, notices, onFollow }: UnreadListProps) {
  return (
    <>
      <NotificationPrompt />
      <Notices notices={notices} onFollow={onFollow} />
      {chats.length === 0 && mentions.length === 0 ? (
        <EmptyState
          icon={BellOff}
          title={t('Nothing unread')}
          text={t("Visitors' messages that nobody has read show up here.")}
        />
      ) : (
        <ul className="overflow-y-auto p-1">
          {mentions.map((mention) => (
            <li key={mention._id}>
              <MentionLink mention={mention} onFollow={onFollow} />
            </li>
          ))}
          {chats.map((chat) => (
            <li key={chat._id}>
              <UnreadLink chat={chat} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function MentionLink({ mention, onFollow }: { mention: Mention; onFollow: () => void }) {
  const { by, preview, visitorName: visitor, siteName, createdAt, path } = mention;
  return (
    <Link to={path} onClick={onFollow} className="flex gap-3 rounded-control p-2.5 hover:bg-text/5">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-waiting-soft text-waiting">
        <AtSign size={16} aria-hidden />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-medium">{t('{name} mentioned you', { name: by.name })}</span>
          <Time at={createdAt} className="shrink-0 text-xs text-muted" />
        </span>
        <span dir="auto" className="block truncate">
          {preview}
        </span>
        <span className="block truncate text-xs text-muted">{facts(visitorName(visitor), siteName)}</span>
      </span>
    </Link>
  );
}

function UnreadLink({ chat, onFollow }: { chat: Chat; onFollow: () => void }) {
  const name = visitorName(chat.visitorInfo.name);
  return (
    <Link to={paths.chat(chat._id)} onClick={onFollow} className="flex gap-3 rounded-control p-2.5 hover:bg-text/5">
      <Avatar name={name} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-medium">{name}</span>
          <Time at={chat.metadata.lastActivity} className="shrink-0 text-xs text-muted" />
        </span>
        <span className="block truncate">{chat.lastMessage || t('Message deleted')}</span>
        <span className="block truncate text-xs text-muted">{chat.site.name}</span>
      </span>
    </Link>
  );
}

import { BellOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Chat, Notice } from 'server/contract';
import { NotificationPrompt } from '../../features/notify/NotificationPrompt.tsx';
import { Notices } from '../../features/usage/Notices.tsx';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Time } from '../../ui/Time.tsx';

interface UnreadListProps {
  chats: readonly Chat[];
  notices: readonly Notice[];
  onFollow: () => void;
}

/** The list behind the bell: unread chats, warnings, and the offer of desktop notifications. */
export function NotificationList({ chats, notices, onFollow }: UnreadListProps) {
  return (
    <>
      <NotificationPrompt />
      <Notices notices={notices} onFollow={onFollow} />
      {chats.length === 0 ? (
        <EmptyState
          icon={BellOff}
          title="Nothing unread"
          text="Visitors' messages that nobody has read show up here."
        />
      ) : (
        <ul className="overflow-y-auto p-1">
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
        <span className="block truncate">{chat.lastMessage || 'Message deleted'}</span>
        <span className="block truncate text-xs text-muted">{chat.site.name}</span>
      </span>
    </Link>
  );
}

import { Bell as BellIcon, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Chat } from 'server/contract';
import { NoticePrompt } from '../../features/notify/NoticePrompt.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Time } from '../../ui/Time.tsx';
import { Unread } from './Unread.tsx';

/** Chats with visitor messages that nobody on the team has read. */
export function Bell({ chats }: { chats: readonly Chat[] }) {
  const [open, setOpen] = useState(false);
  const count = chats.length;
  return (
    <Popover
      label="Unread chats"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-text/5 hover:text-text"
        >
          <BellIcon size={18} aria-hidden />
          <span className="sr-only">Notifications, {count === 0 && 'none unread'}</span>
          <Unread count={count} className="absolute top-1 right-0.5" />
        </button>
      }
    >
      <NoticePrompt />
      {count === 0 ? (
        <EmptyState
          icon={BellOff}
          title="Nothing unread"
          text="Visitors' messages that nobody has read show up here."
        />
      ) : (
        <ul className="overflow-y-auto p-1">
          {chats.map((chat) => (
            <li key={chat._id}>
              <UnreadLink chat={chat} onFollow={() => setOpen(false)} />
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

function UnreadLink({ chat, onFollow }: { chat: Chat; onFollow: () => void }) {
  const name = chat.visitorInfo.name ?? 'Anonymous';
  return (
    <Link
      to={`/dashboard/inbox?chat=${chat._id}`}
      onClick={onFollow}
      className="flex gap-3 rounded-control p-2.5 hover:bg-text/5"
    >
      <Avatar name={name} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-medium">{name}</span>
          <Time at={chat.metadata.lastActivity} className="shrink-0 text-xs text-muted" />
        </span>
        <span className="block truncate">{chat.lastMessage}</span>
        <span className="block truncate text-xs text-muted">{chat.site.name}</span>
      </span>
    </Link>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import { MessageCircleX, Upload } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { type Chat, can, type Site, type User } from 'server/contract';
import { ApiError } from '../../../lib/http.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Composer } from '../composer/Composer.tsx';
import { useFileDrop, useStaged } from '../composer/staged.ts';
import type { Thread as Held } from '../model/thread.ts';
import { useSending } from '../outbox/sending.ts';
import { useUploads } from '../outbox/uploads.ts';
import { Thread } from './ThreadView.tsx';
import { ConversationSkeleton, MessagesSkeleton } from './Waiting.tsx';

interface TalkProps {
  chat: Chat;
  thread: UseQueryResult<Held>;
  user: User;
  /** Unknown while the sites are on their way. */
  site: Site | undefined;
  composer: RefObject<HTMLTextAreaElement | null>;
  /** Stands above the messages. */
  head: ReactNode;
}

/** What is said in a chat, and where more is written. */
export function Talk({ chat, thread, user, site, composer, head }: TalkProps) {
  const sending = useSending(chat._id, user, useUploads(chat._id, user));
  const staged = useStaged(`${user._id}:${chat._id}`);
  const mayWrite = site !== undefined && can(site, 'chats.reply') && chat.status !== 'closed';
  const drop = useFileDrop(mayWrite ? staged.add : null);
  return (
    <section aria-label="Chat" className="relative flex min-w-0 flex-1 flex-col" {...drop.handlers}>
      {head}
      {thread.data ? (
        <Thread chat={chat} thread={thread.data} user={user} sending={sending} />
      ) : thread.isError ? (
        <div className="flex flex-1 items-center justify-center">
          <ErrorState what="The messages could not be loaded." onRetry={() => void thread.refetch()} />
        </div>
      ) : (
        <MessagesSkeleton />
      )}
      <Composer chat={chat} user={user} site={site} field={composer} staged={staged} sending={sending} />
      {drop.isOver && <DropHint />}
    </section>
  );
}

/** What stands there as long as there is no chat to show. */
export function NoTalk({ chat }: { chat: UseQueryResult<Chat> }) {
  if (chat.isPending) return <ConversationSkeleton />;
  const gone = chat.error instanceof ApiError && chat.error.status === 404;
  return (
    <div className="flex flex-1 items-center justify-center">
      {gone ? (
        <EmptyState
          icon={MessageCircleX}
          title="This chat is not here"
          text="It was deleted, or it belongs to a website that you are not on the team of."
        />
      ) : (
        <ErrorState what="The chat could not be loaded." onRetry={() => void chat.refetch()} />
      )}
    </div>
  );
}

/** Says that what is held over the chat may be let go. */
function DropHint() {
  return (
    <p className="pointer-events-none absolute inset-2 z-20 flex animate-fade items-center justify-center gap-2 rounded-card border-2 border-accent border-dashed bg-accent-soft/90 font-medium text-accent-strong">
      <Upload size={20} aria-hidden />
      Drop files to send them
    </p>
  );
}

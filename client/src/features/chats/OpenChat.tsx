import { MessageCircleX, Upload } from 'lucide-react';
import { useState } from 'react';
import { can } from 'server/contract';
import { ApiError } from '../../lib/api.ts';
import { useSocket } from '../../lib/socket.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useChat } from './api.ts';
import type { ConversationProps } from './Conversation.tsx';
import { Composer } from './composer/Composer.tsx';
import { useFileDrop, useStaged } from './composer/staged.ts';
import { Details } from './details/Details.tsx';
import { Header } from './Header.tsx';
import { useThread } from './opening.ts';
import { useSending } from './sending.ts';
import { Thread } from './Thread.tsx';
import { ConversationSkeleton, MessagesSkeleton } from './Waiting.tsx';

/** An open chat: its head, its thread, its composer and who the visitor is. */
export function OpenChat({ chatId, user, sites, composer, onBack }: ConversationProps) {
  const chat = useChat(chatId);
  const thread = useThread(chatId);
  const { connected } = useSocket();
  const [detailsOpen, setDetailsOpen] = useState(false);
  const sending = useSending(chatId, user);
  const staged = useStaged();
  const site = sites.find((each) => each._id === chat.data?.site._id);
  const mayAct = site !== undefined && can(site, 'chats.reply');
  const drop = useFileDrop(mayAct && chat.data?.status !== 'closed' ? staged.add : null);

  if (!chat.data) {
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

  const row = chat.data;
  const online = connected ? (thread.data?.visitor?.online ?? null) : null;
  return (
    <div className="relative flex min-w-0 flex-1">
      <section aria-label="Chat" className="relative flex min-w-0 flex-1 flex-col" {...drop.handlers}>
        <Header
          chat={row}
          user={user}
          site={site}
          online={online}
          detailsOpen={detailsOpen}
          onBack={onBack}
          onDetails={() => setDetailsOpen(!detailsOpen)}
        />
        {thread.data ? (
          <Thread chat={row} thread={thread.data} user={user} sending={sending} />
        ) : thread.isError ? (
          <div className="flex flex-1 items-center justify-center">
            <ErrorState what="The messages could not be loaded." onRetry={() => void thread.refetch()} />
          </div>
        ) : (
          <MessagesSkeleton />
        )}
        <Composer chat={row} user={user} site={site} field={composer} staged={staged} sending={sending} />
        {drop.isOver && <DropHint />}
      </section>
      <Details
        chat={row}
        thread={thread.data}
        userId={user._id}
        site={site}
        online={online}
        open={detailsOpen}
        onHide={() => setDetailsOpen(false)}
        onErased={onBack}
      />
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

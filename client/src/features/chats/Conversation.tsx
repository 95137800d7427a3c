import { MessageCircleX } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { Chat, Site, User } from 'server/contract';
import { can } from 'server/contract';
import { ApiError } from '../../lib/api.ts';
import { useSocket } from '../../lib/socket.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useChat, useClaim, useClose } from './api.ts';
import { Composer } from './Composer.tsx';
import { Details } from './Details.tsx';
import { outboxOf } from './delivery.ts';
import { Header } from './Header.tsx';
import { useThread } from './opening.ts';
import { Thread } from './Thread.tsx';

interface ConversationProps {
  chatId: string;
  user: User;
  sites: readonly Site[];
  composer: RefObject<HTMLTextAreaElement | null>;
  onBack: () => void;
}

/** An open chat: its head, its thread, its composer and who the visitor is. */
export function Conversation({ chatId, user, sites, composer, onBack }: ConversationProps) {
  const chat = useChat(chatId);
  const thread = useThread(chatId);
  const { connected } = useSocket();
  const claim = useClaim();
  const close = useClose();
  const [detailsOpen, setDetailsOpen] = useState(false);

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
  const mayAct = mayAnswer(row, sites);
  const visitor = thread.data?.visitor ?? null;
  return (
    <div className="relative flex min-w-0 flex-1">
      <section aria-label="Chat" className="flex min-w-0 flex-1 flex-col">
        <Header
          chat={row}
          userId={user._id}
          online={connected ? (visitor?.online ?? null) : null}
          mayAct={mayAct}
          detailsOpen={detailsOpen}
          closing={close.isPending}
          onBack={onBack}
          onClaim={() => claim.mutate(row)}
          onClose={() => close.mutate(row)}
          onDetails={() => setDetailsOpen(!detailsOpen)}
        />
        {thread.data ? (
          <Thread chat={row} thread={thread.data} user={user} />
        ) : thread.isError ? (
          <div className="flex flex-1 items-center justify-center">
            <ErrorState what="The messages could not be loaded." onRetry={() => void thread.refetch()} />
          </div>
        ) : (
          <MessagesSkeleton />
        )}
        <Composer
          draftOf={`${user._id}:${chatId}`}
          field={composer}
          refusal={refusalOf(row, mayAct)}
          onSend={(text) => outboxOf(user)?.add(chatId, text)}
        />
      </section>
      <Details chat={row} visitor={visitor} open={detailsOpen} onHide={() => setDetailsOpen(false)} />
    </div>
  );
}

/** Whether the user may claim, answer and close this chat. */
export function mayAnswer(chat: Chat, sites: readonly Site[]): boolean {
  const site = sites.find((each) => each._id === chat.site._id);
  return site !== undefined && can(site, 'chats.reply');
}

function refusalOf(chat: Chat, mayAct: boolean): string | null {
  if (chat.status === 'closed') return 'This chat is closed. When the visitor writes again, a new chat begins.';
  if (!mayAct) return 'You can read this chat, but not answer it: your role on this website is viewer.';
  return null;
}

function ConversationSkeleton() {
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="flex h-16 shrink-0 items-center gap-3 border-b bg-surface px-4">
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-4 w-40" />
      </div>
      <MessagesSkeleton />
    </div>
  );
}

const WIDTHS = ['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5'];

function MessagesSkeleton() {
  return (
    <div role="status" className="flex min-h-0 flex-1 flex-col justify-end gap-4 overflow-hidden p-6">
      <span className="sr-only">Loading messages</span>
      {WIDTHS.map((width, index) => (
        <Skeleton key={width} className={`h-12 rounded-bubble! ${width} ${index % 2 ? 'self-end' : ''}`} />
      ))}
    </div>
  );
}

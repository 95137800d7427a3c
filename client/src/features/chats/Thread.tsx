import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { useState } from 'react';
import type { Chat, User } from 'server/contract';
import { keys } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useOutgoing } from './delivery.ts';
import { Messages } from './Messages.tsx';
import { useOlder } from './opening.ts';
import { useFreshAfter, useReceipts, useWatched } from './reading.ts';
import { useThreadScroll } from './scroll.ts';
import { type Thread as Held, lastSeq } from './thread.ts';
import { timelineOf } from './timeline.ts';

interface ThreadProps {
  chat: Chat;
  thread: Held;
  user: User;
}

/** The conversation itself: follows its end, keeps its place, and says what has been seen. */
export function Thread({ chat, thread: given, user }: ThreadProps) {
  const client = useQueryClient();
  // The outbox forgets a message the moment the cache has it, but the cache's own notice comes a little later.
  const thread = client.getQueryData<Held>(keys.thread(chat._id)) ?? given;
  const { items, outbox } = useOutgoing(chat._id);
  const older = useOlder(chat._id);
  const first = thread.messages[0]?.seq;
  const newest = `${lastSeq(thread)} ${items.map((item) => item.clientId + item.failed).join()}`;
  const loadOlder = () => {
    if (thread.older && first !== undefined) older.mutate(first);
  };
  const { view, atEnd, toEnd } = useThreadScroll(first, newest, () => {
    if (!older.isPending && !older.isError) loadOlder();
  });
  const onScreen = useWatched() && atEnd;
  useReceipts(chat._id, thread, onScreen);
  const freshAfter = useFreshAfter(thread, onScreen, items.length);
  const unseen = useUnseen(thread, atEnd);
  const name = chat.visitorInfo.name || 'Anonymous';
  const entries = timelineOf(thread.messages, items, user, freshAfter);

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={view}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={`Conversation with ${name}`}
        className="flex h-full flex-col overflow-y-auto px-4 pt-2 pb-3 [overflow-anchor:none] focus-visible:-outline-offset-2 sm:px-6"
      >
        <div className="mt-auto">
          <Top
            state={older.isError ? 'failed' : thread.older ? 'loading' : 'start'}
            empty={entries.length === 0}
            onRetry={loadOlder}
          />
          <Messages entries={entries} visitorName={name} receipts={thread.receipts} outbox={outbox} />
        </div>
      </section>
      <Announcer thread={thread} visitorName={name} />
      {!atEnd && (
        <Button
          variant="secondary"
          size="sm"
          onClick={toEnd}
          className="absolute! bottom-3 left-1/2 -translate-x-1/2 animate-fade rounded-full! shadow-float"
        >
          <ArrowDown size={16} aria-hidden />
          {unseen === 0 ? 'Jump to latest' : `${unseen} new ${unseen === 1 ? 'message' : 'messages'}`}
        </Button>
      )}
    </div>
  );
}

function Top({
  state,
  empty,
  onRetry,
}: {
  state: 'failed' | 'loading' | 'start';
  empty: boolean;
  onRetry: () => void;
}) {
  if (state === 'failed') {
    return (
      <p role="alert" className="flex items-center justify-center gap-2 py-3 text-xs text-danger">
        Older messages could not be loaded.
        <Button variant="secondary" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  }
  if (state === 'loading') {
    return (
      <p className="flex justify-center py-3 text-muted">
        <Spinner size={16} label="Loading older messages" />
      </p>
    );
  }
  return empty && <p className="py-10 text-center text-muted">No messages yet.</p>;
}

/** How many visitor messages have come since one scrolled away from the end. */
function useUnseen(thread: Held, atEnd: boolean): number {
  const [left, setLeft] = useState<number | null>(null);
  if (atEnd && left !== null) setLeft(null);
  if (!atEnd && left === null) setLeft(lastSeq(thread));
  return left === null ? 0 : thread.messages.filter(({ seq, sender }) => seq > left && sender === 'visitor').length;
}

/** Reads new visitor messages out to screen readers; not those that were there, nor older ones loaded above. */
function Announcer({ thread, visitorName }: { thread: Held; visitorName: string }) {
  const [from] = useState(() => lastSeq(thread));
  const latest = thread.messages.findLast(({ seq, sender }) => seq > from && sender === 'visitor');
  return (
    <p aria-live="polite" className="sr-only">
      {latest && `${visitorName}: ${latest.content}`}
    </p>
  );
}

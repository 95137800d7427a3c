import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Chat, User } from 'server/contract';
import { keys } from '../../../lib/query.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Button } from '../../../ui/Button.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useTypingText } from '../live/activity.ts';
import { useNewAfter, usePageFocus, useReportReceipts } from '../live/receipts.ts';
import { useLoadOlder, useLoadOlderNotes } from '../live/threadQuery.ts';
import { type Thread as Held, lastSeq, olderNotesCursor, visibleNotes } from '../model/thread.ts';
import { timelineOf } from '../model/timeline.ts';
import type { Sending } from '../outbox/sending.ts';
import { Announcer } from './Announcer.tsx';
import { Messages } from './MessageList.tsx';
import { useThreadScroll } from './useThreadScroll.ts';

interface ThreadProps {
  chat: Chat;
  thread: Held;
  user: User;
  sending: Sending;
}

/** The conversation itself: follows its end, keeps its place, and says what has been seen. */
export function Thread({ chat, thread: given, user, sending }: ThreadProps) {
  const client = useQueryClient();
  // The outbox forgets a message the moment the cache has it, but the cache's own notice comes a little later.
  const thread = client.getQueryData<Held>(keys.thread(chat._id)) ?? given;
  const { outgoing, retry, remove } = sending;
  const older = useOlderMessages(chat._id, thread);
  const end = outgoing.map((item) => item.clientId + item.failed).join();
  const [top, last] = [thread.messages[0]?.seq, lastSeq(thread)];
  const { view, content, atEnd, toEnd } = useThreadScroll(`${top} ${last} ${thread.notes.length} ${end}`, () => {
    if (older.state === 'more') older.load();
  });
  const onScreen = usePageFocus() && atEnd;
  useReportReceipts(chat._id, thread, onScreen);
  const freshAfter = useNewAfter(thread, onScreen, outgoing.length);
  const unseen = useUnseen(thread, atEnd);
  const name = visitorName(chat.visitorInfo.name);
  const writers = useTypingText(chat._id, name);
  const { messages, receipts } = thread;
  const notes = useMemo(() => visibleNotes(thread), [thread]);
  const entries = useMemo(
    () => timelineOf({ messages, notes, outgoing }, user, freshAfter),
    [messages, notes, outgoing, user, freshAfter],
  );

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={view}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={`Conversation with ${name}`}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 pt-2 [overflow-anchor:none] focus-visible:-outline-offset-2 sm:px-6"
      >
        <div className="mt-auto">
          <Top state={older.state} empty={entries.length === 0} onRetry={older.load} />
        </div>
        <div ref={content}>
          <Messages entries={entries} visitorName={name} receipts={receipts} onRetry={retry} onRemove={remove} />
        </div>
      </section>
      {/* Its place is kept free, so that nothing moves when somebody writes. */}
      <p className="h-6 shrink-0 truncate px-4 text-xs leading-6 text-muted sm:px-6">
        {writers && <span className="animate-fade">{writers}</span>}
      </p>
      <Announcer thread={thread} visitorName={name} user={user} />
      {!atEnd && (
        <Button
          variant="secondary"
          size="sm"
          onClick={toEnd}
          className="absolute! bottom-7 left-1/2 -translate-x-1/2 animate-fade rounded-full! shadow-float"
        >
          <ArrowDown size={16} aria-hidden />
          {unseen === 0 ? 'Jump to latest' : `${unseen} new ${unseen === 1 ? 'message' : 'messages'}`}
        </Button>
      )}
    </div>
  );
}

interface Older {
  state: 'failed' | 'loading' | 'more' | 'start';
  load: () => void;
}

/** The messages before those held, when they are asked for, and the notes that stand between those held. */
function useOlderMessages(chatId: string, thread: Held): Older {
  const messages = useLoadOlder(chatId);
  const notes = useLoadOlderNotes(chatId);
  const first = thread.messages[0]?.seq;
  const note = olderNotesCursor(thread);
  const { mutate: loadNotes, isIdle, isSuccess } = notes;
  const mayLoadNotes = isIdle || isSuccess;
  useEffect(() => {
    if (note !== null && mayLoadNotes) loadNotes(note);
  }, [note, mayLoadNotes, loadNotes]);

  const load = () => {
    if (notes.isError && note !== null) loadNotes(note);
    if (thread.older && first !== undefined) messages.mutate(first);
  };
  if (messages.isError || notes.isError) return { state: 'failed', load };
  if (messages.isPending || notes.isPending) return { state: 'loading', load };
  return { state: thread.older ? 'more' : 'start', load };
}

function Top({ state, empty, onRetry }: { state: Older['state']; empty: boolean; onRetry: () => void }) {
  switch (state) {
    case 'failed':
      return (
        <p role="alert" className="flex items-center justify-center gap-2 py-3 text-xs text-danger">
          Older messages could not be loaded.
          <Button variant="secondary" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
            Try again
          </Button>
        </p>
      );
    case 'loading':
    case 'more':
      return (
        <p className="flex justify-center py-3 text-muted">
          <Spinner size={16} label="Loading older messages" />
        </p>
      );
    case 'start':
      return empty && <p className="py-10 text-center text-muted">No messages yet.</p>;
  }
}

/** How many visitor messages have come since one scrolled away from the end. */
function useUnseen(thread: Held, atEnd: boolean): number {
  const [left, setLeft] = useState<number | null>(null);
  if (atEnd && left !== null) setLeft(null);
  if (!atEnd && left === null) setLeft(lastSeq(thread));
  return left === null ? 0 : thread.messages.filter(({ seq, sender }) => seq > left && sender === 'visitor').length;
}

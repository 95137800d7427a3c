import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Chat, User } from 'server/contract';
import { plural, t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { authorOf, systemText } from '../../../shared/messageWords.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Button } from '../../../ui/Button.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useTypedText, useTypingText } from '../live/activity.ts';
import { useNewAfter, usePageFocus, useReportReceipts } from '../live/receipts.ts';
import { lastSeq, olderNotesCursor, shownThread, type Thread, visibleNotes } from '../live/thread.ts';
import { useLoadOlderNotes } from '../live/threadQuery.ts';
import { useLoadMessages, useThreadWindow } from '../live/threadWindow.ts';
import { timelineOf } from '../model/timeline.ts';
import type { Sending } from '../outbox/outbox.ts';
import { MessageList } from './MessageList.tsx';
import { useThreadScroll } from './useThreadScroll.ts';

/** How many of the last messages stay in the live region, for screen readers that are slow to read it. */
const ANNOUNCED_MAX = 5;

export interface ThreadViewProps {
  chat: Chat;
  thread: Thread;
  user: User;
  sending: Sending;
  /** The seq of the message to show and mark; null: the newest. */
  at: number | null;
  onShow: (at: number | null) => void;
}

/** The messages of an open chat: scrolls, loads older ones, and reports what was read. */
export function ThreadView({ chat, thread: given, user, sending, at, onShow }: ThreadViewProps) {
  const client = useQueryClient();
  // The outbox drops a message the moment the cache has it, but React Query renders a little later: read it from the cache,
  // else the message would be missing for one frame.
  const thread = client.getQueryData<Thread>(keys.thread(chat._id)) ?? given;
  const { outgoing: unsent, retry, remove } = sending;
  const window = useThreadWindow(chat._id, thread, at);
  /** The id of the note to show below that message. */
  const note = new URLSearchParams(useLocation().search).get('note');
  const newer = useLoadMessages(chat._id, 'newer', true);
  const shown = useMemo(() => shownThread(thread), [thread]);
  const older = useOlderMessages(chat._id, thread);
  // What is unsent comes after the newest message.
  const outgoing = thread.window ? NOTHING : unsent;
  const end = outgoing.map((item) => item.clientId + item.failed).join();
  const [top, last] = [shown.messages[0]?.seq, lastSeq(shown)];
  const { view, content, atEnd, toEnd } = useThreadScroll({
    // Where a page of newer messages did not fill the view, the next one follows it.
    entries: `${top} ${last} ${thread.notes.length} ${end} ${newer.isPending}`,
    target: at,
    request: useShowRequest(note),
    isNewest: thread.window === null && !window.isMissing,
    onNearStart: () => {
      // Not while the message to show is on its way, which may be far above.
      const isFinding = window.isMissing && !window.isError;
      if (older.state === 'more' && !isFinding) older.load();
    },
    onNearEnd: () => {
      if (thread.window && !newer.isError) newer.load();
    },
  });
  const showNewest = () => {
    onShow(null);
    toEnd();
  };
  useOnSend(unsent.length, () => {
    if (at !== null) showNewest();
  });
  const onScreen = usePageFocus() && atEnd;
  useReportReceipts(chat._id, thread, onScreen);
  const newAfter = useNewAfter(thread, onScreen, unsent.length);
  const unseen = useUnseen(thread, atEnd);
  const name = visitorName(chat.visitorInfo.name);
  const typing = useTypingText(chat._id, name);
  const typed = useTypedText(chat._id);
  const { messages, receipts } = shown;
  const notes = useMemo(() => visibleNotes(shown), [shown]);
  const markedNote = notes.some(({ _id }) => _id === note) ? note : null;
  const entries = useMemo(
    () => timelineOf({ messages, notes, outgoing }, user, newAfter),
    [messages, notes, outgoing, user, newAfter],
  );

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={view}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={t('Conversation with {name}', { name })}
        className="relative flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-4 pt-2 [overflow-anchor:none] focus-visible:-outline-offset-2 sm:px-6"
      >
        <div className="mt-auto">
          <ThreadTop state={older.state} empty={entries.length === 0} onRetry={older.load} />
        </div>
        <div ref={content}>
          <MessageList
            entries={entries}
            visitorName={name}
            receipts={receipts}
            marked={markedNote ? null : at}
            markedNote={markedNote}
            chatId={chat._id}
            assistant={chat.assistant}
            onRetry={retry}
            onRemove={remove}
          />
        </div>
        {thread.window && <ThreadBottom isError={newer.isError} onRetry={newer.load} />}
      </section>
      {/* Hidden from screen readers, which would read it again with each change. */}
      {typed && (
        <p
          aria-hidden
          dir="auto"
          className="mx-4 mt-2 max-h-24 w-fit max-w-[68ch] shrink-0 overflow-y-auto rounded-bubble border border-dashed px-3 py-2 whitespace-pre-wrap text-muted italic wrap-anywhere sm:mx-6"
        >
          {typed}
        </p>
      )}
      {/* Always there, so that nothing moves when somebody begins to type. */}
      <p className="h-6 shrink-0 truncate px-4 text-xs leading-6 text-muted sm:px-6">
        {typing && <span className="animate-fade">{typing}</span>}
      </p>
      {window.isMissing && <Finding isError={window.isError} onRetry={window.retry} />}
      <Announcer thread={thread} visitorName={name} user={user} />
      {!atEnd && (
        <Button
          variant="secondary"
          size="sm"
          onClick={showNewest}
          className="absolute! bottom-7 left-1/2 -translate-x-1/2 animate-fade rounded-full! shadow-float"
        >
          <ArrowDown size={16} aria-hidden />
          {unseen === 0 ? t('Jump to latest') : plural(unseen ?? 0, '{count} new message', '{count} new messages')}
        </Button>
      )}
    </div>
  );
}

/** Changes with each navigation to a message or note, also to the message that the address names already. */
function useShowRequest(note: string | null): number | string | undefined {
  const state: unknown = useLocation().state;
  const isAgain = typeof state === 'object' && state !== null && 'shownAt' in state;
  return isAgain ? Number(state.shownAt) : (note ?? undefined);
}

const NOTHING: Sending['outgoing'] = [];

/** Calls `onSend` when there is more to send than before. */
function useOnSend(unsent: number, onSend: () => void): void {
  const before = useRef(unsent);
  const send = useEffectEvent(onSend);
  useEffect(() => {
    if (unsent > before.current) send();
    before.current = unsent;
  }, [unsent]);
}

/** Shown above the newest messages until the one that was asked for is loaded. */
function Finding({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  return (
    <div className="absolute inset-x-0 top-3 flex justify-center">
      <p
        role={isError ? 'alert' : 'status'}
        className="flex items-center gap-2 rounded-full border bg-raised px-4 py-1.5 text-xs shadow-float"
      >
        {isError ? t('The message could not be loaded.') : <Spinner size={16} label={t('Loading the message')} />}
        {isError && (
          <Button variant="secondary" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
      </p>
    </div>
  );
}

function ThreadBottom({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  if (isError) return <LoadFailed what={t('Newer messages could not be loaded.')} onRetry={onRetry} />;
  return (
    <p className="flex justify-center py-3 text-muted">
      <Spinner size={16} label={t('Loading newer messages')} />
    </p>
  );
}

function LoadFailed({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center justify-center gap-2 py-3 text-xs text-danger">
      {what}
      <Button variant="secondary" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </p>
  );
}

interface Older {
  state: 'failed' | 'loading' | 'more' | 'start';
  load: () => void;
}

/** Loads older messages when `load` is called, and at once the notes that are missing between the messages held. */
function useOlderMessages(chatId: string, thread: Thread): Older {
  const newest = useLoadMessages(chatId, 'older', false);
  const ofWindow = useLoadMessages(chatId, 'older', true);
  const messages = thread.window ? ofWindow : newest;
  const notes = useLoadOlderNotes(chatId);
  const notesCursor = olderNotesCursor({ ...thread, ...thread.window });
  const { mutate: loadNotes, isIdle, isSuccess } = notes;
  const mayLoadNotes = isIdle || isSuccess;
  useEffect(() => {
    if (notesCursor !== null && mayLoadNotes) loadNotes(notesCursor);
  }, [notesCursor, mayLoadNotes, loadNotes]);

  const load = () => {
    if (notes.isError && notesCursor !== null) loadNotes(notesCursor);
    messages.load();
  };
  if (messages.isError || notes.isError) return { state: 'failed', load };
  if (messages.isPending || notes.isPending) return { state: 'loading', load };
  return { state: (thread.window ?? thread).older ? 'more' : 'start', load };
}

function ThreadTop({ state, empty, onRetry }: { state: Older['state']; empty: boolean; onRetry: () => void }) {
  switch (state) {
    case 'failed':
      return <LoadFailed what={t('Older messages could not be loaded.')} onRetry={onRetry} />;
    case 'loading':
    case 'more':
      return (
        <p className="flex justify-center py-3 text-muted">
          <Spinner size={16} label={t('Loading older messages')} />
        </p>
      );
    case 'start':
      return empty && <p className="py-10 text-center text-muted">{t('No messages yet.')}</p>;
  }
}

/** How many messages of the visitor have arrived since the user scrolled away from the end. */
function useUnseen(thread: Thread, atEnd: boolean): number {
  const [leftAt, setLeftAt] = useState<number | null>(null);
  if (atEnd && leftAt !== null) setLeftAt(null);
  if (!atEnd && leftAt === null) setLeftAt(lastSeq(thread));
  return leftAt === null ? 0 : thread.messages.filter(({ seq, sender }) => seq > leftAt && sender === 'visitor').length;
}

/** A live region: screen readers announce what others write from now on, but not older messages that are loaded later. */
function Announcer({ thread, visitorName, user }: { thread: Thread; visitorName: string; user: User }) {
  const [fromSeq] = useState(() => lastSeq(thread));
  const [fromNote] = useState(() => thread.notes.at(-1)?.createdAt ?? '');
  const messages = thread.messages
    .slice(-ANNOUNCED_MAX)
    .filter(({ seq, senderId }) => seq > fromSeq && senderId !== user._id);
  const notes = thread.notes.slice(-1).filter((each) => each.createdAt > fromNote && each.author._id !== user._id);
  return (
    <div role="log" aria-live="polite" aria-label={t('New messages')} className="sr-only">
      {messages.map((message) => {
        const { seq, sender, file, content } = message;
        const text = file ? t('File {name}', { name: content }) : content;
        return (
          <p key={seq}>
            {sender === 'system'
              ? systemText(message)
              : t('{name}: {text}', { name: authorOf(message, visitorName), text })}
          </p>
        );
      })}
      {notes.map(({ _id, author, content }) => (
        <p key={_id}>{t('Note by {name}: {content}', { name: author.name, content })}</p>
      ))}
    </div>
  );
}

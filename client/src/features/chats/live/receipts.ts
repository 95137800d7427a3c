import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useSocket, useSocketEvents } from '../../../lib/socket.tsx';
import { lastSeq, type Thread } from './thread.ts';

/** Whether the page is visible and has the focus. */
export function usePageFocus(): boolean {
  return useSyncExternalStore(subscribe, hasFocus);
}

function hasFocus(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  window.addEventListener('blur', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('focus', listener);
    window.removeEventListener('blur', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** The last report of what was read, by chat, while its answer is awaited. */
const reports = new Map<string, Promise<unknown>>();

/** Resolves when the server has answered what was reported as read: a report that comes later makes an unread chat read again. */
export async function readReported(chatId: string): Promise<void> {
  await reports.get(chatId);
}

/** Read receipts: reports to the server up to which message the thread was received here, and up to which it was read. */
export function useReportReceipts(chatId: string, thread: Thread, onScreen: boolean): void {
  const { connected, request } = useSocket();
  const seq = lastSeq(thread);
  const report = useCallback(
    (event: 'received' | 'read') => {
      if (!connected || seq === 0) return;
      // If it is lost, the report of the next message or connection includes it.
      const answered = request(event, { chatId, seq }).catch(() => undefined);
      if (event !== 'read') return;
      reports.set(chatId, answered);
      answered.then(() => reports.get(chatId) === answered && reports.delete(chatId));
    },
    [connected, request, chatId, seq],
  );
  useEffect(() => report('received'), [report]);
  useEffect(() => {
    if (onScreen) report('read');
  }, [report, onScreen]);
  useSocketEvents({
    // It is unread again.
    chat_woken: ({ chat }) => {
      if (onScreen && chat._id === chatId) report('read');
    },
  });
}

/**
 * The seq after which messages are new to the user, for the 'New messages' line. First it is what the team had read when
 * the thread was opened, later the last message before the user looked away. Sending a message moves it to the end.
 * @param unsent how many messages of the user's own are not confirmed yet
 */
export function useNewAfter(thread: Thread, onScreen: boolean, unsent: number): number | null {
  const [newAfter, setNewAfter] = useState<number | null>(null);
  const seq = lastSeq(thread);
  const known = thread.receipts !== null;
  const [before, setBefore] = useState({ known: false, onScreen, unsent, seq });
  if (before.known !== known || before.onScreen !== onScreen || before.unsent !== unsent || before.seq !== seq) {
    setBefore({ known, onScreen, unsent, seq });
    if (!before.known && thread.receipts) setNewAfter(Math.max(thread.receipts.staff.read, lastAnswer(thread)));
    else if (unsent > before.unsent || (before.onScreen && !onScreen)) setNewAfter(seq);
    // A message that arrives while the user looks is not new, unless the line already stands above others.
    else if (onScreen && newAfter !== null && newAfter >= before.seq) setNewAfter(seq);
  }
  return newAfter;
}

/** What stands above an answer was read, also where the receipt was lost. */
function lastAnswer({ messages }: Thread): number {
  return messages.findLast(({ sender }) => sender === 'agent')?.seq ?? 0;
}

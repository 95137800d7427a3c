import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useSocket } from '../../../lib/socket.tsx';
import type { Thread } from '../model/thread.ts';
import { lastSeq } from '../model/thread.ts';

/** Whether the page is on the screen and in use. */
export function useWatched(): boolean {
  return useSyncExternalStore(subscribe, isWatched);
}

function isWatched(): boolean {
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

/** Tells the server how far this thread is stored here, and how far it was on screen in a focused page. */
export function useReceipts(chatId: string, thread: Thread, onScreen: boolean): void {
  const { connected, request } = useSocket();
  const seq = lastSeq(thread);
  const tell = useCallback(
    (event: 'received' | 'read') => {
      // Lost, it is told again with the next message or connection.
      if (connected && seq > 0) request(event, { chatId, seq }).catch(() => undefined);
    },
    [connected, request, chatId, seq],
  );
  useEffect(() => tell('received'), [tell]);
  useEffect(() => {
    if (onScreen) tell('read');
  }, [tell, onScreen]);
}

/**
 * The seq after which messages are new to whoever looks: what the team had read when the thread was opened, then what
 * had come when the eyes went elsewhere. Whoever writes has seen what stands above.
 * @param writing how many own messages are on their way
 */
export function useFreshAfter(thread: Thread, onScreen: boolean, writing: number): number | null {
  const [after, setAfter] = useState<number | null>(null);
  const seq = lastSeq(thread);
  const [was, setWas] = useState({ known: false, onScreen, writing, seq });
  const known = thread.receipts !== null;
  if (was.known !== known || was.onScreen !== onScreen || was.writing !== writing || was.seq !== seq) {
    setWas({ known, onScreen, writing, seq });
    if (!was.known && thread.receipts) setAfter(Math.max(thread.receipts.staff.read, lastAnswer(thread)));
    else if (writing > was.writing || (was.onScreen && !onScreen)) setAfter(seq);
    // What comes while somebody looks is not new to them, unless there was something new already.
    else if (onScreen && after !== null && after >= was.seq) setAfter(seq);
  }
  return after;
}

/** Whoever answered has read what stood above, also where a receipt was lost. */
function lastAnswer({ messages }: Thread): number {
  return messages.findLast(({ sender }) => sender === 'agent')?.seq ?? 0;
}

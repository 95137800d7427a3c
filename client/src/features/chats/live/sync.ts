import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { SYNC_OVERLAP_MS } from 'server/contract';
import { keys } from '../../../lib/query.ts';
import { useSocket } from '../../../lib/socket.tsx';
import { invalidateChats, putChat, removeChats } from './cache.ts';
import { lastSeq, mergeChanges, mergeMessages, mergeReceipts, openThreads, patchThread } from './thread.ts';

/** How often a connected page asks whether it has missed anything. */
const SYNC_EVERY_MS = 30_000;

/**
 * The first answer, which has no cursor, covers the last `SYNC_OVERLAP_MS`. A list requested within half of that needs
 * no refetch; the other half is for writes that were late to be seen.
 */
const COVERED_MS = SYNC_OVERLAP_MS / 2;

type Request = ReturnType<typeof useSocket>['request'];

/**
 * Asks the server for what was missed: with every connection, when the page becomes visible or comes online, and at an
 * interval.
 * @returns a function that asks now
 */
export function useSync(client: QueryClient): () => void {
  const { connected, request } = useSocket();
  const latest = useRef(request);
  useEffect(() => {
    latest.current = request;
  }, [request]);
  // Made once: the cursor has to outlive the connection.
  const run = useMemo(() => createSync(client, (event, body) => latest.current(event, body)), [client]);
  const sync = useCallback(() => {
    if (connected) void run();
  }, [connected, run]);

  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') sync();
    };
    sync();
    const timer = setInterval(sync, SYNC_EVERY_MS);
    window.addEventListener('online', sync);
    window.addEventListener('pageshow', sync);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', sync);
      window.removeEventListener('pageshow', sync);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [sync]);
  return sync;
}

/** One `sync` at a time: a call while one is running has it run once more afterwards. The cursor is the server's. */
function createSync(client: QueryClient, request: Request): () => Promise<void> {
  let cursor: string | undefined;
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        cursor = await syncOnce(client, request, cursor);
      }
    } catch {
      // The next connection or interval asks again.
    } finally {
      running = false;
    }
  };
}

async function syncOnce(client: QueryClient, request: Request, cursor: string | undefined): Promise<string> {
  const answer = await request('sync', {
    ...(cursor !== undefined && { cursor }),
    chats: openThreads(client).map(({ chatId, thread }) => ({
      chatId,
      afterSeq: lastSeq(thread),
      afterEdit: thread.lastEdit,
    })),
  });
  if (answer.reset) invalidateChats(client);
  else if (cursor === undefined)
    invalidateChats(client, answer.removed.length > 0 ? undefined : performance.now() - COVERED_MS);
  if (cursor === undefined && answer.changed.length > 0) void client.invalidateQueries({ queryKey: keys.overview });
  if (answer.removed.length > 0) removeChats(client, ({ _id }) => answer.removed.includes(_id));
  for (const chat of answer.changed) putChat(client, chat);
  for (const { chatId, messages, more, receipts, ...changes } of answer.chats) {
    patchThread(client, chatId, (thread) =>
      mergeReceipts(mergeChanges(mergeMessages(thread, messages), changes), receipts),
    );
    if (more) void client.invalidateQueries({ queryKey: keys.thread(chatId) });
  }
  return answer.cursor;
}

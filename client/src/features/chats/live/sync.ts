import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { SYNC_OVERLAP_MS } from 'server/contract';
import { keys } from '../../../lib/query.ts';
import { useSocket } from '../../../lib/socket.tsx';
import { lastSeq, mergeMessages, mergeReceipts } from '../model/thread.ts';
import { dropChats, keepChat, openThreads, patchThread, reloadChats } from './cache.ts';

/** How often a connected page asks whether it has missed anything. */
const HEAD_CHECK_EVERY_MS = 30_000;

/** What was asked for so short a time before the first answer lacks nothing that the answer does not tell, late writes included. */
const COVERED_MS = SYNC_OVERLAP_MS / 2;

type Request = ReturnType<typeof useSocket>['request'];

/** Asks for what was missed: on every connection, when the page is looked at or comes online again, and now and then. */
export function useSync(client: QueryClient): () => void {
  const { connected, request } = useSocket();
  const current = useRef(request);
  useEffect(() => {
    current.current = request;
  }, [request]);
  // Made once, since the cursor must outlive the connection.
  const run = useMemo(() => createSync(client, (event, ask) => current.current(event, ask)), [client]);
  const sync = useCallback(() => {
    if (connected) void run();
  }, [connected, run]);

  useEffect(() => {
    const whenSeen = () => document.visibilityState === 'visible' && sync();
    sync();
    const timer = setInterval(sync, HEAD_CHECK_EVERY_MS);
    window.addEventListener('online', sync);
    window.addEventListener('pageshow', sync);
    document.addEventListener('visibilitychange', whenSeen);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', sync);
      window.removeEventListener('pageshow', sync);
      document.removeEventListener('visibilitychange', whenSeen);
    };
  }, [sync]);
  return sync;
}

/** One `sync` at a time; asked again meanwhile, it runs once more. The cursor is the server's. */
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
      // The next connection or head check asks again.
    } finally {
      running = false;
    }
  };
}

async function syncOnce(client: QueryClient, request: Request, cursor: string | undefined): Promise<string> {
  const answer = await request('sync', {
    ...(cursor !== undefined && { cursor }),
    chats: openThreads(client).map(({ chatId, thread }) => ({ chatId, afterSeq: lastSeq(thread) })),
  });
  if (answer.reset) reloadChats(client);
  // Without a cursor the server tells of the last moments only: enough for lists that were asked for within them.
  else if (cursor === undefined)
    reloadChats(client, answer.removed.length > 0 ? undefined : performance.now() - COVERED_MS);
  if (cursor === undefined && answer.changed.length > 0) void client.invalidateQueries({ queryKey: keys.overview });
  if (answer.removed.length > 0) dropChats(client, ({ _id }) => answer.removed.includes(_id));
  for (const chat of answer.changed) keepChat(client, chat);
  for (const { chatId, messages, more, receipts } of answer.chats) {
    patchThread(client, chatId, (thread) => mergeReceipts(mergeMessages(thread, messages), receipts));
    if (more) void client.invalidateQueries({ queryKey: keys.thread(chatId) });
  }
  return answer.cursor;
}

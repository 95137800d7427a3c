import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type MessagePage, PAGE_LIMIT_MAX, type Receipts, type VisitorPresence } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { SocketError, useSocket } from '../../lib/socket.tsx';
import { isOpen, patchThread } from './cache.ts';
import { lastSeq, mergeMessages, mergeOlder, mergeReceipts, startThread, type Thread } from './thread.ts';

/** A chat is left this much later, so that a quick return finds its room still joined. */
const LEAVE_AFTER_MS = 1_000;

type Opened = MessagePage & { visitor?: VisitorPresence; receipts?: Receipts };
type Request = ReturnType<typeof useSocket>['request'];

/** The thread of a chat, and a place in the chat's room for as long as it is on the screen. */
export function useThread(chatId: string) {
  const client = useQueryClient();
  const { connected, request } = useSocket();
  /** Whether this connection has been asked for the room: the server forgets it with the connection. */
  const asked = useRef(false);
  const query = useQuery({
    queryKey: keys.thread(chatId),
    queryFn: () => {
      asked.current = connected;
      return catchUp(client, request, chatId);
    },
    refetchOnMount: 'always',
  });
  const { refetch, isFetching } = query;

  useEffect(() => {
    if (!connected) asked.current = false;
    else if (!isFetching && !asked.current) void refetch();
  }, [connected, isFetching, refetch]);

  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isOpen(client, chatId)) request('leave_chat', { chatId }).catch(() => undefined);
      }, LEAVE_AFTER_MS);
    },
    [client, request, chatId],
  );
  return query;
}

/** Loads the page of messages before the first one held. */
export function useOlder(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (before: number) =>
      call('GET /chats/:id/messages', { params: { id: chatId }, query: { before } }),
    onSuccess: (page) => {
      patchThread(client, chatId, (thread) => mergeOlder(thread, page));
    },
  });
}

/** Reads what is missing after the messages held, or the newest page; joins the chat's room where there is a socket. */
async function catchUp(client: QueryClient, request: Request, chatId: string): Promise<Thread> {
  const held = client.getQueryData<Thread>(keys.thread(chatId));
  const after = held && lastSeq(held);
  const first = await open(request, chatId, after);
  const pages = after === undefined ? [first] : [first, ...(await readOn(chatId, first, after))];
  // Read anew: events may have come in meanwhile.
  const now = client.getQueryData<Thread>(keys.thread(chatId));
  const thread = now
    ? mergeMessages(
        now,
        pages.flatMap((page) => page.messages),
      )
    : startThread(first);
  return {
    ...(first.receipts ? mergeReceipts(thread, first.receipts) : thread),
    visitor: first.visitor ?? thread.visitor,
  };
}

/** The pages after `page`, up to the newest message. */
async function readOn(chatId: string, page: MessagePage, after: number): Promise<MessagePage[]> {
  const seq = page.messages.at(-1)?.seq ?? after;
  // A page that brings nothing new ends it, whatever it says of more.
  if (!page.more || seq <= after) return [];
  const next = await readAfter(chatId, seq);
  return [next, ...(await readOn(chatId, next, seq))];
}

async function open(request: Request, chatId: string, after: number | undefined): Promise<Opened> {
  try {
    return await request('open_chat', { chatId, ...(after !== undefined && { afterSeq: after }) });
  } catch (error) {
    if (!(error instanceof SocketError && error.retryable)) throw error;
    if (after !== undefined) return readAfter(chatId, after);
    return call('GET /chats/:id/messages', { params: { id: chatId } });
  }
}

function readAfter(chatId: string, after: number): Promise<MessagePage> {
  return call('GET /chats/:id/messages', { params: { id: chatId }, query: { after, limit: PAGE_LIMIT_MAX } });
}

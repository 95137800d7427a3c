import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  type MessagePage,
  NOTE_PAGE,
  type Note,
  PAGE_LIMIT_MAX,
  type Receipts,
  type VisitorPresence,
} from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';
import { SocketError, useSocket } from '../../../lib/socket.tsx';
import {
  isThreadOpen,
  lastSeq,
  mergeChanges,
  mergeMessages,
  mergeNotes,
  mergeOlderNotes,
  mergeReceipts,
  patchThread,
  startThread,
  type Thread,
  takeEarlyChanges,
} from './thread.ts';

/** The room is left with a delay, so that whoever returns at once is still in it. */
const LEAVE_AFTER_MS = 1_000;
/** How long to wait before trying again to join a room. */
const JOIN_AGAIN_MS = 5_000;

type Opened = MessagePage & { visitor?: VisitorPresence; receipts?: Receipts; notes?: Note[] };
type Request = ReturnType<typeof useSocket>['request'];

/**
 * The thread of a chat. For as long as it is on the screen the socket is in the chat's room, which brings its events; the
 * server forgets the room with the connection, so every connection joins it again.
 */
export function useThread(chatId: string) {
  const client = useQueryClient();
  const { connected, request } = useSocket();
  /** Whether this connection was asked to join the room. */
  const asked = useRef(false);
  /** Whether it has joined; while it has not, the thread comes over HTTP. */
  const joined = useRef(false);
  const query = useQuery({
    queryKey: keys.thread(chatId),
    queryFn: () => {
      asked.current = connected;
      joined.current = false;
      return loadThread(client, request, chatId, () => {
        joined.current = true;
      });
    },
    refetchOnMount: 'always',
  });
  const { refetch, isFetching } = query;

  useEffect(() => {
    if (!connected) asked.current = false;
    if (!connected || isFetching || (asked.current && joined.current)) return;
    if (!asked.current) {
      void refetch();
      return;
    }
    const again = setTimeout(() => void refetch(), JOIN_AGAIN_MS);
    return () => clearTimeout(again);
  }, [connected, isFetching, refetch]);

  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isThreadOpen(client, chatId)) request('leave_chat', { chatId }).catch(() => undefined);
      }, LEAVE_AFTER_MS);
    },
    [client, request, chatId],
  );
  return query;
}

/** Loads the page of notes before the one with this id. */
export function useLoadOlderNotes(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (before: string) =>
      call('GET /chats/:id/notes', { params: { id: chatId }, query: { before, limit: PAGE_LIMIT_MAX } }),
    onSuccess: (page) => {
      patchThread(client, chatId, (thread) => mergeOlderNotes(thread, page));
    },
  });
}

/** Reads the newest page, or what follows the messages held, and joins the chat's room where there is a socket. */
async function loadThread(client: QueryClient, request: Request, chatId: string, onJoin: () => void): Promise<Thread> {
  const before = client.getQueryData<Thread>(keys.thread(chatId));
  const after = before && lastSeq(before);
  const first = await openChat(request, chatId, before && { after: lastSeq(before), afterEdit: before.lastEdit });
  if (first.receipts) onJoin();
  const pages = after === undefined ? [first] : [first, ...(await readFollowing(chatId, first, after))];
  const incoming = pages.flatMap((page) => page.messages);
  // Read from the cache again: events may have changed it while the pages were loading.
  const held = client.getQueryData<Thread>(keys.thread(chatId));
  const thread = held
    ? mergeChanges(mergeMessages(held, incoming), first)
    : takeEarlyChanges(client, chatId).reduce((started, change) => change(started), startThread(first));
  const { notes = [], receipts, visitor = thread.visitor } = first;
  const withNotes = mergeNotes(thread, notes, { more: notes.length >= NOTE_PAGE });
  return { ...(receipts ? mergeReceipts(withNotes, receipts) : withNotes), visitor };
}

/** The pages after `page`, up to the newest message. */
async function readFollowing(chatId: string, page: MessagePage, after: number): Promise<MessagePage[]> {
  const seq = page.messages.at(-1)?.seq ?? after;
  // A page without new messages ends it whatever its `more` says, so that it cannot go on for ever.
  if (!page.more || seq <= after) return [];
  const next = await readAfter(chatId, { after: seq });
  return [next, ...(await readFollowing(chatId, next, seq))];
}

/** What is held of a thread. */
interface Held {
  after: number;
  afterEdit?: number;
}

async function openChat(request: Request, chatId: string, held: Held | undefined): Promise<Opened> {
  try {
    return await request('open_chat', {
      chatId,
      ...(held && { afterSeq: held.after, afterEdit: held.afterEdit ?? 0 }),
    });
  } catch (error) {
    if (!(error instanceof SocketError && error.retryable)) throw error;
    const [page, { notes }] = await Promise.all([
      held ? readAfter(chatId, held) : call('GET /chats/:id/messages', { params: { id: chatId } }),
      call('GET /chats/:id/notes', { params: { id: chatId }, query: {} }),
    ]);
    return { ...page, notes };
  }
}

function readAfter(chatId: string, held: Held): Promise<MessagePage> {
  return call('GET /chats/:id/messages', { params: { id: chatId }, query: { ...held, limit: PAGE_LIMIT_MAX } });
}

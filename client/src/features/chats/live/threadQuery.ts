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
import { mergeNotes, mergeOlderNotes } from '../model/notes.ts';
import { lastSeq, mergeMessages, mergeOlder, mergeReceipts, startThread, type Thread } from '../model/thread.ts';
import { isOpen, patchThread, takeEarly } from './cache.ts';

/** A chat is left this much later, so that a quick return finds its room still joined. */
const LEAVE_AFTER_MS = 1_000;
/** A room that could not be joined is asked for again so much later. */
const JOIN_AGAIN_MS = 5_000;

type Opened = MessagePage & { visitor?: VisitorPresence; receipts?: Receipts; notes?: Note[] };
type Request = ReturnType<typeof useSocket>['request'];

/** The thread of a chat, and a place in the chat's room for as long as it is on the screen. */
export function useThread(chatId: string) {
  const client = useQueryClient();
  const { connected, request } = useSocket();
  /** Whether this connection has been asked for the room: the server forgets it with the connection. */
  const asked = useRef(false);
  /** Whether it has answered; where it was too slow, the thread came over HTTP. */
  const joined = useRef(false);
  const query = useQuery({
    queryKey: keys.thread(chatId),
    queryFn: () => {
      asked.current = connected;
      joined.current = false;
      return catchUp(client, request, chatId, () => {
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

/** Loads the page of notes before the one with this id. */
export function useOlderNotes(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (before: string) =>
      call('GET /chats/:id/notes', { params: { id: chatId }, query: { before, limit: PAGE_LIMIT_MAX } }),
    onSuccess: (page) => {
      patchThread(client, chatId, (thread) => mergeOlderNotes(thread, page));
    },
  });
}

/** Reads what is missing after the messages held, or the newest page; joins the chat's room where there is a socket. */
async function catchUp(client: QueryClient, request: Request, chatId: string, onJoin: () => void): Promise<Thread> {
  const held = client.getQueryData<Thread>(keys.thread(chatId));
  const after = held && lastSeq(held);
  const first = await open(request, chatId, after);
  if (first.receipts) onJoin();
  const pages = after === undefined ? [first] : [first, ...(await readOn(chatId, first, after))];
  // Read anew: events may have come in meanwhile.
  const now = client.getQueryData<Thread>(keys.thread(chatId));
  const thread = now
    ? mergeMessages(
        now,
        pages.flatMap((page) => page.messages),
      )
    : takeEarly(client, chatId).reduce((thread, change) => change(thread), startThread(first));
  const { notes = [], receipts, visitor = thread.visitor } = first;
  const noted = mergeNotes(thread, notes, { more: notes.length >= NOTE_PAGE });
  return { ...(receipts ? mergeReceipts(noted, receipts) : noted), visitor };
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
    const [page, { notes }] = await Promise.all([
      after === undefined ? call('GET /chats/:id/messages', { params: { id: chatId } }) : readAfter(chatId, after),
      call('GET /chats/:id/notes', { params: { id: chatId }, query: {} }),
    ]);
    return { ...page, notes };
  }
}

function readAfter(chatId: string, after: number): Promise<MessagePage> {
  return call('GET /chats/:id/messages', { params: { id: chatId }, query: { after, limit: PAGE_LIMIT_MAX } });
}

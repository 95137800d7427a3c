import type { Query, QueryClient } from '@tanstack/react-query';
import type { Chat } from 'server/contract';
import { keys, wasAskedBefore } from '../../../lib/query.ts';
import { type ChatFilter, type ChatPage, type ChatPages, dropRows, placeChat } from '../model/chatPages.ts';
import type { Thread } from '../model/thread.ts';

/** The prefix of all threads in the cache. */
const THREADS = keys.thread('').slice(0, 1);
/** The prefix of all single chats in the cache. */
const CHATS = keys.chat('').slice(0, 1);

/** Puts a chat as it is now into every list and screen that shows it, or should; a stale one changes nothing. */
export function keepChat(client: QueryClient, chat: Chat): void {
  const held = client.getQueryData<Chat>(keys.chat(chat._id));
  if (held && held.rev > chat.rev) return;
  client.setQueryData<Chat>(keys.chat(chat._id), chat);
  for (const [key, pages] of client.getQueriesData<ChatPages>({ queryKey: keys.chats() })) {
    if (pages) client.setQueryData(key, placeChat(pages, filterOf(key), chat));
  }
}

/** Takes chats that are no more out of every list; a screen that shows one says that it is gone. */
export function dropChats(client: QueryClient, isGone: (chat: Chat) => boolean): void {
  client.setQueriesData<ChatPages>({ queryKey: keys.chats() }, (pages) => pages && dropRows(pages, isGone));
  const isKnown = ({ state }: Query) => state.data !== undefined && isGone(state.data as Chat);
  void client.resetQueries({ queryKey: CHATS, predicate: isKnown });
}

/** A page of a list with what was told while it was on its way: a slow answer must not undo a quick event. */
export function withNews(client: QueryClient, filter: ChatFilter, page: ChatPage, since: number): ChatPage {
  const news = client
    .getQueryCache()
    .findAll({ queryKey: CHATS })
    .flatMap(({ state }) => (state.data && state.dataUpdatedAt >= since ? [state.data as Chat] : []));
  const alone: ChatPages = { pages: [page], pageParams: [undefined] };
  return news.reduce((pages, chat) => placeChat(pages, filter, chat), alone).pages[0] ?? page;
}

/** The filter that a list was asked for with, as its key says it. */
function filterOf([, filter]: readonly unknown[]): ChatFilter {
  return (filter as ChatFilter | undefined) ?? { status: 'all' };
}

/** The chat as any list or screen knows it. */
export function knownChat(client: QueryClient, chatId: string): Chat | undefined {
  const held = client.getQueryData<Chat>(keys.chat(chatId));
  const rows = knownChats(client).filter((row) => row._id === chatId);
  return [...(held ? [held] : []), ...rows].sort((a, b) => b.rev - a.rev)[0];
}

/** The rows of all lists that are loaded. */
export function knownChats(client: QueryClient): Chat[] {
  return client
    .getQueriesData<ChatPages>({ queryKey: keys.chats() })
    .flatMap(([, pages]) => pages?.pages ?? [])
    .flatMap((page) => page.chats);
}

type Change = (thread: Thread) => Thread;

/** What was told of threads whose first page is still on its way, which may have been read before it happened. */
const early = new WeakMap<Query, Change[]>();

/** Changes a loaded thread, or one that is on its way; one that nobody has opened yet is read whole when it is. */
export function patchThread(client: QueryClient, chatId: string, change: Change): Thread | undefined {
  const query = client.getQueryCache().find({ queryKey: keys.thread(chatId) });
  if (query?.state.fetchStatus === 'fetching' && query.state.data === undefined) {
    early.set(query, [...(early.get(query) ?? []), change]);
  }
  return client.setQueryData<Thread>(keys.thread(chatId), (thread) => thread && change(thread));
}

/** What a thread that has just come has to be told yet, in order. */
export function takeEarly(client: QueryClient, chatId: string): Change[] {
  const query = client.getQueryCache().find({ queryKey: keys.thread(chatId) });
  const changes = (query && early.get(query)) ?? [];
  if (query) early.delete(query);
  return changes;
}

/** Changes every loaded thread. */
export function patchThreads(client: QueryClient, change: Change): void {
  client.setQueriesData<Thread>({ queryKey: THREADS }, (thread) => thread && change(thread));
}

/** The threads that are on a screen right now. */
export function openThreads(client: QueryClient): { chatId: string; thread: Thread }[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: THREADS, type: 'active' })
    .flatMap(({ queryKey, state }) =>
      state.data ? [{ chatId: String(queryKey[1]), thread: state.data as Thread }] : [],
    );
}

/** Whether somebody looks at the chat's thread. */
export function isOpen(client: QueryClient, chatId: string): boolean {
  return client.getQueryCache().findAll({ queryKey: keys.thread(chatId), type: 'active' }).length > 0;
}

/**
 * Reads the lists, the single chats and their figures again; threads catch up by themselves with every connection.
 * @param before only what was asked for before this moment of `performance.now()`
 */
export function reloadChats(client: QueryClient, before = Number.POSITIVE_INFINITY): void {
  const predicate = (query: Query) => wasAskedBefore(query, before);
  for (const queryKey of [keys.chats(), CHATS, keys.overview]) void client.invalidateQueries({ queryKey, predicate });
}

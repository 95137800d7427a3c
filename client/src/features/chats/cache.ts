import type { QueryClient } from '@tanstack/react-query';
import type { Chat } from 'server/contract';
import { keys } from '../../lib/query.ts';
import { type ChatFilter, type ChatPages, placeChat } from './rows.ts';
import type { Thread } from './thread.ts';

/** The prefix of all threads in the cache. */
const THREADS = keys.thread('').slice(0, 1);
/** The prefix of all single chats in the cache. */
const CHATS = keys.chat('').slice(0, 1);

/** Puts a chat as it is now into every list and screen that shows it, or should. */
export function keepChat(client: QueryClient, chat: Chat): void {
  for (const [key, pages] of client.getQueriesData<ChatPages>({ queryKey: keys.chats() })) {
    if (pages) client.setQueryData(key, placeChat(pages, filterOf(key), chat));
  }
  client.setQueryData<Chat>(keys.chat(chat._id), (held) => (held && held.rev > chat.rev ? held : chat));
}

/** The filter that a list was asked for with, as its key says it. */
function filterOf([, filter]: readonly unknown[]): ChatFilter {
  return (filter as ChatFilter | undefined) ?? { status: 'all' };
}

/** The chat as any list or screen knows it. */
export function knownChat(client: QueryClient, chatId: string): Chat | undefined {
  const rows = client
    .getQueriesData<ChatPages>({ queryKey: keys.chats() })
    .flatMap(([, pages]) => pages?.pages ?? [])
    .flatMap((page) => page.chats);
  const held = client.getQueryData<Chat>(keys.chat(chatId));
  return [...(held ? [held] : []), ...rows.filter((row) => row._id === chatId)].sort((a, b) => b.rev - a.rev)[0];
}

/** Changes a loaded thread; one that nobody has opened yet is read whole when it is. */
export function patchThread(
  client: QueryClient,
  chatId: string,
  change: (thread: Thread) => Thread,
): Thread | undefined {
  return client.setQueryData<Thread>(keys.thread(chatId), (thread) => thread && change(thread));
}

/** Changes every loaded thread. */
export function patchThreads(client: QueryClient, change: (thread: Thread) => Thread): void {
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

/** Reads again whatever was read before: lists, chats and threads. */
export function reloadChats(client: QueryClient): void {
  for (const queryKey of [keys.chats(), CHATS, THREADS]) void client.invalidateQueries({ queryKey });
}

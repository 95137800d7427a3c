import type { Query, QueryClient } from '@tanstack/react-query';
import type { Chat } from 'server/contract';
import { keys, wasRequestedBefore } from '../../../lib/query.ts';
import { forgetDraftsOf } from '../composer/draft.ts';
import { type ChatFilter, type ChatPage, type ChatPages, removeRows, upsertChat } from '../model/chatPages.ts';

/** The prefix of all single chats in the cache. */
const CHATS = keys.chat('').slice(0, 1);

declare module '@tanstack/react-query' {
  interface Register {
    /** A change of a chat that is on its way: the chat as it will be if the server agrees. */
    mutationMeta: { expected?: (chat: Chat) => Chat };
  }
}

/**
 * Puts a chat into every list it belongs to and takes it out of the others, with the user's own changes that are on their way:
 * what is heard between two of them must not turn a button under the pointer. A stale one, by its `rev`, changes nothing.
 * @param answered the change that this chat is the answer to, which is on its way no longer
 */
export function putChat(client: QueryClient, chat: Chat, answered?: (chat: Chat) => Chat): void {
  const held = client.getQueryData<Chat>(keys.chat(chat._id));
  if (held && held.rev > chat.rev) return;
  const shown = client
    .getMutationCache()
    .findAll({ mutationKey: keys.chatChanges(chat._id), status: 'pending' })
    .map(({ meta }) => meta?.expected)
    .reduce((now, expected) => (expected && expected !== answered ? expected(now) : now), chat);
  client.setQueryData<Chat>(keys.chat(chat._id), shown);
  for (const [key, list] of client.getQueriesData<ChatPages>({ queryKey: keys.chats() })) {
    if (list) client.setQueryData(key, upsertChat(list, filterOfKey(key), shown));
  }
}

/**
 * Takes deleted chats out of every list, and forgets their drafts; a screen that shows one asks the server again, and says
 * that it is gone.
 */
export function removeChats(client: QueryClient, isGone: (chat: Chat) => boolean): void {
  const held = client.getQueriesData<Chat>({ queryKey: CHATS }).flatMap(([, chat]) => chat ?? []);
  for (const { _id } of [...cachedChats(client), ...held].filter(isGone)) forgetDraftsOf(_id);
  client.setQueriesData<ChatPages>({ queryKey: keys.chats() }, (list) => list && removeRows(list, isGone));
  const isGoneQuery = ({ state }: Query) => state.data !== undefined && isGone(state.data as Chat);
  void client.resetQueries({ queryKey: CHATS, predicate: isGoneQuery });
}

/** A page of a list with the events of the time it was loading in: a slow answer must not undo a quick event. */
export function withEventsSince(client: QueryClient, filter: ChatFilter, page: ChatPage, since: number): ChatPage {
  const changed = client
    .getQueryCache()
    .findAll({ queryKey: CHATS })
    .flatMap(({ state }) => (state.data && state.dataUpdatedAt >= since ? [state.data as Chat] : []));
  const alone: ChatPages = { pages: [page], pageParams: [undefined] };
  return changed.reduce((list, chat) => upsertChat(list, filter, chat), alone).pages[0] ?? page;
}

/** The filter of a list, read from its query key. */
function filterOfKey([, filter]: readonly unknown[]): ChatFilter {
  return (filter as ChatFilter | undefined) ?? { status: 'all' };
}

/** The newest version of a chat in the cache, from a list or a screen. */
export function cachedChat(client: QueryClient, chatId: string): Chat | undefined {
  const held = client.getQueryData<Chat>(keys.chat(chatId));
  const rows = cachedChats(client).filter((row) => row._id === chatId);
  return [...(held ? [held] : []), ...rows].sort((a, b) => b.rev - a.rev)[0];
}

/** The rows of all lists in the cache. */
export function cachedChats(client: QueryClient): Chat[] {
  return client
    .getQueriesData<ChatPages>({ queryKey: keys.chats() })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap((page) => page.chats);
}

/**
 * Reads the lists, the single chats and the overview again. Threads are left out: they catch up (`sync`) with every connection.
 * @param before only what was last requested before this moment of `performance.now()`
 */
export function invalidateChats(client: QueryClient, before = Number.POSITIVE_INFINITY): void {
  const predicate = (query: Query) => wasRequestedBefore(query, before);
  for (const queryKey of [keys.chats(), CHATS, keys.counts(), keys.overview])
    void client.invalidateQueries({ queryKey, predicate });
}

import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type Chat, type ChatListQuery, type CountsQuery, type InboxCounts, PAGE_LIMIT_MAX } from 'server/contract';
import { call } from '../../lib/api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { keys, markRequested } from '../../lib/query.ts';
import { cachedChat, putChat, withEventsSince } from './live/cache.ts';
import { type ChatFilter, type ChatPage, type ChatPages, comparatorOf, flattenPages } from './model/chatPages.ts';

const UNREAD: ChatFilter = { status: 'all', unread: 'yes' };
const HANDED: ChatFilter = { status: 'active', handed: 'yes' };
const NONE: readonly Chat[] = [];

/**
 * A list of chats; `data` is the sorted rows of all loaded pages.
 * @param enabled whether it is loaded
 * @param order of the rows, where it is not that of the pages
 */
export function useChats(filter: ChatFilter, enabled = true, order = comparatorOf(filter)) {
  const client = useQueryClient();
  return useInfiniteQuery({
    queryKey: keys.chats(filter),
    queryFn: async ({ pageParam, signal }) => {
      const since = Date.now();
      if (pageParam === undefined) markRequested(client, keys.chats(filter));
      return withEventsSince(client, filter, await readPage(filter, pageParam, signal), since);
    },
    enabled,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: useCallback((pages: ChatPages) => flattenPages(pages, order), [order]),
    // A deep comparison of ten thousand rows would cost more than rendering the few that are visible.
    structuralSharing: false,
  });
}

/**
 * The chats with visitor messages that nobody who may answer has read, and those that were handed to the user. `count` is
 * how many there are on the server; `chats` the newest of them.
 */
export function useUnreadChats(): { chats: Chat[]; count: number } {
  const { user } = useAuth();
  const { data: unread = NONE, hasNextPage } = useChats(UNREAD);
  const claimedBy = user?._id ?? '';
  const mine = useMemo(() => ({ ...HANDED, claimedBy }), [claimedBy]);
  const { data: handed = NONE } = useChats(mine, claimedBy !== '');
  // A list that is loaded as a whole is counted as it is, and changes with every event at once.
  const counts = useCounts({}, hasNextPage);
  const chats = [
    ...unread.filter((chat) => chat.unread > 0),
    ...handed.filter((chat) => chat.unread === 0 && chat.handedBy !== null),
  ];
  return { chats, count: chats.length + (hasNextPage ? Math.max(0, (counts?.unread ?? 0) - unread.length) : 0) };
}

/** How many chats wait and are active with these filters, and how many are unread; undefined until it is known. */
export function useCounts(query: CountsQuery, enabled = true): InboxCounts | undefined {
  const { data } = useQuery({
    queryKey: keys.counts(query),
    queryFn: async ({ signal }) => (await call('GET /inbox/counts', { query, signal })).counts,
    enabled,
    // Events make it stale, and nobody hears of them before the background tasks are loaded.
    staleTime: 0,
  });
  return enabled ? data : undefined;
}

/** One chat; a row of a list is shown until the answer is there. @param chatId empty: none */
export function useChat(chatId: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.chat(chatId),
    queryFn: async ({ signal }) => {
      markRequested(client, keys.chat(chatId));
      const { chat } = await call('GET /chats/:id', { params: { id: chatId }, query: { limit: 1 }, signal });
      const held = client.getQueryData<Chat>(keys.chat(chatId));
      return held && held.rev > chat.rev ? held : chat;
    },
    enabled: chatId !== '',
    placeholderData: () => cachedChat(client, chatId),
  });
}

/** Shows what one call made of several chats. */
export function putChats(client: QueryClient, chats: readonly Chat[]): void {
  for (const chat of chats) putChat(client, chat);
}

async function readPage(
  { site, ...filter }: ChatFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ChatPage> {
  const query: ChatListQuery = {
    ...filter,
    // The bell shows this list, and needs no more of it.
    ...(filter.unread && { limit: PAGE_LIMIT_MAX }),
    ...(cursor !== undefined && { cursor }),
  };
  if (site === undefined) return call('GET /chats', { query, signal });
  return call('GET /chats/site/:siteId', { params: { siteId: site }, query, signal });
}

/** The tags that chats of a site have, or with null those of all the user's sites. */
export function useTags(site: string | null) {
  return useQuery({
    queryKey: keys.tags(site),
    queryFn: async ({ signal }) =>
      (await call('GET /inbox/tags', { query: site === null ? {} : { siteId: site }, signal })).tags,
    staleTime: 0,
  });
}

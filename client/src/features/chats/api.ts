import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Chat, type ChatListQuery, PAGE_LIMIT_MAX } from 'server/contract';
import { call } from '../../lib/api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { keys, markRequested } from '../../lib/query.ts';
import { cachedChat, withEventsSince } from './live/cache.ts';
import { type ChatFilter, type ChatPage, type ChatPages, comparatorOf, flattenPages } from './model/chatPages.ts';

/** For other features, which may import only this file and `live.ts`. */
export { useReopen } from './actions.ts';
export { cachedChat } from './live/cache.ts';

const ALL: ChatFilter = { status: 'all' };
const UNREAD: ChatFilter = { status: 'all', unread: true };
const NONE: readonly Chat[] = [];

/** A list of chats; `data` is the sorted rows of all loaded pages. */
export function useChats(filter: ChatFilter) {
  const client = useQueryClient();
  const order = comparatorOf(filter);
  return useInfiniteQuery({
    queryKey: keys.chats(filter),
    queryFn: async ({ pageParam, signal }) => {
      const since = Date.now();
      if (pageParam === undefined) markRequested(client, keys.chats(filter));
      return withEventsSince(client, filter, await readPage(filter, pageParam, signal), since);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: useCallback((pages: ChatPages) => flattenPages(pages, order), [order]),
    // A deep comparison of ten thousand rows would cost more than rendering the few that are visible.
    structuralSharing: false,
  });
}

/** The chats with visitor messages that nobody who may answer has read, and those that were handed to the user lately. */
export function useUnreadChats(): Chat[] {
  const { data: newest = NONE } = useChats(ALL);
  const { data: unread = NONE } = useChats(UNREAD);
  const { user } = useAuth();
  const isHanded = ({ status, handedBy, claimedBy }: Chat) =>
    handedBy && status === 'active' && claimedBy?._id === user?._id;
  const handed = newest.filter((chat) => chat.unread === 0 && isHanded(chat));
  return [...unread.filter((chat) => chat.unread > 0), ...handed];
}

/** One chat; a row of a list is shown until the answer is there. */
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
    placeholderData: () => cachedChat(client, chatId),
  });
}

async function readPage(
  { status, site, claimedBy, unread, sort, search }: ChatFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ChatPage> {
  const query: ChatListQuery = {
    status,
    ...(claimedBy !== undefined && { claimedBy: 'me' }),
    // This list is only counted: one large page does.
    ...(unread && { unread: 'yes', limit: PAGE_LIMIT_MAX }),
    ...(sort !== undefined && { sort }),
    ...(search !== undefined && { search }),
    ...(cursor !== undefined && { cursor }),
  };
  if (site === undefined) return call('GET /chats', { query, signal });
  return call('GET /chats/site/:siteId', { params: { siteId: site }, query, signal });
}

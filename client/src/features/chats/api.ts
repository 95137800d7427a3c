import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Chat } from 'server/contract';
import { call } from '../../lib/api.ts';
import { failureText, useAuth } from '../../lib/auth.tsx';
import { keys } from '../../lib/query.ts';
import { keepChat, knownChat, withNews } from './cache.ts';
import { type ChatFilter, type ChatPage, claimed, flatten } from './rows.ts';

/** For what other screens say of a chat. */
export { knownChat } from './cache.ts';

const ALL: ChatFilter = { status: 'all' };

/** A list of chats, newest activity first; `data` holds the rows of all loaded pages. */
export function useChats(filter: ChatFilter) {
  const client = useQueryClient();
  return useInfiniteQuery({
    queryKey: keys.chats(filter),
    queryFn: async ({ pageParam, signal }) => {
      const since = Date.now();
      return withNews(client, filter, await readPage(filter, pageParam, signal), since);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: flatten,
  });
}

/** The chats with visitor messages that nobody who may answer has read yet, as far as the newest page tells. */
export function useUnreadChats(): Chat[] {
  const { data } = useChats(ALL);
  return data?.filter((chat) => chat.unread > 0) ?? [];
}

/** One chat; what a list already knows of it shows at once. */
export function useChat(chatId: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.chat(chatId),
    queryFn: async ({ signal }) => {
      const { chat } = await call('GET /chats/:id', { params: { id: chatId }, query: { limit: 1 }, signal });
      const held = client.getQueryData<Chat>(keys.chat(chatId));
      return held && held.rev > chat.rev ? held : chat;
    },
    placeholderData: () => knownChat(client, chatId),
  });
}

/** Takes a chat: shown at once, taken back with the winner's name if somebody was quicker. */
export function useClaim() {
  const client = useQueryClient();
  const { user } = useAuth();
  return useMutation({
    mutationFn: async (chat: Chat) => (await call('POST /chats/:id/claim', { params: { id: chat._id } })).chat,
    onMutate: (chat) => {
      if (user) keepChat(client, claimed(chat, user));
    },
    onSuccess: (chat) => keepChat(client, chat),
    onError: (error, chat) => {
      keepChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.chat(chat._id) });
      void client.invalidateQueries({ queryKey: keys.chats() });
      toast.error(failureText(error, 'The chat could not be claimed.'));
    },
  });
}

/** Ends a chat for good. */
export function useClose() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (chat: Chat) => (await call('POST /chats/:id/close', { params: { id: chat._id } })).chat,
    onSuccess: (chat) => keepChat(client, chat),
    onError: (error) => toast.error(failureText(error, 'The chat could not be closed.')),
  });
}

async function readPage(
  { status, site }: ChatFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ChatPage> {
  const query = { status, ...(cursor !== undefined && { cursor }) };
  if (site === undefined) return call('GET /chats', { query, signal });
  return call('GET /chats/site/:siteId', { params: { siteId: site }, query, signal });
}

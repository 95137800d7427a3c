import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Chat } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { cachedChats, putChat, removeChats } from '../live/cache.ts';

const EARLIER_PAGE = 10;

/** All chats of a visitor, the latest first; `data` holds the rows of all loaded pages. */
export function useChatsOf(visitorId: string) {
  return useInfiniteQuery({
    queryKey: keys.earlier(visitorId),
    queryFn: ({ pageParam, signal }) =>
      call('GET /visitors/:id/chats', {
        params: { id: visitorId },
        query: { limit: EARLIER_PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ chats }) => chats),
  });
}

/** The tags on all chats that are known here, the commonest first. */
export function useKnownTags(): string[] {
  const client = useQueryClient();
  const counts = new Map<string, number>();
  for (const tag of cachedChats(client).flatMap(({ tags }) => tags)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([a, left], [b, right]) => right - left || a.localeCompare(b)).map(([tag]) => tag);
}

/** Blocks the visitor of a chat, or lets the visitor write again. */
export function useBlock() {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ visitorId, blocked }: Chat) =>
      call(blocked ? 'DELETE /visitors/:id/block' : 'POST /visitors/:id/block', { params: { id: visitorId } }),
    onMutate: (chat) => putChat(client, { ...chat, blocked: !chat.blocked }),
    onError: (error, chat) => {
      putChat(client, chat);
      showFailure(error, 'The visitor could not be blocked or unblocked.', () => mutate(chat));
    },
  });
  return (chat: Chat) => mutate(chat);
}

/** Erases a visitor with all that was said. */
export function useErase(onDone: () => void) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (visitorId: string) => call('DELETE /visitors/:id', { params: { id: visitorId } }),
    onSuccess: (_, erased) => {
      onDone();
      removeChats(client, ({ visitorId }) => visitorId === erased);
      toast.success('Visitor erased');
    },
    onError: (error, visitorId) => showFailure(error, 'The visitor could not be erased.', () => mutate(visitorId)),
  });
  return { erase: mutate, isPending };
}

/** Begins a chat with a visitor who is there. A text that was sent in vain keeps its name when it is sent again. */
export function useStartChat(visitorId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ content, clientId }: { content: string; clientId: string }) =>
      (await call('POST /visitors/:id/chats', { params: { id: visitorId }, body: { content, clientId } })).chat,
    onSuccess: (chat) => {
      putChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.earlier(visitorId) });
    },
  });
}

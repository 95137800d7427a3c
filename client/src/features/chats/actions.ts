import { useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Chat, Claimer } from 'server/contract';
import { call } from '../../lib/api.ts';
import { tellFailure, useChange } from './desk.ts';
import { dropChats } from './live/cache.ts';
import { claimed, closed, handedBack } from './model/chatPages.ts';

/** Ends a chat for good. */
export function useClose() {
  return useChange({
    expected: closed,
    ask: ({ _id }) => call('POST /chats/:id/close', { params: { id: _id } }),
    failure: 'The chat could not be closed.',
  });
}

/** Gives a chat to a colleague; to nobody: back to the queue. */
export function useTransfer() {
  return useChange<Claimer | null>({
    expected: (chat, to) => (to ? claimed(chat, to) : handedBack(chat)),
    ask: ({ _id }, to) => call('POST /chats/:id/transfer', { params: { id: _id }, body: { userId: to?._id ?? null } }),
    failure: 'The chat could not be handed over.',
  });
}

/** Puts these tags on a chat, in the place of those it has. */
export function useTag(chatId: string) {
  return useChange<string[]>({
    expected: (chat, tags) => ({ ...chat, tags }),
    ask: ({ _id }, tags) => call('PUT /chats/:id/tags', { params: { id: _id }, body: { tags } }),
    failure: 'The tags could not be changed.',
    scope: `tags ${chatId}`,
  });
}

/** Deletes a chat with all its messages. */
export function useDeleteChat(onDone: () => void) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ _id }: Chat) => call('DELETE /chats/:id', { params: { id: _id } }),
    onSuccess: (_, chat) => {
      onDone();
      dropChats(client, ({ _id }) => _id === chat._id);
      toast.success('Chat deleted');
    },
    onError: (error, chat) => tellFailure(error, 'The chat could not be deleted.', () => mutate(chat)),
  });
  return { remove: (chat: Chat) => mutate(chat), isPending };
}

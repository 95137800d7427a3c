import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Chat, Claimer } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { keys } from '../../../lib/query.ts';
import { useAction } from '../../../shared/useAction.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { toastAction } from '../../../ui/actionToast.tsx';
import { showFailure } from '../../../ui/failureToast.tsx';
import { putChat, removeChats } from '../live/cache.ts';
import { asClaimed, asClosed, asHandedBack, asReopened } from '../model/chatPages.ts';

interface ChatChange<Input> {
  /** The chat as it will be if the server agrees. */
  expected: (chat: Chat, input: Input) => Chat;
  ask: (chat: Chat, input: Input) => Promise<{ chat: Chat }>;
  /** Shown where the server gives no reason. */
  failure: string;
  /** Changes of one scope are sent one after the other, and only the last answer is shown: each replaces the whole value. */
  scope?: string;
  onDone?: (chat: Chat) => void;
}

/** An optimistic update: shown at once, rolled back with a toast where the server refuses. */
function useChatChange<Input = void>({ expected, ask, failure, scope, onDone }: ChatChange<Input>) {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ chat, input }: { chat: Chat; input: Input }) => (await ask(chat, input)).chat,
    onMutate: ({ chat, input }) => putChat(client, expected(chat, input)),
    ...(scope !== undefined && { scope: { id: scope }, mutationKey: [scope] }),
    onSuccess: (chat) => {
      const isLast = scope === undefined || client.isMutating({ mutationKey: [scope] }) <= 1;
      if (isLast) putChat(client, chat);
      onDone?.(chat);
    },
    onError: (error, { chat, input }) => {
      putChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.chat(chat._id) });
      void client.invalidateQueries({ queryKey: keys.chats() });
      showFailure(error, failure, () => mutate({ chat: currentChat(client, chat), input }));
    },
  });
  return (chat: Chat, input: Input) => mutate({ chat, input });
}

/** Claims a chat. Where a colleague was faster, the server's refusal names him. */
export function useClaim() {
  const { user } = useAuth();
  return useChatChange({
    expected: (chat) => (user ? asClaimed(chat, user) : chat),
    ask: ({ _id }) => call('POST /chats/:id/claim', { params: { id: _id } }),
    failure: 'The chat could not be claimed.',
  });
}

/** Closes a chat, and offers in a toast to undo that. */
export function useClose() {
  const reopen = useReopen();
  return useChatChange({
    expected: asClosed,
    ask: ({ _id }) => call('POST /chats/:id/close', { params: { id: _id } }),
    failure: 'The chat could not be closed.',
    onDone: (chat) =>
      toastAction({
        id: `closed ${chat._id}`,
        text: `Closed the chat with ${visitorName(chat.visitorInfo.name)}`,
        label: 'Undo',
        run: () => reopen(chat),
      }),
  });
}

/** Opens a closed chat again. The server refuses where its visitor has begun a newer one, or a colleague was faster. */
export function useReopen(onDone?: () => void) {
  const { user } = useAuth();
  return useChatChange({
    expected: (chat) => (user ? asReopened(chat, user) : chat),
    ask: ({ _id }) => call('POST /chats/:id/reopen', { params: { id: _id } }),
    failure: 'The chat could not be reopened.',
    ...(onDone && { onDone }),
  });
}

/** Hands a chat to a colleague, or with `null` back to the queue. */
export function useTransfer() {
  return useChatChange<Claimer | null>({
    expected: (chat, to) => (to ? asClaimed(chat, to) : asHandedBack(chat)),
    ask: ({ _id }, to) => call('POST /chats/:id/transfer', { params: { id: _id }, body: { userId: to?._id ?? null } }),
    failure: 'The chat could not be handed over.',
  });
}

/** Replaces a chat's tags. */
export function useSetTags(chatId: string) {
  return useChatChange<string[]>({
    expected: (chat, tags) => ({ ...chat, tags }),
    ask: ({ _id }, tags) => call('PUT /chats/:id/tags', { params: { id: _id }, body: { tags } }),
    failure: 'The tags could not be changed.',
    scope: `tags ${chatId}`,
  });
}

/** Deletes a chat with all its messages. */
export function useDeleteChat(onDone: () => void) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: async ({ _id }: Chat) => call('DELETE /chats/:id', { params: { id: _id } }),
    onSuccess: (_, chat) => {
      onDone();
      removeChats(client, ({ _id }) => _id === chat._id);
    },
  });
  const remove = useAction(deletion, { success: 'Chat deleted', failure: 'The chat could not be deleted.' });
  return { remove, isPending: deletion.isPending };
}

function currentChat(client: QueryClient, chat: Chat): Chat {
  return client.getQueryData<Chat>(keys.chat(chat._id)) ?? chat;
}

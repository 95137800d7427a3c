import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Chat, Claimer } from 'server/contract';
import { ApiError, call } from '../../lib/api.ts';
import { failureText, useAuth } from '../../lib/auth.tsx';
import { keys } from '../../lib/query.ts';
import { toastFailure } from '../../ui/toastFailure.tsx';
import { dropChats, keepChat } from './cache.ts';
import { claimed, closed, handedBack } from './rows.ts';

interface Change<Input> {
  /** The row as it will be. */
  expected: (chat: Chat, input: Input) => Chat;
  ask: (chat: Chat, input: Input) => Promise<{ chat: Chat }>;
  /** What is said where the server gives no reason. */
  failure: string;
}

/** Changes a chat: shown at once; where the server refuses, the chat is shown as it is, with the reason. */
function useChange<Input = void>({ expected, ask, failure }: Change<Input>) {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ chat, input }: { chat: Chat; input: Input }) => (await ask(chat, input)).chat,
    onMutate: ({ chat, input }) => keepChat(client, expected(chat, input)),
    onSuccess: (chat) => keepChat(client, chat),
    onError: (error, { chat, input }) => {
      keepChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.chat(chat._id) });
      void client.invalidateQueries({ queryKey: keys.chats() });
      tellFailure(error, failure, () => mutate({ chat: knownNow(client, chat), input }));
    },
  });
  return (chat: Chat, input: Input) => mutate({ chat, input });
}

/** Takes a chat; whoever was slower is told the winner's name. */
export function useClaim() {
  const { user } = useAuth();
  return useChange({
    expected: (chat) => (user ? claimed(chat, user) : chat),
    ask: ({ _id }) => call('POST /chats/:id/claim', { params: { id: _id } }),
    failure: 'The chat could not be claimed.',
  });
}

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
export function useTag() {
  return useChange<string[]>({
    expected: (chat, tags) => ({ ...chat, tags }),
    ask: ({ _id }, tags) => call('PUT /chats/:id/tags', { params: { id: _id }, body: { tags } }),
    failure: 'The tags could not be changed.',
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

/** What the server refused it will refuse again; after anything else one may try again. */
export function tellFailure(error: unknown, failure: string, onRetry: () => void): void {
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  if (isFinal) toast.error(failureText(error, failure));
  else toastFailure(`${failure} ${failureText(error, '')}`.trim(), onRetry);
}

function knownNow(client: QueryClient, chat: Chat): Chat {
  return client.getQueryData<Chat>(keys.chat(chat._id)) ?? chat;
}

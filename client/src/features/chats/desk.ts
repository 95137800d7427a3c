import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Chat } from 'server/contract';
import { ApiError, call } from '../../lib/api.ts';
import { failureText, useAuth } from '../../lib/auth.tsx';
import { keys } from '../../lib/query.ts';
import { toastFailure } from '../../ui/toastFailure.tsx';
import { keepChat } from './live/cache.ts';
import { claimed } from './model/chatPages.ts';

interface Change<Input> {
  /** The row as it will be. */
  expected: (chat: Chat, input: Input) => Chat;
  ask: (chat: Chat, input: Input) => Promise<{ chat: Chat }>;
  /** What is said where the server gives no reason. */
  failure: string;
  /** Changes of one scope are asked for one after the other, since each is of the whole; of their answers the last counts. */
  scope?: string;
}

/** Changes a chat optimistically: shown at once; where the server refuses, the chat is shown as it is, with the reason. */
export function useChange<Input = void>({ expected, ask, failure, scope }: Change<Input>) {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ chat, input }: { chat: Chat; input: Input }) => (await ask(chat, input)).chat,
    onMutate: ({ chat, input }) => keepChat(client, expected(chat, input)),
    ...(scope !== undefined && { scope: { id: scope }, mutationKey: [scope] }),
    onSuccess: (chat) => {
      const isLast = scope === undefined || client.isMutating({ mutationKey: [scope] }) <= 1;
      if (isLast) keepChat(client, chat);
    },
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

/** What the server refused it will refuse again; after anything else one may try again. */
export function tellFailure(error: unknown, failure: string, onRetry: () => void): void {
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  if (isFinal) toast.error(failureText(error, failure));
  else toastFailure(`${failure} ${failureText(error, '')}`.trim(), onRetry);
}

function knownNow(client: QueryClient, chat: Chat): Chat {
  return client.getQueryData<Chat>(keys.chat(chat._id)) ?? chat;
}

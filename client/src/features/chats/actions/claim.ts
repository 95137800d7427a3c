import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Chat, Claimer } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { putChat } from '../live/cache.ts';

interface ChatChange<Input> {
  /** The chat as it will be if the server agrees. */
  expected: (chat: Chat, input: Input) => Chat;
  ask: (chat: Chat, input: Input) => Promise<{ chat: Chat }>;
  /** Shown where the server gives no reason. */
  failure: string;
  /** Changes of one scope are sent one after the other, and only the last answer is shown: those before it lack what follows. */
  scope?: string;
  onDone?: (chat: Chat) => void;
}

/** An optimistic update: shown at once, rolled back with a toast where the server refuses. */
export function useChatChange<Input = void>({ expected, ask, failure, scope, onDone }: ChatChange<Input>) {
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
      showFailure(error, failure, () =>
        mutate({ chat: client.getQueryData<Chat>(keys.chat(chat._id)) ?? chat, input }),
      );
    },
  });
  return (chat: Chat, input: Input) => mutate({ chat, input });
}

/** Whether the chat can still be claimed. */
export function isClaimable(chat: Chat): boolean {
  return chat.status !== 'closed' && !chat.claimedBy;
}

/** The chat as it is expected after a claim or a transfer. */
export function asClaimed(chat: Chat, by: Claimer): Chat {
  return { ...chat, status: 'active', claimedBy: { _id: by._id, name: by.name }, assignedAt: null };
}

/** Claims a chat. Where a colleague was faster, the server's refusal names him. */
export function useClaim() {
  const { user } = useAuth();
  return useChatChange({
    expected: (chat) => (user ? asClaimed(chat, user) : chat),
    ask: ({ _id }) => call('POST /chats/:id/claim', { params: { id: _id } }),
    failure: t('The chat could not be claimed.'),
  });
}

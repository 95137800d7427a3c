import { MutationObserver, useQueryClient } from '@tanstack/react-query';
import type { Chat, Claimer } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { cachedChat, putChat } from '../live/cache.ts';

interface ChatChange<Input> {
  /** The chat as it will be if the server agrees. */
  expected: (chat: Chat, input: Input) => Chat;
  ask: (chat: Chat, input: Input) => Promise<{ chat: Chat }>;
  /** Shown where the server gives no reason. */
  failure: string;
  onDone?: (chat: Chat) => void;
}

/**
 * An optimistic update: shown at once, rolled back with a toast where the server refuses. The changes of one chat are sent one
 * after the other, and stay on the screen until they are answered, whatever is heard of the chat meanwhile.
 */
export function useChatChange<Input = void>({ expected, ask, failure, onDone }: ChatChange<Input>) {
  const client = useQueryClient();
  const change = (chat: Chat, input: Input) => {
    const expectedNow = (held: Chat) => expected(held, input);
    const mutation = new MutationObserver<Chat>(client, {
      mutationKey: keys.chatChanges(chat._id),
      scope: { id: chat._id },
      meta: { expected: expectedNow },
      mutationFn: async () => (await ask(chat, input)).chat,
      onMutate: () => putChat(client, cachedChat(client, chat._id) ?? chat),
      onSuccess: (answer) => {
        putChat(client, answer, expectedNow);
        onDone?.(answer);
      },
      onError: (error) => {
        putChat(client, chat, expectedNow);
        void client.invalidateQueries({ queryKey: keys.chat(chat._id) });
        void client.invalidateQueries({ queryKey: keys.chats() });
        showFailure(error, failure, () => change(client.getQueryData<Chat>(keys.chat(chat._id)) ?? chat, input));
      },
    });
    const forget = () => mutation.reset();
    void mutation.mutate().then(forget, forget);
  };
  return change;
}

/** Whether the chat can still be claimed. */
export function isClaimable(chat: Chat): boolean {
  return chat.status !== 'closed' && !chat.claimedBy;
}

/** The chat as it is expected when the assistant has stopped. */
export function withoutAssistant(chat: Chat): Chat {
  return chat.assistant ? { ...chat, assistant: { ...chat.assistant, active: false } } : chat;
}

/** The chat as it is expected after a claim or a transfer. */
export function asClaimed(chat: Chat, by: Claimer): Chat {
  const claimedBy = { _id: by._id, name: by.name };
  return { ...withoutAssistant(chat), status: 'active', claimedBy, assignedAt: null };
}

/** Claims a chat. Where a colleague was faster, the server's refusal names them. */
export function useClaim() {
  const { user } = useAuth();
  return useChatChange({
    expected: (chat) => (user ? asClaimed(chat, user) : chat),
    ask: ({ _id }) => call('POST /chats/:id/claim', { params: { id: _id } }),
    failure: t('The chat could not be claimed.'),
  });
}

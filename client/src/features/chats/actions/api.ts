import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import type { Chat, Claimer, DepartmentName } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { ApiError } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { toastAction } from '../../../ui/actionToast.tsx';
import { ReopenedContext } from '../composer/mode.ts';
import { removeChats } from '../live/cache.ts';
import { readReported } from '../live/receipts.ts';
import { outboxOf } from '../outbox/outbox.ts';
import { asAwake } from '../snooze/api.ts';
import { asClaimed, useChatChange, withoutAssistant } from './claim.ts';

/** How long a change of a chat waits for texts that were written before it. */
const TEXTS_WAIT_MAX_MS = 5_000;

/** Closes a chat, and offers in a toast to undo that. */
export function useClose() {
  const reopen = useReopen();
  const textsFirst = useTextsFirst();
  return useChatChange({
    expected: (chat) => ({
      ...asAwake(withoutAssistant(chat)),
      status: 'closed',
      waitingSince: null,
      closedAt: new Date().toISOString(),
    }),
    ask: async ({ _id }) => {
      await textsFirst(_id);
      return call('POST /chats/:id/close', { params: { id: _id } });
    },
    failure: t('The chat could not be closed.'),
    onDone: (chat) =>
      toastAction({
        id: `closed ${chat._id}`,
        text: t('Closed the chat with {name}', { name: visitorName(chat.visitorInfo.name) }),
        label: t('Undo'),
        run: () => reopen(chat),
      }),
  });
}

/** Opens a closed chat again. The server refuses where its visitor has begun a newer one, or a colleague was faster. */
export function useReopen(onDone?: () => void) {
  const { user } = useAuth();
  const onReopened = useContext(ReopenedContext);
  const reopen = useChatChange({
    expected: (chat) => (user ? { ...asClaimed(chat, user), closedAt: null } : chat),
    ask: ({ _id }) => call('POST /chats/:id/reopen', { params: { id: _id } }),
    failure: t('The chat could not be reopened.'),
    ...(onDone && { onDone }),
  });
  return (chat: Chat) => {
    reopen(chat);
    onReopened();
  };
}

/**
 * Marks a chat as unread for the team, and offers in a toast to undo that.
 * @param onUndo opens the chat again, which reads it
 */
export function useMarkUnread(onUndo: (chat: Chat) => void) {
  return useChatChange({
    expected: (chat) => ({ ...chat, unread: chat.unread || 1 }),
    ask: async ({ _id }) => {
      await readReported(_id);
      return call('POST /chats/:id/unread', { params: { id: _id } });
    },
    failure: t('The chat could not be marked as unread.'),
    onDone: (chat) =>
      toastAction({
        id: `unread ${chat._id}`,
        text: t('Marked the chat with {name} as unread', { name: visitorName(chat.visitorInfo.name) }),
        label: t('Undo'),
        run: () => onUndo(chat),
      }),
  });
}

/** Hands a chat to a colleague, or with `null` back to the queue. */
export function useTransfer() {
  const textsFirst = useTextsFirst();
  return useChatChange<Claimer | null>({
    expected: (chat, to) =>
      to ? asClaimed(chat, to) : { ...withoutAssistant(chat), status: 'waiting', claimedBy: null, assignedAt: null },
    ask: async ({ _id }, to) => {
      await textsFirst(_id);
      return call('POST /chats/:id/transfer', { params: { id: _id }, body: { userId: to?._id ?? null } });
    },
    failure: t('The chat could not be handed over.'),
  });
}

/** Hands a chat to a department: into its queue. */
export function useTransferToDepartment() {
  const textsFirst = useTextsFirst();
  return useChatChange<DepartmentName>({
    expected: (chat, { _id, name }) => ({
      ...withoutAssistant(chat),
      status: 'waiting',
      claimedBy: null,
      assignedAt: null,
      department: { _id, name, since: new Date().toISOString() },
    }),
    ask: async ({ _id }, department) => {
      await textsFirst(_id);
      return call('POST /chats/:id/transfer', { params: { id: _id }, body: { department: department._id } });
    },
    failure: t('The chat could not be handed over.'),
  });
}

/** Puts a chat into a department, or with `null` into none; whoever has it keeps it. */
export function useChangeDepartment() {
  return useChatChange<DepartmentName | null>({
    expected: ({ department: _, ...chat }, to) => ({
      ...chat,
      ...(to && { department: { _id: to._id, name: to.name, since: new Date().toISOString() } }),
    }),
    ask: ({ _id }, to) =>
      call('PUT /chats/:id/department', { params: { id: _id }, body: { department: to?._id ?? null } }),
    failure: t('The department could not be changed.'),
  });
}

/** Adds a tag to a chat, or takes it off. Tags that a colleague changes at the same time stay. */
export function useChangeTag() {
  return useChatChange<{ tag: string; isAdded: boolean }>({
    expected: (chat, { tag, isAdded }) => {
      const others = chat.tags.filter((each) => each !== tag);
      return { ...chat, tags: isAdded ? [...others, tag] : others };
    },
    ask: async ({ _id }, { tag, isAdded }) => {
      const body = { action: isAdded ? ('tag' as const) : ('untag' as const), tag, chatIds: [_id] };
      const [result] = (await call('POST /chats/bulk', { body })).results;
      if (!result || result.outcome === 'refused') throw new ApiError(409, result ?? { code: '', message: '' });
      return result;
    },
    failure: t('The tags could not be changed.'),
  });
}

/** Has people answer a chat from now on. */
export function useStopAssistant() {
  return useChatChange({
    expected: withoutAssistant,
    ask: ({ _id }) => call('POST /chats/:id/assistant', { params: { id: _id }, body: { on: false } }),
    failure: t('The assistant could not be stopped.'),
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
  const remove = useAction(deletion, { success: t('Chat deleted'), failure: t('The chat could not be deleted.') });
  return { remove, isPending: deletion.isPending };
}

/**
 * Lets the user's texts arrive before a change of their chat, which goes another way and could overtake them: a closed chat refuses
 * them, and one that was handed back would be claimed again by them. It is not waited for long, since the user may be offline.
 */
function useTextsFirst(): (chatId: string) => Promise<void> {
  const { user } = useAuth();
  return async (chatId) => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, TEXTS_WAIT_MAX_MS));
    if (user) await Promise.race([outboxOf(user).textsSent(chatId), late]);
  };
}

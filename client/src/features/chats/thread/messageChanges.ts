import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isFormatted, type StaffMessage } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { endDraft } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { mergeChanges, patchThread } from '../live/thread.ts';

/** Corrects a message of the user's own, and ends the draft that was sent. A refusal keeps the form open, with what was typed. */
export function useEditMessage(
  { _id: messageId, chatId, edit = 0 }: StaffMessage,
  draftKey: string,
  onDone: () => void,
) {
  const show = useShowChange();
  const edition = useMutation({
    mutationFn: ({ content }: { content: string; sent: string }) =>
      call('PATCH /chats/:id/messages/:messageId', {
        params: { id: chatId, messageId },
        body: { content, formatted: isFormatted(content), edit },
      }),
    onSuccess: ({ message }, { sent }) => {
      endDraft(draftKey, sent);
      show(message);
      onDone();
    },
  });
  const save = useAction(edition, { failure: t('The message could not be changed.') });
  return { save, isPending: edition.isPending };
}

/** Deletes the text or file of a message of the user's own. */
export function useDeleteMessage() {
  const show = useShowChange();
  const deletion = useMutation({
    mutationFn: ({ _id: messageId, chatId }: StaffMessage) =>
      call('DELETE /chats/:id/messages/:messageId', { params: { id: chatId, messageId } }),
    onSuccess: ({ message }) => show(message),
  });
  const remove = useAction(deletion, { failure: t('The message could not be deleted.') });
  return { remove, isPending: deletion.isPending };
}

/** Puts a changed message into its thread, before the event comes. */
function useShowChange() {
  const client = useQueryClient();
  return (message: StaffMessage) =>
    patchThread(client, message.chatId, (thread) => mergeChanges(thread, { edited: [message] }));
}

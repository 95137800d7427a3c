import { useMutation } from '@tanstack/react-query';
import { uuid } from 'browser/uuid';
import type { FormEvent } from 'react';
import { type Chat, MESSAGE_MAX_LENGTH } from 'server/contract';
import { call } from '../lib/api.ts';
import { useAuth } from '../lib/auth.tsx';
import { endDraft, useDraft } from '../lib/drafts.ts';
import { failureText } from '../lib/http.ts';
import { t } from '../lib/i18n.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormButtons } from '../ui/FormButtons.tsx';
import { Textarea } from '../ui/Input.tsx';

interface StartChatDialogProps {
  /** `null`: the dialog is closed. */
  visitorId: string | null;
  title: string;
  text: string;
  onClose: () => void;
  /** The chat has begun; the dialog may be closed by then. */
  onSent: (chat: Chat) => void;
  /** The chat has begun, and the dialog is still open. */
  onStarted: (chat: Chat) => void;
}

/** Starts a chat with a visitor who is online. What is typed is a draft. */
export function StartChatDialog({ visitorId, title, text, ...form }: StartChatDialogProps) {
  return (
    <Dialog open={visitorId !== null} onOpenChange={(open) => !open && form.onClose()} title={title} text={text}>
      {visitorId !== null && <StartChatForm visitorId={visitorId} {...form} />}
    </Dialog>
  );
}

type StartChatFormProps = Omit<StartChatDialogProps, 'visitorId' | 'title' | 'text'> & { visitorId: string };

function StartChatForm({ visitorId, onClose, onSent, onStarted }: StartChatFormProps) {
  const { user } = useAuth();
  const key = `${user?._id}:start:${visitorId}`;
  const [text, setText] = useDraft(key);
  // Idempotent: the same text sent again after a failure has the same `clientId`.
  const start = useMutation({
    mutationFn: async ({ content, clientId }: { content: string; clientId: string; sent: string }) =>
      (await call('POST /visitors/:id/chats', { params: { id: visitorId }, body: { content, clientId } })).chat,
    onSuccess: (chat, { sent }) => {
      endDraft(key, sent);
      onSent(chat);
    },
  });
  const content = text.trim();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (content === '' || start.isPending) return;
    const last = start.variables;
    const clientId = last?.content === content ? last.clientId : uuid();
    start.mutate({ content, clientId, sent: text }, { onSuccess: onStarted });
  };
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-5 pt-5">
      <Field
        label={t('Message')}
        error={start.isError ? failureText(start.error, t('The chat could not be started.')) : undefined}
      >
        <Textarea
          autoFocus
          dir="auto"
          maxLength={MESSAGE_MAX_LENGTH}
          placeholder={t('Hello! Can I help you find something?')}
          // The answer closes the dialog.
          readOnly={start.isPending}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <FormButtons label={t('Send')} busy={start.isPending} disabled={content === ''} onCancel={onClose} />
    </form>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  type Chat,
  CONTACT_FIELDS,
  type ContactBody,
  type ContactField,
  EMAIL_MAX_LENGTH,
  PHONE_MAX_LENGTH,
  VISITOR_NAME_MAX_LENGTH,
} from 'server/contract';
import { call } from '../../../lib/api.ts';
import { drafts, endDraft, useDraftValues } from '../../../lib/drafts.ts';
import { ApiError, failureText } from '../../../lib/http.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { discardDraft } from '../../../shared/discardDraft.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input } from '../../../ui/Input.tsx';
import { cachedChat, putChat } from '../live/cache.ts';
import { patchThread } from '../live/thread.ts';

type Contact = Record<ContactField, string>;

const INPUTS = {
  name: { label: msg('Name'), type: 'text', dir: 'auto', maxLength: VISITOR_NAME_MAX_LENGTH },
  email: { label: msg('Email'), type: 'email', maxLength: EMAIL_MAX_LENGTH },
  phone: { label: msg('Phone'), type: 'tel', maxLength: PHONE_MAX_LENGTH },
} satisfies Record<ContactField, object>;

interface EditContactProps {
  chat: Chat;
  userId: string;
  phone: string | undefined;
}

/** Corrects the name, e-mail or phone number of a chat's visitor, in all chats of the visitor. */
export function EditContact({ chat, userId, phone }: EditContactProps) {
  const [open, setOpen] = useState(false);
  const { name, email } = chat.visitorInfo;
  const key = `${userId}:contact:${chat.visitorId}`;
  const known = { name: name ?? '', email: email ?? '', phone: phone ?? '' };
  const draft = useDraftValues<Contact>(key, known);
  const [, , isDraft] = draft;
  const cancel = () => {
    setOpen(false);
    discardDraft(key);
  };
  return (
    <>
      <IconButton label={t('Edit contact details')} size="sm" onClick={() => setOpen(true)}>
        <Pencil size={16} aria-hidden />
      </IconButton>
      {isDraft && !open && <Badge tone="waiting">{t('Not saved yet')}</Badge>}
      <Dialog
        open={open}
        onOpenChange={(next) => (next ? setOpen(true) : cancel())}
        title={t('Contact details')}
        text={t('Your corrections show in all chats of this visitor.')}
      >
        <ContactForm
          chat={chat}
          draftKey={key}
          known={known}
          draft={draft}
          onCancel={cancel}
          onDone={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}

interface ContactFormProps {
  chat: Chat;
  draftKey: string;
  /** As the server has them. */
  known: Contact;
  draft: ReturnType<typeof useDraftValues<Contact>>;
  onCancel: () => void;
  onDone: () => void;
}

function ContactForm({ chat, draftKey, known, draft: [typed, change], onCancel, onDone }: ContactFormProps) {
  const correct = useCorrectContact(chat, draftKey);
  const changed = CONTACT_FIELDS.filter((field) => typed[field].trim() !== known[field]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (changed.length === 0) return onCancel();
    const body = Object.fromEntries(changed.map((field) => [field, typed[field]]));
    correct.mutate({ body, sent: drafts.read(draftKey) }, { onSuccess: onDone });
  };
  const errors = correct.error instanceof ApiError ? correct.error.errors : [];
  const isElsewhere = correct.isError && errors.length === 0;
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4 pt-4">
      {CONTACT_FIELDS.map((field) => {
        const { label, ...input } = INPUTS[field];
        return (
          <Field key={field} label={t(label)} error={errors.find(({ path }) => path === field)?.msg}>
            <Input
              {...input}
              autoComplete="off"
              // The answer closes the dialog.
              readOnly={correct.isPending}
              value={typed[field]}
              onChange={({ target }) => change({ [field]: target.value })}
            />
          </Field>
        );
      })}
      {isElsewhere && (
        <p role="alert" className="text-danger">
          {failureText(correct.error, t('The contact details could not be saved.'))}
        </p>
      )}
      <FormButtons label={t('Save')} busy={correct.isPending} onCancel={onCancel} />
    </form>
  );
}

/** The answer ends the draft that was sent, also when another chat is open by then. */
function useCorrectContact({ _id: chatId, visitorId }: Chat, draftKey: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body }: { body: ContactBody; sent: string }) =>
      call('PATCH /visitors/:id', { params: { id: visitorId }, body }),
    onSuccess: ({ visitor: { name, email, phone } }, { sent }) => {
      endDraft(draftKey, sent);
      const chat = cachedChat(client, chatId);
      if (chat) putChat(client, { ...chat, visitorInfo: { ...chat.visitorInfo, name, email } });
      patchThread(client, chatId, (thread) => {
        if (!thread.visitor) return thread;
        const { phone: _, ...visitor } = thread.visitor;
        return { ...thread, visitor: { ...visitor, ...(phone !== undefined && { phone }) } };
      });
    },
  });
}

import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { type LiveVisitor, MESSAGE_MAX_LENGTH } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { clientIdFor } from '../../lib/clientId.ts';
import { useDraft } from '../../lib/drafts.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Textarea } from '../../ui/Input.tsx';
import { useStartChat } from './api.ts';

interface ReachOutProps {
  siteId: string;
  /** The visitor to write to; `null`: the dialog is closed. */
  visitor: LiveVisitor | null;
  onDone: () => void;
}

/** Starts a chat with a visitor who has not written yet. */
export function StartChatDialog({ siteId, visitor, onDone }: ReachOutProps) {
  const name = visitorName(visitor?.name);
  return (
    <Dialog
      open={visitor !== null}
      onOpenChange={(open) => !open && onDone()}
      title={t('Start a chat with {name}', { name })}
      text={t('Your words show above the chat button, on the page that the visitor has open.')}
    >
      {visitor && <ReachOutForm siteId={siteId} visitorId={visitor._id} onDone={onDone} />}
    </Dialog>
  );
}

function ReachOutForm({ siteId, visitorId, onDone }: { siteId: string; visitorId: string; onDone: () => void }) {
  const navigate = useNavigate();
  const reach = useStartChat(siteId, visitorId);
  const { user } = useAuth();
  const [draft, setDraft] = useDraft(`${user?._id}:start:${visitorId}`);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { content: draft } });
  const submit = handleSubmit(async ({ content }) => {
    try {
      const chatId = await reach.mutateAsync(clientIdFor(reach.variables, content));
      setDraft('');
      await navigate(paths.chat(chatId));
    } catch (failure) {
      setError(
        'content',
        { message: failureText(failure, t('The chat could not be started.')) },
        { shouldFocus: true },
      );
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <Field label={t('Message')} error={formState.errors.content?.message}>
        <Textarea
          {...register('content', {
            validate: (text) => text.trim() !== '' || t('Enter a message'),
            onChange: ({ target }) => setDraft(target.value),
          })}
          autoFocus
          dir="auto"
          maxLength={MESSAGE_MAX_LENGTH}
          placeholder={t('Hello! Can I help you find something?')}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" busy={formState.isSubmitting}>
          {t('Send')}
        </Button>
      </div>
    </form>
  );
}

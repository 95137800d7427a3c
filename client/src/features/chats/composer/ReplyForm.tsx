import { useForm } from 'react-hook-form';
import { type CannedReply, REPLY_MAX_LENGTH, SHORTCUT_MAX_LENGTH } from 'server/contract';
import { ApiError, failureText } from '../../../lib/http.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import { useSaveReply } from './cannedReplies.ts';

interface ReplyFormProps {
  siteId: string;
  /** None: a new one is written. */
  reply: CannedReply | null;
  onDone: () => void;
}

interface Values {
  shortcut: string;
  content: string;
}

/** The shortcut and the text of a canned reply. */
export function ReplyForm({ siteId, reply, onDone }: ReplyFormProps) {
  const save = useSaveReply(siteId);
  const form = useForm<Values>({
    defaultValues: { shortcut: reply?.shortcut ?? '', content: reply?.content ?? '' },
    reValidateMode: 'onSubmit',
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ _id: reply?._id ?? null, ...values });
      onDone();
    } catch (failure) {
      const broken = failure instanceof ApiError ? failure.errors[0] : undefined;
      const message = broken?.msg ?? failureText(failure, 'The reply could not be saved.');
      form.setError(broken?.path === 'content' ? 'content' : 'shortcut', { message }, { shouldFocus: true });
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <Field
        label="Shortcut"
        hint="Type / and this shortcut to find the reply. Letters, digits, - and _."
        error={errors.shortcut?.message}
      >
        <Input
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          maxLength={SHORTCUT_MAX_LENGTH + 1}
          placeholder="hours"
          {...form.register('shortcut', {
            validate: (shortcut) =>
              /^\s*\/?[\p{L}\p{M}\p{N}_-]+\s*$/u.test(shortcut) || 'Enter a shortcut without spaces',
          })}
        />
      </Field>
      <Field label="Text" error={errors.content?.message}>
        <Textarea
          dir="auto"
          rows={6}
          maxLength={REPLY_MAX_LENGTH}
          {...form.register('content', {
            validate: (content) => content.trim() !== '' || 'Enter the text of the reply',
          })}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={save.isPending}>
          Save reply
        </Button>
      </div>
    </form>
  );
}

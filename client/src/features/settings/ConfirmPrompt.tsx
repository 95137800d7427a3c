import type { ReactNode } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import type { Confirmation } from 'server/contract';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { CONFIRMING, ConfirmFields, confirmationOf, showAtFields } from './ConfirmFields.tsx';

interface ConfirmPromptProps {
  text?: ReactNode;
  action: string;
  danger?: boolean;
  /** An error it throws is shown at the field that it names, or at the password. */
  onConfirm: (confirmation: Confirmation) => Promise<void>;
  onCancel: () => void;
}

/** Asks who it is before a change that weakens the account's security, or deletes it. */
export function ConfirmPrompt({ text, action, danger = false, onConfirm, onCancel }: ConfirmPromptProps) {
  const form = useForm({ defaultValues: CONFIRMING });
  const submit = form.handleSubmit(async (typed) => {
    try {
      await onConfirm(confirmationOf(typed));
    } catch (failure) {
      if (showAtFields(form, failure)) return;
      const message = failureText(failure, t('That did not work. Try again.'));
      form.setError('currentPassword', { message }, { shouldFocus: true });
    }
  });
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-2">
        {text && <div className="text-muted">{text}</div>}
        <ConfirmFields autoFocus />
        <FormButtons
          label={action}
          variant={danger ? 'danger' : 'primary'}
          busy={form.formState.isSubmitting}
          onCancel={onCancel}
        />
      </form>
    </FormProvider>
  );
}

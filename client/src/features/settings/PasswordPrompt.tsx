import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';

interface PasswordPromptProps {
  text: ReactNode;
  action: string;
  danger?: boolean;
  /** An error it throws is shown at the password field. */
  onConfirm: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the password before a change that weakens the account's security. */
export function PasswordPrompt({ text, action, danger = false, onConfirm, onCancel }: PasswordPromptProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } });
  const submit = handleSubmit(async ({ password }) => {
    try {
      await onConfirm(password);
    } catch (failure) {
      setError(
        'password',
        { message: failureText(failure, t('That did not work. Try again.')) },
        { shouldFocus: true },
      );
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-2">
      <div className="text-muted">{text}</div>
      <Field label={t('Current password')} error={formState.errors.password?.message}>
        <PasswordInput
          autoFocus
          autoComplete="current-password"
          {...register('password', { required: t('Enter your current password') })}
        />
      </Field>
      <FormButtons
        label={action}
        variant={danger ? 'danger' : 'primary'}
        busy={formState.isSubmitting}
        onCancel={onCancel}
      />
    </form>
  );
}

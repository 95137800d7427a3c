import { type FieldPath, FormProvider, useForm } from 'react-hook-form';
import type { PasswordBody } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { type NewPassword, NewPasswordFields } from '../../shared/NewPasswordFields.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';

type Values = PasswordBody & NewPassword;

const EMPTY: Values = { currentPassword: '', newPassword: '', repeated: '' };
const FIELDS = ['currentPassword', 'newPassword'] as const satisfies FieldPath<Values>[];

/** A new password; it signs out every other device. */
export function PasswordForm() {
  const { changePassword } = useAuth();
  const form = useForm<Values>({ defaultValues: EMPTY });
  const { register, reset, setError, handleSubmit, formState } = form;
  const { errors, isSubmitting: busy } = formState;

  const submit = handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await changePassword({ currentPassword, newPassword });
      reset(EMPTY);
    } catch (failure) {
      const said = failure instanceof ApiError ? failure.errors : [];
      for (const name of FIELDS) {
        const message = said.find(({ path }) => path === name)?.msg;
        if (message) setError(name, { message }, { shouldFocus: true });
      }
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label={t('Current password')} error={errors.currentPassword?.message}>
        <PasswordInput
          autoComplete="current-password"
          {...register('currentPassword', { required: t('Enter your current password') })}
        />
      </Field>
      <FormProvider {...form}>
        <NewPasswordFields />
      </FormProvider>
      <div>
        <Button type="submit" variant="secondary" busy={busy}>
          {busy ? t('Saving...') : t('Change password')}
        </Button>
      </div>
    </form>
  );
}

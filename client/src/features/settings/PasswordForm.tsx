import { type FieldPath, useForm } from 'react-hook-form';
import type { PasswordBody } from 'server/contract';
import { ApiError } from '../../lib/api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { passwordFault } from '../../lib/password.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { PasswordStrength } from '../../ui/PasswordStrength.tsx';

interface Values extends PasswordBody {
  repeated: string;
}

const EMPTY: Values = { currentPassword: '', newPassword: '', repeated: '' };
const FIELDS = ['currentPassword', 'newPassword'] as const satisfies FieldPath<Values>[];

/** A new password; it signs out every other device. */
export function PasswordForm() {
  const { changePassword } = useAuth();
  const { register, watch, reset, setError, handleSubmit, formState } = useForm<Values>({ defaultValues: EMPTY });
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
      <Field label="Current password" error={errors.currentPassword?.message}>
        <PasswordInput
          autoComplete="current-password"
          {...register('currentPassword', { required: 'Enter your current password' })}
        />
      </Field>
      <Field
        label="New password"
        error={errors.newPassword?.message}
        hint={<PasswordStrength password={watch('newPassword')} />}
      >
        <PasswordInput
          autoComplete="new-password"
          {...register('newPassword', { validate: (password) => passwordFault(password) ?? true })}
        />
      </Field>
      <Field label="Confirm new password" error={errors.repeated?.message}>
        <PasswordInput
          autoComplete="new-password"
          {...register('repeated', {
            validate: (repeated, { newPassword }) => repeated === newPassword || 'Passwords do not match',
          })}
        />
      </Field>
      <div>
        <Button type="submit" variant="secondary" busy={busy}>
          {busy ? 'Saving...' : 'Change password'}
        </Button>
      </div>
    </form>
  );
}

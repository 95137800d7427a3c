import { useFormContext } from 'react-hook-form';
import { passwordFault } from '../lib/password.ts';
import { Field } from './Field.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { PasswordStrength } from './PasswordStrength.tsx';

/** What a form that holds these fields has among its values. */
export interface NewPassword {
  newPassword: string;
  repeated: string;
}

/** A new password and its repetition, for a form within a `FormProvider`. */
export function NewPasswordFields({ autoFocus = false }: { autoFocus?: boolean }) {
  const { register, watch, formState } = useFormContext<NewPassword>();
  const { errors } = formState;
  return (
    <>
      <Field
        label="New password"
        error={errors.newPassword?.message}
        hint={<PasswordStrength password={watch('newPassword')} />}
      >
        <PasswordInput
          autoComplete="new-password"
          autoFocus={autoFocus}
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
    </>
  );
}

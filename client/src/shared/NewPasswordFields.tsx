import { useFormContext } from 'react-hook-form';
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_BYTES } from 'server/contract';
import { cx } from '../lib/cx.ts';
import { msg, t } from '../lib/i18n.ts';
import { Field } from '../ui/Field.tsx';
import { PasswordInput } from '../ui/PasswordInput.tsx';

const LONG_LENGTH = 12;
const VERY_LONG_LENGTH = 16;
const STRENGTHS = [msg('Too short'), msg('Weak'), msg('Fair'), msg('Good'), msg('Strong')] as const;

/** The values of these fields in their form. */
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
        label={t('New password')}
        error={errors.newPassword?.message}
        hint={<PasswordStrength password={watch('newPassword')} />}
      >
        <PasswordInput
          autoComplete="new-password"
          autoFocus={autoFocus}
          {...register('newPassword', { validate: (password) => validateNewPassword(password) ?? true })}
        />
      </Field>
      <Field label={t('Confirm new password')} error={errors.repeated?.message}>
        <PasswordInput
          autoComplete="new-password"
          {...register('repeated', {
            validate: (repeated, { newPassword }) => repeated === newPassword || t('Passwords do not match'),
          })}
        />
      </Field>
    </>
  );
}

/** A rough estimate of a password's strength; the server has the final check. */
export function PasswordStrength({ password }: { password: string }) {
  const score = strengthOf(password);
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cx(
              'h-1 flex-1 rounded-full transition-colors',
              score < step && 'bg-line',
              score >= step && (score < 3 ? 'bg-waiting' : 'bg-success'),
            )}
          />
        ))}
      </span>
      <span aria-live="polite" className="w-16 text-end">
        {password === '' ? t('{min} or more', { min: PASSWORD_MIN_BYTES }) : t(STRENGTHS[score])}
      </span>
    </span>
  );
}

function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password.length < PASSWORD_MIN_BYTES) return 0;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  const varied = new Set(password).size > password.length / 2;
  if (!varied) return 1;
  if (password.length >= VERY_LONG_LENGTH || (password.length >= LONG_LENGTH && kinds >= 3)) return 4;
  if (password.length >= LONG_LENGTH || kinds === 4) return 3;
  return kinds >= 2 ? 2 : 1;
}

/** An error message for a new password, or undefined. The server also checks for common passwords. */
export function validateNewPassword(password: string): string | undefined {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes === 0) return t('Choose a password');
  if (bytes < PASSWORD_MIN_BYTES) return t('The password needs at least {min} characters', { min: PASSWORD_MIN_BYTES });
  if (bytes > PASSWORD_MAX_BYTES) return t('The password may have at most {max} bytes', { max: PASSWORD_MAX_BYTES });
  return undefined;
}

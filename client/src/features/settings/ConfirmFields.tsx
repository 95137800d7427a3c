import { type FieldPath, type FieldValues, type UseFormReturn, useFormContext } from 'react-hook-form';
import type { Confirmation } from 'server/contract';
import { ApiError } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { useSettings } from './api.ts';

/** What is asked again of the user, as it is typed. */
export interface Confirming {
  currentPassword: string;
  /** Of the app, or a recovery code. */
  code: string;
}

export const CONFIRMING: Confirming = { currentPassword: '', code: '' };

/** What the server is sent of it. */
export function confirmationOf({ currentPassword, code }: Confirming): Confirmation {
  const typed = code.replace(/\s/g, '');
  const password = currentPassword === '' ? {} : { currentPassword };
  if (typed === '') return password;
  return { ...password, ...(/^\d{6}$/.test(typed) ? { code: typed } : { recoveryCode: typed }) };
}

/** Shows a refusal at the field that it names. @returns whether it names one */
export function showAtFields<Values extends FieldValues>(
  { setError, getValues }: UseFormReturn<Values>,
  failure: unknown,
): boolean {
  const errors = failure instanceof ApiError ? failure.errors : [];
  const wrong = errors
    .map(({ path, msg }) => ({ name: path === 'recoveryCode' ? 'code' : path, msg }))
    .filter(({ name }) => name in getValues());
  for (const { name, msg } of wrong)
    setError(name as FieldPath<Values>, { message: msg }, { shouldFocus: name === wrong[0]?.name });
  return wrong.length > 0;
}

interface ConfirmFieldsProps {
  hint?: string;
  autoFocus?: boolean;
}

/** The password again, and the second step where it is on, for a form within a `FormProvider`. */
export function ConfirmFields({ hint, autoFocus = false }: ConfirmFieldsProps) {
  const { register, formState } = useFormContext<Confirming>();
  const { errors } = formState;
  const security = useSettings().data?.security;
  const hasSecondStep = security?.twoFactorEnabled === true || errors.code !== undefined;
  return (
    <>
      {security?.passwordless ? (
        <p role="alert" className="text-danger empty:hidden">
          {errors.currentPassword?.message}
        </p>
      ) : (
        <Field label={t('Current password')} hint={hint} error={errors.currentPassword?.message}>
          <PasswordInput
            autoFocus={autoFocus}
            autoComplete="current-password"
            {...register('currentPassword', { required: t('Enter your current password') })}
          />
        </Field>
      )}
      {hasSecondStep && (
        <Field label={t('Code from the app, or a recovery code')} error={errors.code?.message}>
          <Input
            dir="ltr"
            autoComplete="one-time-code"
            spellCheck={false}
            autoCapitalize="none"
            {...register('code', { required: t('Enter a code') })}
          />
        </Field>
      )}
    </>
  );
}

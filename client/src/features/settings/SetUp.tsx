import { useForm } from 'react-hook-form';
import type { EnableBody, TwoFactorSetup } from 'server/contract';
import { ApiError, failureText } from '../../lib/http.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { useEnableTwoFactor } from './api.ts';

interface SetUpProps {
  setup: TwoFactorSetup;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Scan, type the code that the app shows and the password, done. */
export function SetUp({ setup, onDone, onCancel }: SetUpProps) {
  const enable = useEnableTwoFactor();
  const { register, handleSubmit, setError, formState } = useForm<EnableBody>({
    defaultValues: { code: '', currentPassword: '' },
  });
  const { errors } = formState;
  const submit = handleSubmit(async ({ code, currentPassword }) => {
    try {
      onDone(await enable.mutateAsync({ code: code.replace(/\s/g, ''), currentPassword }));
    } catch (failure) {
      const isPassword = failure instanceof ApiError && failure.errors.some(({ path }) => path === 'currentPassword');
      const message = failureText(failure, 'The code could not be checked. Try again.');
      setError(isPassword ? 'currentPassword' : 'code', { message }, { shouldFocus: true });
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      <p>Scan this QR code with an authenticator app on your phone.</p>
      <img
        src={setup.qr}
        alt="QR code for the authenticator app"
        width={192}
        height={192}
        className="self-center rounded-card bg-white p-2"
      />
      <details>
        <summary className="cursor-pointer text-muted">You cannot scan the QR code?</summary>
        <div className="flex flex-wrap items-center gap-3 pt-3">
          <code className="min-w-0 rounded-small bg-background px-2 py-1 text-xs break-all">{setup.secret}</code>
          <CopyButton text={setup.secret} label="Copy key" />
        </div>
      </details>
      <Field label="Code from the app" error={errors.code?.message}>
        <Input
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          className="max-w-40 tracking-widest"
          {...register('code', { validate: (code) => /^\s*\d{3}\s?\d{3}\s*$/.test(code) || 'Enter the six digits' })}
        />
      </Field>
      <Field label="Current password" error={errors.currentPassword?.message}>
        <PasswordInput
          autoComplete="current-password"
          {...register('currentPassword', { required: 'Enter your current password' })}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={formState.isSubmitting}>
          Turn on
        </Button>
      </div>
    </form>
  );
}

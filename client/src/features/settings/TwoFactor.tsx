import { useState } from 'react';
import { useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import type { EnableBody, TwoFactorSetup } from 'server/contract';
import { ApiError, failureText } from '../../lib/http.ts';
import { msg, t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useDisableTwoFactor, useEnableTwoFactor, useNewRecoveryCodes, useSetUpTwoFactor } from './api.ts';
import { ConfirmPrompt } from './ConfirmPrompt.tsx';

type Step =
  | { name: 'set-up'; setup: TwoFactorSetup }
  | { name: 'codes'; codes: string[] }
  | { name: 'off' }
  | { name: 'new-codes' };

const TITLES: Record<Step['name'], string> = {
  'set-up': msg('Set up two-factor authentication'),
  codes: msg('Your recovery codes'),
  off: msg('Turn two-factor authentication off'),
  'new-codes': msg('New recovery codes'),
};

/** The switch of two-factor sign-in, with all the steps behind it. */
export function TwoFactor({ on }: { on: boolean }) {
  const [step, setStep] = useState<Step | null>(null);
  const setUp = useSetUpTwoFactor();
  const disable = useDisableTwoFactor();
  const renew = useNewRecoveryCodes();
  const close = () => setStep(null);

  const begin = useAction(setUp, {
    failure: t('The set-up could not be started.'),
    onSuccess: (setup) => setStep({ name: 'set-up', setup }),
  });
  const showCodes = (codes: string[]) => setStep({ name: 'codes', codes });

  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-6 rounded-card border bg-surface p-4">
        <div className="min-w-0">
          <p className="font-medium">{t('Two-factor authentication')}</p>
          <p className="text-muted">
            {on
              ? t('Signing in asks for a code from your authenticator app.')
              : t('To sign in, you need your password and a code from an app on your phone.')}
          </p>
        </div>
        <Switch
          label={t('Two-factor authentication')}
          checked={on}
          disabled={setUp.isPending}
          onCheckedChange={(wanted) => (wanted ? void begin() : setStep({ name: 'off' }))}
        />
      </div>
      {on && (
        <div>
          <Button variant="secondary" onClick={() => setStep({ name: 'new-codes' })}>
            {t('New recovery codes')}
          </Button>
        </div>
      )}
      <Dialog open={step !== null} onOpenChange={close} title={step ? t(TITLES[step.name]) : ''}>
        {step?.name === 'set-up' && <SetUpForm setup={step.setup} onDone={showCodes} onCancel={close} />}
        {step?.name === 'codes' && <RecoveryCodes codes={step.codes} onDone={close} />}
        {step?.name === 'off' && (
          <ConfirmPrompt
            text={t('Signing in will ask for your password only.')}
            action={t('Turn off')}
            danger
            onCancel={close}
            onConfirm={async (confirmation) => {
              await disable.mutateAsync(confirmation);
              toast.success(t('Two-factor authentication is off'));
              close();
            }}
          />
        )}
        {step?.name === 'new-codes' && (
          <ConfirmPrompt
            text={t('The codes you have now stop working.')}
            action={t('Make new codes')}
            onCancel={close}
            onConfirm={async (confirmation) => showCodes(await renew.mutateAsync(confirmation))}
          />
        )}
      </Dialog>
    </div>
  );
}

/** The codes for the day the phone is lost, shown this once. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-5 pt-4">
      <p>
        {t(
          'Each code signs you in once when you do not have your phone. Keep them in a safe place: they are not shown again.',
        )}
      </p>
      <ul
        aria-label={t('Recovery codes')}
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-card bg-background p-4 font-mono min-[400px]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="address">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={codes.join('\n')} label={t('Copy codes')} />
        <Button size="sm" onClick={onDone}>
          {t('I have saved them')}
        </Button>
      </div>
    </div>
  );
}

interface SetUpProps {
  setup: TwoFactorSetup;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Scan, type the code that the app shows and the password, done. */
function SetUpForm({ setup, onDone, onCancel }: SetUpProps) {
  const enable = useEnableTwoFactor();
  const { register, handleSubmit, setError, formState } = useForm<EnableBody>({
    defaultValues: { code: '', currentPassword: '' },
  });
  const { errors } = formState;
  const submit = handleSubmit(async ({ code, ...confirmation }) => {
    try {
      onDone(await enable.mutateAsync({ code: code.replace(/\s/g, ''), ...confirmation }));
    } catch (failure) {
      const isPassword = failure instanceof ApiError && failure.errors.some(({ path }) => path === 'currentPassword');
      const message = failureText(failure, t('The code could not be checked. Try again.'));
      setError(isPassword ? 'currentPassword' : 'code', { message }, { shouldFocus: true });
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      <p>{t('Scan this QR code with an authenticator app on your phone.')}</p>
      <img
        src={setup.qr}
        alt={t('QR code for the authenticator app')}
        width={192}
        height={192}
        className="self-center rounded-card bg-white p-2"
      />
      <details>
        <summary className="cursor-pointer text-muted">{t('Cannot scan the QR code?')}</summary>
        <div className="flex flex-wrap items-center gap-3 pt-3">
          <code className="address min-w-0 rounded-small bg-background px-2 py-1 text-xs break-all">
            {setup.secret}
          </code>
          <CopyButton text={setup.secret} label={t('Copy key')} />
        </div>
      </details>
      <Field label={t('Code from the app')} error={errors.code?.message}>
        <Input
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          maxLength={7}
          className="max-w-40 tracking-widest"
          {...register('code', { validate: (code) => /^\s*\d{3}\s?\d{3}\s*$/.test(code) || t('Enter the six digits') })}
        />
      </Field>
      <Field label={t('Current password')} error={errors.currentPassword?.message}>
        <PasswordInput
          autoComplete="current-password"
          {...register('currentPassword', { required: t('Enter your current password') })}
        />
      </Field>
      <FormButtons label={t('Turn on')} busy={formState.isSubmitting} onCancel={onCancel} />
    </form>
  );
}

import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SecondStep } from 'server/contract';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { AuthLayout, FormErrors } from './AuthLayout.tsx';

const ERROR_ID = 'second-step-error';

interface SecondStepFormProps {
  /** Sends the code, with what was accepted before. @throws ApiError */
  send: (step: SecondStep) => Promise<void>;
  onBack: () => void;
}

/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ send, onBack }: SecondStepFormProps) {
  const [lost, setLost] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { register, handleSubmit, formState, setFocus, reset } = useForm({ defaultValues: { code: '' } });
  const busy = formState.isSubmitting;

  const submit = handleSubmit(async ({ code }) => {
    setError(null);
    const typed = code.replace(/\s/g, '');
    try {
      await send(lost ? { recoveryCode: typed } : { code: typed });
    } catch (failure) {
      setError(failureText(failure, t('Login failed')));
      setFocus('code', { shouldSelect: true });
    }
  });
  const change = () => {
    setLost(!lost);
    setError(null);
    reset();
    setFocus('code');
  };

  return (
    <AuthLayout
      title={t('One more step')}
      text={lost ? t('Enter one of your recovery codes.') : t('Enter the code that your authenticator app shows.')}
      footer={
        <button type="button" onClick={onBack} className="font-medium text-accent hover:underline">
          {t('Back to the login')}
        </button>
      }
    >
      <title>{t('Log in · Parley')}</title>
      <FormErrors errors={error === null ? [] : [{ id: ERROR_ID, text: error }]} />
      <form onSubmit={submit} className="flex flex-col gap-5">
        <Field label={lost ? t('Recovery code') : t('Code')} errorId={error === null ? undefined : ERROR_ID}>
          <Input
            key={String(lost)}
            required
            autoFocus
            autoComplete="one-time-code"
            dir="ltr"
            inputMode={lost ? 'text' : 'numeric'}
            spellCheck={false}
            autoCapitalize="none"
            className="tracking-widest"
            {...register('code')}
          />
        </Field>
        <Button type="submit" busy={busy}>
          {busy ? t('Signing in...') : t('Login')}
        </Button>
        <button type="button" onClick={change} className="self-center text-muted hover:text-text">
          {lost ? t('Use the authenticator app') : t('Use a recovery code')}
        </button>
      </form>
    </AuthLayout>
  );
}

import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import type { LoginBody } from 'server/contract';
import { needsSecondStep, useAuth } from '../../lib/auth.tsx';
import { withDevice } from '../../lib/deviceToken.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { linkTo } from '../../ui/linkTo.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { AuthLayout, FormErrors, textFrom } from './AuthLayout.tsx';
import { SecondStepForm } from './SecondStepForm.tsx';

const ERROR_ID = 'login-error';

/** /login. The guard around it redirects after the sign-in. */
export default function LoginPage() {
  const { login } = useAuth();
  const { state } = useLocation();
  const [error, setError] = useState<string | null>(null);
  const [right, setRight] = useState<LoginBody | null>(null);
  const { register, handleSubmit, formState, setFocus } = useForm<LoginBody>({
    defaultValues: { email: textFrom(state, 'email'), password: '' },
  });
  const busy = formState.isSubmitting;
  const errorId = error === null ? undefined : ERROR_ID;

  const submit = handleSubmit(async (form) => {
    const body = withDevice(form);
    setError(null);
    try {
      await login(body);
    } catch (failure) {
      if (needsSecondStep(failure)) return setRight(body);
      setError(failureText(failure, t('Login failed')));
      setFocus('password', { shouldSelect: true });
    }
  });

  if (right) return <SecondStepForm body={right} onBack={() => setRight(null)} />;
  return (
    <AuthLayout
      title={t('Log in')}
      text={t('Your visitors are waiting for you.')}
      footer={rich('No account yet? <link>Create one for free</link>', {
        link: linkTo('/register', state),
      })}
    >
      <title>{t('Log in · Parley')}</title>
      <FormErrors errors={error === null ? [] : [{ id: ERROR_ID, text: error }]} />
      <form onSubmit={submit} className="flex flex-col gap-5">
        <Field label={t('Email')} errorId={errorId}>
          <Input type="email" autoComplete="username" required autoFocus {...register('email')} />
        </Field>
        <Field
          label={t('Password')}
          errorId={errorId}
          aside={
            <Link to="/forgot" className="font-medium text-accent hover:underline">
              {t('Forgot it?')}
            </Link>
          }
        >
          <PasswordInput autoComplete="current-password" required {...register('password')} />
        </Field>
        <Button type="submit" busy={busy}>
          {busy ? t('Signing in...') : t('Login')}
        </Button>
      </form>
    </AuthLayout>
  );
}

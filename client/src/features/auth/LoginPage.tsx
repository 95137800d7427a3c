import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import type { LoginBody } from 'server/contract';
import { ProviderButton, unseenUntilKnown, useProvider, useTicketSignIn } from '#features/oidc';
import { needsSecondStep, useAuth } from '../../lib/auth.tsx';
import { cx } from '../../lib/cx.ts';
import { withDevice } from '../../lib/deviceToken.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { linkTo } from '../../ui/linkTo.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { AuthLayout, FormErrors, textFrom } from './AuthLayout.tsx';
import { SecondStepForm } from './SecondStepForm.tsx';

const ERROR_ID = 'login-error';

/** /login. The guard around it redirects after the sign-in. */
export default function LoginPage() {
  const { login } = useAuth();
  const { state } = useLocation();
  const provider = useProvider();
  const arrival = useTicketSignIn();
  const [byPassword, setByPassword] = useState(false);
  const [wrongForm, setWrongForm] = useState<string | null>(null);
  const [unreachable, setUnreachable] = useState<string | null>(null);
  const error = wrongForm ?? unreachable ?? arrival.error;
  const [right, setRight] = useState<LoginBody | null>(null);
  const { register, handleSubmit, formState, setFocus } = useForm<LoginBody>({
    defaultValues: { email: textFrom(state, 'email'), password: '' },
  });
  const busy = formState.isSubmitting;
  // The fields are not wrong when the provider refuses.
  const errorId = wrongForm === null ? undefined : ERROR_ID;

  const submit = handleSubmit(async (form) => {
    const body = withDevice(form);
    setWrongForm(null);
    setUnreachable(null);
    try {
      await login(body);
    } catch (failure) {
      if (needsSecondStep(failure)) return setRight(body);
      setWrongForm(failureText(failure, t('Login failed')));
      setFocus('password', { shouldSelect: true });
    }
  });

  if (arrival.secondStep) return <SecondStepForm send={arrival.secondStep} onBack={arrival.giveUp} />;
  if (right) return <SecondStepForm send={(step) => login({ ...right, ...step })} onBack={() => setRight(null)} />;
  const isFormShown = !provider?.only || byPassword;
  return (
    <AuthLayout
      title={t('Log in')}
      text={t('Your visitors are waiting for you.')}
      footer={
        isFormShown ? (
          rich('No account yet? <link>Create one for free</link>', {
            link: linkTo('/register', state),
          })
        ) : (
          <button type="button" onClick={() => setByPassword(true)} className="font-medium text-accent hover:underline">
            {t('Sign in with a password instead')}
          </button>
        )
      }
    >
      <title>{t('Log in · Parley')}</title>
      <FormErrors errors={error === null ? [] : [{ id: ERROR_ID, text: error }]} />
      {arrival.isUnderWay && (
        <p role="status" className="flex items-center gap-3 pb-5 text-muted">
          <Spinner size={16} /> {t('Signing in...')}
        </p>
      )}
      {isFormShown && (
        <form onSubmit={submit} className={cx('flex flex-col gap-5', unseenUntilKnown(provider))}>
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
      )}
      {provider && (
        <ProviderButton
          provider={provider}
          state={state}
          onFailure={(text) => {
            setWrongForm(null);
            setUnreachable(text);
          }}
        />
      )}
    </AuthLayout>
  );
}

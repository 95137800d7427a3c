import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { call } from '../../lib/api.ts';
import { failureText } from '../../lib/http.ts';
import { msg, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { AuthLayout, FormErrors } from './AuthLayout.tsx';

const ERROR_ID = 'forgot-error';

/** /forgot: a link for a new password, by mail. The answer does not tell who has an account. */
export default function ForgotPage() {
  const [error, setError] = useState<string | null>(null);
  const [mailed, setMailed] = useState<boolean | null>(null);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } });
  const busy = formState.isSubmitting;

  const submit = handleSubmit(async (body) => {
    setError(null);
    try {
      setMailed((await call('POST /auth/forgot', { body })).mailed);
    } catch (failure) {
      setError(failureText(failure, t('The link could not be sent. Try again.')));
    }
  });

  return (
    <AuthLayout
      title={t('Forgot your password?')}
      text={t('We will mail you a link to choose a new one.')}
      footer={
        <Link to="/login" className="font-medium text-accent hover:underline">
          {t('Back to the login')}
        </Link>
      }
    >
      <title>{t('Forgot password · Parley')}</title>
      {mailed === null ? (
        <>
          <FormErrors errors={error === null ? [] : [{ id: ERROR_ID, text: error }]} />
          <form onSubmit={submit} className="flex flex-col gap-5">
            <Field label={t('Email')} errorId={error === null ? undefined : ERROR_ID}>
              <Input type="email" autoComplete="username" required autoFocus {...register('email')} />
            </Field>
            <Button type="submit" busy={busy}>
              {busy ? t('Sending...') : t('Send the link')}
            </Button>
          </form>
        </>
      ) : (
        <p role="status">{t(mailed ? SENT : NO_MAIL)}</p>
      )}
    </AuthLayout>
  );
}

const SENT = msg(
  'If this address has an account, we have sent it a link. It works once and expires in an hour. No mail? Check your spam folder.',
);
const NO_MAIL = msg('This server cannot send mail. Ask its administrator for a one-time link to set a new password.');

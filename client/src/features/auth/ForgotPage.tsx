import { useMutation } from '@tanstack/react-query';
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
  const { register, handleSubmit } = useForm({ defaultValues: { email: '' } });
  const request = useMutation({ mutationFn: (body: { email: string }) => call('POST /auth/forgot', { body }) });
  const { isPending: busy, data } = request;
  const error = request.error && failureText(request.error, t('The link could not be sent. Try again.'));
  const submit = handleSubmit((body) => request.mutate(body));

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
      {data === undefined ? (
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
        <p role="status">{t(data.mailed ? SENT : NO_MAIL)}</p>
      )}
    </AuthLayout>
  );
}

const SENT = msg(
  'If this address has an account, we have sent it a link. It works once and expires in an hour. No mail? Check your spam folder.',
);
const NO_MAIL = msg('This server cannot send mail. Ask its administrator for a one-time link to set a new password.');

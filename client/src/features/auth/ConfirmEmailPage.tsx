import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router-dom';
import { call } from '../../lib/api.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { AuthLayout, FormErrors } from './AuthLayout.tsx';

const SERVER_ERROR = 'confirm-error';

/**
 * /confirm#TOKEN: proves an address, with a link that was mailed there. Only a press of the button does: mail servers open links
 * to check them.
 */
export default function ConfirmEmailPage() {
  const { hash } = useLocation();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => call('POST /auth/email/confirm', { body: { token: hash.slice(1) } }),
  });
  const text = error && failureText(error, t('The address could not be confirmed. Try again.'));
  return (
    <AuthLayout
      title={t('Confirm your email address')}
      text={t('Parley then sends mails about your account and your chats to it.')}
      footer={
        <Link to={paths.home} className="font-medium text-accent hover:underline">
          {t('Open the dashboard')}
        </Link>
      }
    >
      <title>{t('Confirm your email address · Parley')}</title>
      <FormErrors errors={text === null ? [] : [{ id: SERVER_ERROR, text }]} />
      {data === undefined ? (
        <Button busy={isPending} onClick={() => mutate()} className="self-start">
          {t('Confirm the address')}
        </Button>
      ) : (
        <p role="status" className="wrap-anywhere">
          {t('{email} is confirmed.', { email: data.email })}
        </p>
      )}
    </AuthLayout>
  );
}

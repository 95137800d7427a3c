import { useState } from 'react';
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
  const [busy, setBusy] = useState(false);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  const confirm = async () => {
    setError(null);
    setBusy(true);
    try {
      setConfirmed((await call('POST /auth/email/confirm', { body: { token: hash.slice(1) } })).email);
    } catch (failure) {
      setError(failureText(failure, t('The address could not be confirmed. Try again.')));
    }
    setBusy(false);
  };

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
      <FormErrors errors={error === null ? [] : [{ id: SERVER_ERROR, text: error }]} />
      {confirmed === null ? (
        <Button busy={busy} onClick={confirm} className="self-start">
          {t('Confirm the address')}
        </Button>
      ) : (
        <p role="status" className="wrap-anywhere">
          {t('{email} is confirmed.', { email: confirmed })}
        </p>
      )}
    </AuthLayout>
  );
}

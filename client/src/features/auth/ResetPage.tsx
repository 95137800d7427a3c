import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { call } from '../../lib/api.ts';
import { withDevice } from '../../lib/deviceToken.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { type NewPassword, NewPasswordFields } from '../../shared/NewPasswordFields.tsx';
import { Button } from '../../ui/Button.tsx';
import { AuthLayout, FormErrors } from './AuthLayout.tsx';

const SERVER_ERROR = 'reset-error';

/** /reset#TOKEN: a new password, with a link that was mailed. */
export default function ResetPage() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [error, setError] = useState<string | null>(null);
  const form = useForm<NewPassword>({ defaultValues: { newPassword: '', repeated: '' } });
  const busy = form.formState.isSubmitting;

  const submit = form.handleSubmit(async ({ newPassword }) => {
    setError(null);
    try {
      await call('POST /auth/reset', { body: withDevice({ token: hash.slice(1), newPassword }) });
      toast.success(t('Your new password is set. Log in with it.'));
      navigate('/login', { replace: true });
    } catch (failure) {
      setError(failureText(failure, t('The password could not be set. Try again.')));
    }
  });

  return (
    <AuthLayout
      title={t('Choose a new password')}
      text={t('This signs you out on all devices. Then log in with the new password.')}
      footer={
        <Link to="/forgot" className="font-medium text-accent hover:underline">
          {t('Ask for a new link')}
        </Link>
      }
    >
      <title>{t('New password · Parley')}</title>
      <FormErrors errors={error === null ? [] : [{ id: SERVER_ERROR, text: error }]} />
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <FormProvider {...form}>
          <NewPasswordFields autoFocus />
        </FormProvider>
        <Button type="submit" busy={busy}>
          {busy ? t('Saving...') : t('Set the password')}
        </Button>
      </form>
    </AuthLayout>
  );
}

import { useMutation } from '@tanstack/react-query';
import { Download, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import type { DeleteAccountBody } from 'server/contract';
import { download } from '../../lib/download.ts';
import { ApiError, failureText } from '../../lib/http.ts';
import { listed, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { token } from '../../lib/token.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { useSites } from '../sites/api.ts';
import { useDeleteAccount } from './api.ts';

/** Export of the user's data, and deletion of the account. */
export function AccountData({ twoFactor }: { twoFactor: boolean }) {
  const [asking, setAsking] = useState(false);
  const owned = useSites().data?.filter(({ isOwner }) => isOwner) ?? [];
  const fetching = useMutation({
    mutationFn: () => download('/auth/account/export', 'parley-account.json', { onProgress: () => undefined }),
  });
  const take = useAction(fetching, { failure: t('Your data could not be downloaded.') });
  return (
    <section aria-labelledby="leave" className="flex flex-col gap-4 border-t pt-8">
      <h2 id="leave" className="text-base font-semibold">
        {t('Your data')}
      </h2>
      <p className="text-muted">
        {t(
          'Everything stored about your account, as a file. Deleting the account removes you from all teams; your messages to visitors stay, with your name.',
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" busy={fetching.isPending} onClick={() => void take()}>
          <Download size={16} aria-hidden />
          {t('Download my data')}
        </Button>
        <Button variant="ghost" className="text-danger!" onClick={() => setAsking(true)}>
          <LogOut size={16} aria-hidden className="rtl:-scale-x-100" />
          {t('Delete account')}
        </Button>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={t('Delete account')}
        text={t('You are signed out everywhere. The account cannot be restored.')}
      >
        {owned.length > 0 ? (
          <OwnsSites names={owned.map(({ name }) => name)} onCancel={() => setAsking(false)} />
        ) : (
          <LeaveForm twoFactor={twoFactor} onCancel={() => setAsking(false)} />
        )}
      </Dialog>
    </section>
  );
}

/** Owners of websites must transfer or delete those first, so they are not asked for a password. */
function OwnsSites({ names, onCancel }: { names: readonly string[]; onCancel: () => void }) {
  return (
    <>
      <p className="pt-4 wrap-anywhere">
        {t('You still own {names}. Delete them, or hand them over to a colleague, and try again.', {
          names: listed(names),
        })}
      </p>
      <div className="flex flex-wrap justify-end gap-2 pt-5">
        <Button variant="secondary" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button asChild>
          <Link to={paths.sites}>{t('Your websites')}</Link>
        </Button>
      </div>
    </>
  );
}

function LeaveForm({ twoFactor, onCancel }: { twoFactor: boolean; onCancel: () => void }) {
  const leave = useDeleteAccount();
  const { register, handleSubmit, setError, formState } = useForm<DeleteAccountBody>({
    defaultValues: { currentPassword: '', code: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ currentPassword, code = '' }) => {
    const typed = code.replace(/\s/g, '');
    const step = /^\d{6}$/.test(typed) ? { code: typed } : { recoveryCode: typed };
    try {
      await token.leave(() => leave.mutateAsync({ currentPassword, ...(twoFactor && step) }));
      token.clear();
      toast.success(t('Your account is deleted'));
    } catch (failure) {
      const wrong = failure instanceof ApiError && /CODE|TWO_FACTOR/.test(failure.code) ? 'code' : 'currentPassword';
      setError(wrong, { message: failureText(failure, t('The account could not be deleted. Try again.')) });
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      <Field label={t('Current password')} error={errors.currentPassword?.message}>
        <PasswordInput
          autoFocus
          autoComplete="current-password"
          {...register('currentPassword', { required: t('Enter your current password') })}
        />
      </Field>
      {twoFactor && (
        <Field label={t('Code from the app, or a recovery code')} error={errors.code?.message}>
          <Input autoComplete="one-time-code" {...register('code', { required: t('Enter a code') })} />
        </Field>
      )}
      <FormButtons label={t('Delete my account')} variant="danger" busy={isSubmitting} onCancel={onCancel} />
    </form>
  );
}

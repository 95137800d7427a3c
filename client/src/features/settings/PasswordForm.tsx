import { FormProvider, useForm } from 'react-hook-form';
import { useAuth } from '../../lib/auth.tsx';
import { t } from '../../lib/i18n.ts';
import { type NewPassword, NewPasswordFields } from '../../shared/NewPasswordFields.tsx';
import { Button } from '../../ui/Button.tsx';
import { CONFIRMING, ConfirmFields, type Confirming, confirmationOf, showAtFields } from './ConfirmFields.tsx';

type Values = Confirming & NewPassword;

const EMPTY: Values = { ...CONFIRMING, newPassword: '', repeated: '' };

/** A new password; it signs out every other device. */
export function PasswordForm() {
  const { changePassword } = useAuth();
  const form = useForm<Values>({ defaultValues: EMPTY });
  const busy = form.formState.isSubmitting;

  const submit = form.handleSubmit(async ({ newPassword, ...typed }) => {
    try {
      await changePassword({ newPassword, ...confirmationOf(typed) });
      form.reset(EMPTY);
    } catch (failure) {
      showAtFields(form, failure);
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <FormProvider {...form}>
        <ConfirmFields />
        <NewPasswordFields />
      </FormProvider>
      <div>
        <Button type="submit" variant="secondary" busy={busy}>
          {busy ? t('Saving...') : t('Change password')}
        </Button>
      </div>
    </form>
  );
}

import { useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, type Settings } from 'server/contract';
import { ApiError } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { validateEmail } from '../../lib/validate.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { AccountData } from './AccountData.tsx';
import { AutoAway } from './AutoAway.tsx';
import { useSaveSettings } from './api.ts';
import { showFormErrors } from './formErrors.ts';
import { LanguagePicker } from './LanguagePicker.tsx';
import { PictureField } from './PictureField.tsx';
import { SingleKeyShortcuts } from './SingleKeyShortcuts.tsx';

interface Values {
  name: string;
  email: string;
  avatar: string | null;
  currentPassword: string;
}

/** The profile: picture, name, e-mail; and the account's data. */
export function AccountTab({
  settings: { account, security, availability, keyboard, language },
}: {
  settings: Settings;
}) {
  const form = useForm<Values>({ defaultValues: { ...account, currentPassword: '' } });
  const { register, watch, setValue, reset, handleSubmit, formState } = form;
  const save = useSaveSettings();
  const { errors, isSubmitting: busy } = formState;
  const [name, email, avatar] = watch(['name', 'email', 'avatar']);
  const movesMail = email.trim().toLowerCase() !== account.email;

  const submit = handleSubmit(async (values) => {
    const data = {
      name: values.name.trim(),
      ...(movesMail && { email: values.email.trim(), currentPassword: values.currentPassword }),
      // Only a new picture, a data URL, is sent.
      ...(values.avatar !== account.avatar && { avatar: values.avatar }),
    };
    try {
      const saved = await save.mutateAsync({ section: 'account', data });
      reset({ ...saved.account, currentPassword: '' });
      toast.success(t('Profile updated successfully'));
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'EMAIL_TAKEN')
        form.setError('email', { message: failure.message }, { shouldFocus: true });
      else showFormErrors(form, ['name', 'email', 'currentPassword'], failure, t('Update failed'));
    }
  });

  return (
    <div className="grid max-w-xl items-start gap-10 xl:max-w-none xl:grid-cols-2 xl:gap-16">
      <form noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-6">
        <PictureField
          label={t('Profile picture')}
          value={avatar}
          onChange={(picture) => setValue('avatar', picture, { shouldDirty: true })}
        >
          <Avatar name={name || account.name} src={avatar} size="xl" />
        </PictureField>
        <Field label={t('Name')} error={errors.name?.message}>
          <Input
            autoComplete="name"
            maxLength={NAME_MAX_LENGTH}
            {...register('name', { validate: (value) => value.trim() !== '' || t('Enter your name') })}
          />
        </Field>
        <Field label={t('Email')} error={errors.email?.message}>
          <Input
            type="email"
            autoComplete="email"
            maxLength={EMAIL_MAX_LENGTH}
            {...register('email', {
              validate: (value) => validateEmail(value) ?? true,
            })}
          />
        </Field>
        {movesMail && (
          <Field
            label={t('Current password')}
            hint={t('A new email address needs your password.')}
            error={errors.currentPassword?.message}
          >
            <PasswordInput
              autoComplete="current-password"
              {...register('currentPassword', {
                validate: (value) => !movesMail || value !== '' || t('Enter your current password'),
              })}
            />
          </Field>
        )}
        <div>
          <Button type="submit" busy={busy}>
            {busy ? t('Saving...') : t('Save Changes')}
          </Button>
        </div>
      </form>
      <div className="flex min-w-0 flex-col gap-10">
        <LanguagePicker {...language} disabled={formState.isDirty} />
        <AutoAway {...availability} />
        <SingleKeyShortcuts {...keyboard} />
        <AccountData twoFactor={security.twoFactorEnabled} />
      </div>
    </div>
  );
}

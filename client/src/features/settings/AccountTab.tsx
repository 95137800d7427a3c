import { useMemo } from 'react';
import { FormProvider } from 'react-hook-form';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, type Settings } from 'server/contract';
import { ApiError } from '../../lib/http.ts';
import { msg, t } from '../../lib/i18n.ts';
import { validateEmail } from '../../lib/validate.ts';
import { SettingsConflicts } from '../../shared/settingsForm/SettingsConflicts.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { AccountData } from './AccountData.tsx';
import { AutoAway } from './AutoAway.tsx';
import { CONFIRMING, ConfirmFields, type Confirming, confirmationOf } from './ConfirmFields.tsx';
import { LanguagePicker } from './LanguagePicker.tsx';
import { PictureField } from './PictureField.tsx';
import { SingleKeyShortcuts } from './SingleKeyShortcuts.tsx';
import { useAccountForm } from './useAccountForm.ts';

type Values = Settings['account'] & Confirming;

const FIELDS = ['name', 'email', 'avatar'] as const;
const LABELS: Record<string, string> = { name: msg('Name'), email: msg('Email'), avatar: msg('Profile picture') };

/** The profile: picture, name, e-mail; and the account's data. */
export function AccountTab({ settings: { account, availability, keyboard, language } }: { settings: Settings }) {
  const settings = useAccountForm<Values>({
    section: 'account',
    values: useMemo(() => ({ ...account, ...CONFIRMING }), [account]),
    fields: FIELDS,
    dataOf: ({ name, email, avatar, ...confirming }, changed) => ({
      ...(changed.includes('name') && { name: name.trim() }),
      ...(moves(email, account) && { email: email.trim(), ...confirmationOf(confirming) }),
      // Only a new picture, a data URL, is sent.
      ...(changed.includes('avatar') && { avatar }),
    }),
    saved: t('Profile updated successfully'),
    failed: t('Update failed'),
    onSaved: ({ resetField }) => {
      resetField('currentPassword');
      resetField('code');
    },
    fieldOf: (failure) => {
      if (!(failure instanceof ApiError)) return undefined;
      if (failure.errors.some(({ path }) => path === 'recoveryCode')) return 'code';
      return failure.code === 'EMAIL_TAKEN' ? 'email' : undefined;
    },
  });
  const { register, watch, setValue, formState } = settings.form;
  const { errors, isSubmitting: busy } = formState;
  const [name, email, avatar] = watch(['name', 'email', 'avatar']);
  const movesMail = moves(email, account);

  return (
    <div className="grid max-w-xl items-start gap-10 xl:max-w-none xl:grid-cols-2 xl:gap-16">
      <form noValidate onSubmit={settings.submit} className="flex min-w-0 flex-col gap-6">
        <PictureField label={t('Profile picture')} value={avatar} onChange={(picture) => setValue('avatar', picture)}>
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
          <FormProvider {...settings.form}>
            <ConfirmFields hint={t('A new email address needs your password.')} />
          </FormProvider>
        )}
        <SettingsConflicts settings={settings} labelOf={(field) => t(LABELS[field] ?? '')} />
        <div>
          <Button type="submit" busy={busy}>
            {busy ? t('Saving...') : t('Save Changes')}
          </Button>
        </div>
      </form>
      <div className="flex min-w-0 flex-col gap-10">
        <LanguagePicker {...language} />
        <AutoAway {...availability} />
        <SingleKeyShortcuts {...keyboard} />
        <AccountData />
      </div>
    </div>
  );
}

const moves = (email: string, account: Settings['account']) => email.trim().toLowerCase() !== account.email;

import { type ReactNode, useId, useMemo } from 'react';
import { Controller } from 'react-hook-form';
import { SESSION_TIMEOUT_HOURS, type SecuritySettings, type Settings } from 'server/contract';
import { useProvider } from '#features/oidc';
import { plural, t } from '../../lib/i18n.ts';
import { SettingsConflicts } from '../../shared/settingsForm/SettingsConflicts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { ApiKeys, KeysOutlast } from './apikeys/ApiKeys.tsx';
import { Connection } from './Connection.tsx';
import { Devices } from './Devices.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { TwoFactor } from './TwoFactor.tsx';
import { useAccountForm } from './useAccountForm.ts';

const WEEK_HOURS = 168;
const TIMEOUT = ['sessionTimeout'] as const;

const timeouts = () =>
  SESSION_TIMEOUT_HOURS.map((hours) => ({
    value: String(hours),
    label: hours === WEEK_HOURS ? t('1 week') : plural(hours, '{count} hour', '{count} hours'),
  }));

/** How one signs in, where one is signed in, and the API keys. */
export function SecurityTab({ settings: { security } }: { settings: Settings }) {
  const provider = useProvider();
  return (
    <div className="grid max-w-xl items-start gap-10 xl:max-w-none xl:grid-cols-2 xl:gap-16">
      <div className="flex min-w-0 flex-col gap-10">
        {provider && (
          <Part title={t('Sign-in with {name}', { name: provider.name })}>
            <Connection provider={provider} />
          </Part>
        )}
        <TwoFactor on={security.twoFactorEnabled} />
        <SessionTimeout sessionTimeout={security.sessionTimeout} />
        <Part title={t('Password')} text={t('A new password signs out every other device.')}>
          <PasswordForm />
          <KeysOutlast />
        </Part>
      </div>
      <div className="flex min-w-0 flex-col gap-10">
        <Part title={t('Signed-in devices')}>
          <Devices />
        </Part>
        <ApiKeys />
      </div>
    </div>
  );
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {text && <p className="text-muted">{text}</p>}
      </div>
      {children}
    </section>
  );
}

function SessionTimeout({ sessionTimeout }: Pick<SecuritySettings, 'sessionTimeout'>) {
  const settings = useAccountForm<{ sessionTimeout: string }>({
    section: 'security',
    values: useMemo(() => ({ sessionTimeout: String(sessionTimeout) }), [sessionTimeout]),
    fields: TIMEOUT,
    dataOf: (values) => ({ sessionTimeout: Number(values.sessionTimeout) }),
    saved: t('Security settings saved'),
    failed: t('Your security settings could not be saved.'),
  });
  const { control, formState } = settings.form;
  return (
    <form onSubmit={settings.submit} className="flex flex-col gap-4">
      <Controller
        control={control}
        name="sessionTimeout"
        render={({ field, fieldState }) => (
          <Field
            label={t('Session timeout')}
            hint={t('A device that is not used for this long is signed out.')}
            error={fieldState.error?.message}
          >
            <Select value={field.value} onValueChange={field.onChange} options={timeouts()} />
          </Field>
        )}
      />
      <SettingsConflicts
        settings={settings}
        labelOf={() => t('Session timeout')}
        textOf={(_, value) => timeouts().find((each) => each.value === value)?.label ?? ''}
      />
      <div>
        <Button type="submit" busy={formState.isSubmitting}>
          {formState.isSubmitting ? t('Saving...') : t('Save')}
        </Button>
      </div>
    </form>
  );
}

import { type ReactNode, useId } from 'react';
import { Controller, useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { SESSION_TIMEOUT_HOURS, type SecuritySettings, type Settings } from 'server/contract';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { onDemand } from '../../ui/onDemand.ts';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useSaveSettings } from './api.ts';
import { Devices } from './Devices.tsx';
import { showFormErrors } from './formErrors.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { TwoFactor } from './TwoFactor.tsx';

const apiKeys = onDemand(() => import('./apikeys/ApiKeys.tsx'));

const WEEK_HOURS = 168;

const timeouts = () =>
  SESSION_TIMEOUT_HOURS.map((hours) => ({
    value: String(hours),
    label: hours === WEEK_HOURS ? t('1 week') : plural(hours, '{count} hour', '{count} hours'),
  }));

/** How one signs in, where one is signed in, and the API keys. */
export function SecurityTab({ settings: { security } }: { settings: Settings }) {
  const keys = apiKeys.usePart(true);
  return (
    <div className="grid max-w-xl items-start gap-10 xl:max-w-none xl:grid-cols-2 xl:gap-16">
      <div className="flex min-w-0 flex-col gap-10">
        <TwoFactor on={security.twoFactorEnabled} />
        <SessionTimeout sessionTimeout={security.sessionTimeout} />
        <Part title={t('Password')} text={t('A new password signs out every other device.')}>
          <PasswordForm />
          {keys && <keys.KeysOutlast />}
        </Part>
      </div>
      <div className="flex min-w-0 flex-col gap-10">
        <Part title={t('Signed-in devices')}>
          <Devices />
        </Part>
        {keys ? <keys.ApiKeys /> : <Skeleton className="h-40 w-full" />}
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
  const form = useForm({ values: { sessionTimeout: String(sessionTimeout) } });
  const save = useSaveSettings();
  const busy = form.formState.isSubmitting;
  const submit = form.handleSubmit(async (values) => {
    const hours = SESSION_TIMEOUT_HOURS.find((each) => String(each) === values.sessionTimeout) ?? sessionTimeout;
    try {
      await save.mutateAsync({ section: 'security', data: { sessionTimeout: hours } });
      toast.success(t('Security settings saved'));
    } catch (failure) {
      showFormErrors(form, ['sessionTimeout'], failure, t('Your security settings could not be saved.'));
    }
  });
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Controller
        control={form.control}
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
      <div>
        <Button type="submit" busy={busy}>
          {busy ? t('Saving...') : t('Save')}
        </Button>
      </div>
    </form>
  );
}

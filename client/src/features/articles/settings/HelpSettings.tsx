import { useMemo } from 'react';
import { FormProvider, type UseFormReturn, useFormContext } from 'react-hook-form';
import toast from 'react-hot-toast';
import { HELP_HANDLE_MAX_LENGTH, type HelpCenter, type Site } from 'server/contract';
import { useAuth } from '../../../lib/auth.tsx';
import { ApiError, failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { LeftChanges } from '../../../shared/settingsForm/LeaveGuard.tsx';
import { SettingsConflicts } from '../../../shared/settingsForm/SettingsConflicts.tsx';
import { useSettingsForm } from '../../../shared/settingsForm/useSettingsForm.ts';
import { translated } from '../../../shared/translated.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useHelpCenter, usePatchHelp } from '../api.ts';
import { FootLinks } from './FootLinks.tsx';
import { HELP_FIELDS, type HelpValues, helpDraftKey, LABELS, patchOf, valuesOf, WIDGET_CHOICES } from './helpForm.ts';
import { LanguageFields } from './LanguageFields.tsx';

/** The field whose value another help centre has. */
const TAKEN: Record<string, 'handle' | 'host'> = { HELP_HANDLE_TAKEN: 'handle', HELP_HOST_TAKEN: 'host' };

/** The settings of a help centre. */
export function HelpSettings({ site, help }: { site: Site; help: HelpCenter }) {
  const { user } = useAuth();
  const draftKey = helpDraftKey(user?._id ?? '', site._id);
  const patch = usePatchHelp(site._id);
  const { refetch } = useHelpCenter(site._id);
  const settings = useSettingsForm({
    draftKey,
    values: useMemo(() => valuesOf(help), [help]),
    fields: HELP_FIELDS,
    save: (values, base, changed) => patch.mutateAsync(patchOf(values, base, changed)),
    reload: async () => {
      const { data } = await refetch({ throwOnError: true });
      return valuesOf(data ?? help);
    },
    onSaved: () => void toast.success(t('Saved')),
    onFailed: (failure, first) => {
      const { code } = failure instanceof ApiError ? failure : {};
      const taken = code ? TAKEN[code] : undefined;
      const text = failureText(failure, t('The settings could not be saved.'));
      if (taken) form.setError(taken, { message: text }, { shouldFocus: true });
      else if (first) form.setFocus(first);
      else toast.error(text);
    },
  });
  const { submit, isDirty } = settings;
  const form: UseFormReturn<HelpValues> = settings.form;
  const { errors, isSubmitting } = form.formState;
  const [widget, handle] = form.watch(['widget', 'handle']);
  const choices = translated(WIDGET_CHOICES);
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-7">
        <LeftChanges draftKey={draftKey} />
        <Checkbox
          {...form.register('enabled')}
          label={t(LABELS.enabled)}
          hint={t('The public pages are shown, and the widget finds articles.')}
        />
        <Field
          label={t(LABELS.handle)}
          hint={<bdi className="address wrap-anywhere">{[location.origin, 'help', handle].join('/')}</bdi>}
          error={errors.handle?.message}
        >
          <Input
            {...form.register('handle', { validate: (text) => text.trim() !== '' || t('Enter an address') })}
            dir="ltr"
            maxLength={HELP_HANDLE_MAX_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <HostField domain={site.domain} />
        <LanguageFields />
        <Field label={t(LABELS.widget)} hint={choices.find(({ value }) => value === widget)?.hint}>
          <Select
            value={widget}
            onValueChange={(value) => form.setValue('widget', value, { shouldDirty: true })}
            options={choices}
          />
        </Field>
        <FootLinks />
        <Checkbox
          {...form.register('agentsEdit')}
          label={t(LABELS.agentsEdit)}
          hint={t('Otherwise only admins do. Everybody on the team can read them.')}
        />
        <SettingsConflicts settings={settings} labelOf={(field) => t(LABELS[field as keyof typeof LABELS])} />
        <Button type="submit" busy={isSubmitting} disabled={!isDirty} className="self-start">
          {t('Save Changes')}
        </Button>
      </form>
    </FormProvider>
  );
}

function HostField({ domain }: { domain: string }) {
  const { register, formState } = useFormContext<HelpValues>();
  const server = location.hostname;
  const host = ['help', domain].join('.');
  return (
    <Field
      label={t(LABELS.host)}
      hint={
        <span className="flex flex-col items-start gap-2">
          {t(
            'Such as {host}; empty for none. Its DNS needs a CNAME record that names {server}, and the proxy before Parley a certificate for it.',
            { host, server },
          )}
          <CopyButton text={server} label={t('Copy {server}', { server })} />
        </span>
      }
      error={formState.errors.host?.message}
    >
      <Input
        {...register('host')}
        dir="ltr"
        placeholder={host}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
      />
    </Field>
  );
}

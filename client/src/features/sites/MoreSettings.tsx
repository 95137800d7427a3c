import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { AUTO_CLOSE_HOURS_MAX, PRIVACY_URL_MAX_LENGTH, RETENTION_DAYS_MAX, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input, Textarea } from '../../ui/Input.tsx';
import { IdentitySecret } from './IdentitySecret.tsx';
import { OfficeHoursField } from './OfficeHoursField.tsx';
import { hoursProblem } from './officeHours.ts';
import type { SiteForm } from './siteForm.ts';

/** What few sites need, folded away. @param open unfolds it: something in it is wrong */
export function MoreSettings({ open, children }: { open: boolean; children: ReactNode }) {
  return (
    <details open={open || undefined} className="group border-t pt-5">
      <summary className="flex w-fit items-center gap-1.5 font-medium">
        <ChevronRight
          size={16}
          aria-hidden
          className="text-muted transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
        />
        {t('More')}
      </summary>
      <div className="flex flex-col gap-8 pt-5">{children}</div>
    </details>
  );
}

/** Any page may carry a new site's widget, also where it is still being built; one click leaves that to its own pages. */
function OwnDomainOnly({ form: { control, setValue } }: { form: SiteForm }) {
  const [domain, allowed] = useWatch({ control, name: ['domain', 'settings.allowedDomains'] });
  if (domain.trim() === '' || allowed.some((line) => line.trim() !== '')) return null;
  const allow = () => setValue('settings.allowedDomains', [domain.trim()], { shouldDirty: true, shouldValidate: true });
  return (
    <Button type="button" variant="secondary" size="sm" className="-mt-4 self-start" onClick={allow}>
      {t('Allow only {domain}', { domain: domain.trim() })}
    </Button>
  );
}

interface MoreFieldsProps {
  form: SiteForm;
  site: Site;
  mayEdit: boolean;
}

/** The settings under 'More'. */
export function MoreFields({ form, site, mayEdit }: MoreFieldsProps) {
  const { register, control, formState } = form;
  const errors = formState.errors.settings;
  return (
    <div className="flex flex-col gap-6">
      <Controller
        control={control}
        name="settings.allowedDomains"
        render={({ field, fieldState }) => (
          <Field
            label={t('Allowed domains')}
            hint={t('One per line. The widget only works on pages of these domains. Leave it empty to allow all.')}
            error={fieldState.error?.message}
          >
            <Textarea
              value={field.value.join('\n')}
              onChange={({ target }) => field.onChange(target.value === '' ? [] : target.value.split('\n'))}
              spellCheck={false}
              autoCapitalize="none"
              placeholder={'example.com\nshop.example.com'}
            />
          </Field>
        )}
      />
      {mayEdit && <OwnDomainOnly form={form} />}
      <Field
        label={t('Privacy notice')}
        hint={t('Its web address. The widget links to it. Leave it empty if you have none.')}
        error={errors?.privacyUrl?.message}
      >
        <Input
          {...register('settings.privacyUrl')}
          type="url"
          maxLength={PRIVACY_URL_MAX_LENGTH}
          autoComplete="off"
          placeholder="https://example.com/privacy"
        />
      </Field>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <Field
          label={t('Close silent chats after (hours)')}
          hint={t('0: they stay open until somebody closes them.')}
          error={errors?.autoCloseHours?.message}
        >
          <Input {...register('settings.autoCloseHours', whole(AUTO_CLOSE_HOURS_MAX))} type="number" min={0} />
        </Field>
        <Field
          label={t('Delete closed chats after (days)')}
          hint={t('0: they are kept forever. Deleted chats cannot be restored.')}
          error={errors?.retentionDays?.message}
        >
          <Input {...register('settings.retentionDays', whole(RETENTION_DAYS_MAX))} type="number" min={0} />
        </Field>
      </div>
      <Checkbox
        {...register('settings.visitorPages')}
        label={t('Visitors now')}
        hint={t(
          'The team sees who is on the website and on which page, and can start a chat. Mention it in your privacy notice.',
        )}
      />
      <Checkbox
        {...register('settings.maskCards')}
        label={t('Mask card numbers')}
        hint={t(
          'Only the last four digits of a card number are kept, in messages, notes, forms and ratings. The sender sees it at once.',
        )}
      />
      <Controller
        control={control}
        name="settings.hours"
        rules={{ validate: (hours) => hoursProblem(hours) ?? true }}
        render={({ field, fieldState }) => (
          <OfficeHoursField value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
        )}
      />
      <div className="flex flex-col gap-4">
        <Checkbox
          {...register('settings.identityVerification')}
          label={t('Identity verification')}
          hint={t(
            'Your website identifies its signed-in visitors with a token that your server signs; identify is refused without one. The documentation shows how, under Examples.',
          )}
        />
        {mayEdit && <IdentitySecret siteId={site._id} />}
      </div>
    </div>
  );
}

function whole(max: number) {
  return {
    valueAsNumber: true,
    validate: (value: number) =>
      (Number.isInteger(value) && value >= 0 && value <= max) || t('Enter a whole number from 0 to {max}', { max }),
  };
}

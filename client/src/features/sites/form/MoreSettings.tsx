import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { AUTO_CLOSE_HOURS_MAX, PRIVACY_URL_MAX_LENGTH, RETENTION_DAYS_MAX, type Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { OfficeHoursField } from '../../../shared/officeHours/OfficeHoursField.tsx';
import { hoursProblem } from '../../../shared/officeHours/officeHours.ts';
import { Button } from '../../../ui/Button.tsx';
import { Input } from '../../../ui/Input.tsx';
import { IdentitySecret } from './IdentitySecret.tsx';
import { SiteCheckbox, SiteField, SiteLines, whole } from './SiteField.tsx';
import type { SiteValues } from './siteForm.ts';

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
function OwnDomainOnly() {
  const { setValue, watch } = useFormContext<SiteValues>();
  const [domain, allowed] = watch(['domain', 'settings.allowedDomains']);
  if (domain.trim() === '' || allowed.some((line) => line.trim() !== '')) return null;
  const allow = () => setValue('settings.allowedDomains', [domain.trim()], { shouldDirty: true, shouldValidate: true });
  return (
    <Button type="button" variant="secondary" size="sm" className="-mt-4 self-start" onClick={allow}>
      {t('Allow only {domain}', { domain: domain.trim() })}
    </Button>
  );
}

/** The settings under 'More'. */
export function MoreFields({ site, mayEdit }: { site: Site; mayEdit: boolean }) {
  const { register } = useFormContext<SiteValues>();
  return (
    <div className="flex flex-col gap-6">
      <SiteLines
        name="settings.allowedDomains"
        hint={t('One per line. The widget only works on pages of these domains. Leave it empty to allow all.')}
        placeholder={'example.com\nshop.example.com'}
      />
      {mayEdit && <OwnDomainOnly />}
      <SiteField
        name="settings.privacyUrl"
        hint={t('Its web address. The widget links to it. Leave it empty if you have none.')}
      >
        <Input
          {...register('settings.privacyUrl')}
          type="url"
          maxLength={PRIVACY_URL_MAX_LENGTH}
          autoComplete="off"
          placeholder="https://example.com/privacy"
        />
      </SiteField>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <SiteField name="settings.autoCloseHours" hint={t('0: they stay open until somebody closes them.')}>
          <Input {...register('settings.autoCloseHours', whole(AUTO_CLOSE_HOURS_MAX))} type="number" min={0} />
        </SiteField>
        <SiteField
          name="settings.retentionDays"
          hint={t(
            'Counted from the close, or the last message of an open chat. 0: they are kept forever. Deleted chats cannot be restored.',
          )}
        >
          <Input {...register('settings.retentionDays', whole(RETENTION_DAYS_MAX))} type="number" min={0} />
        </SiteField>
      </div>
      <SiteCheckbox
        name="settings.visitorPages"
        hint={t(
          'The team sees who is on the website and on which page, and can start a chat. Mention it in your privacy notice.',
        )}
      />
      <SiteCheckbox
        name="settings.typingPreview"
        hint={t(
          'Whoever has a chat open sees what the visitor types before it is sent. The widget tells visitors so; it is stored nowhere. Mention it in your privacy notice.',
        )}
      />
      <SiteCheckbox
        name="settings.maskCards"
        hint={t(
          'Only the last four digits of a card number are kept, in messages, notes, forms and ratings. The sender sees it at once.',
        )}
      />
      <Controller<SiteValues, 'settings.hours'>
        name="settings.hours"
        rules={{ validate: (hours) => hoursProblem(hours) ?? true }}
        render={({ field, fieldState }) => (
          <OfficeHoursField value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
        )}
      />
      <div className="flex flex-col gap-4">
        <SiteCheckbox
          name="settings.identityVerification"
          hint={t(
            'Your website identifies its signed-in visitors with a token that your server signs; identify is refused without one. The documentation shows how, under Examples.',
          )}
        />
        {mayEdit && <IdentitySecret siteId={site._id} />}
      </div>
    </div>
  );
}

import { useFormContext } from 'react-hook-form';
import { SITE_NAME_MAX_LENGTH } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Input } from '../../../ui/Input.tsx';
import { SiteCheckbox, SiteField } from './SiteField.tsx';
import type { SiteValues } from './siteForm.ts';

/** Name, domain and how chats are handled: what creating and changing a site have in common. */
export function GeneralFields() {
  const { register, setValue, formState } = useFormContext<SiteValues>();
  return (
    <div className="flex flex-col gap-6">
      <SiteField name="name">
        <Input
          {...register('name', { validate: (name) => name.trim() !== '' || t('Enter a name for the site') })}
          required
          maxLength={SITE_NAME_MAX_LENGTH}
          autoComplete="off"
          placeholder={t('My Website')}
        />
      </SiteField>
      <SiteField name="domain" hint={t('Enter your domain without http:// or https://')}>
        <Input
          {...register('domain', { validate: (domain) => domain.trim() !== '' || t('Enter the domain of the site') })}
          onPaste={(event) => {
            const pasted = hostIn(event.clipboardData.getData('text'));
            if (pasted === null) return;
            event.preventDefault();
            setValue('domain', pasted, { shouldDirty: true, shouldValidate: formState.isSubmitted });
          }}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          placeholder="example.com"
        />
      </SiteField>
      <fieldset className="flex flex-col gap-4 border-t pt-6">
        <legend className="sr-only">{t('Settings')}</legend>
        <SiteCheckbox
          name="settings.autoAssign"
          hint={t('A new chat goes to the online agent with the fewest chats.')}
        />
        <SiteCheckbox
          name="settings.notifications"
          hint={t('The team gets a mail when a visitor writes and nobody is online.')}
        />
        <SiteCheckbox
          name="settings.offlineMode"
          hint={t('The widget says that you are offline, even if somebody is online.')}
        />
      </fieldset>
    </div>
  );
}

/** A whole web address is pasted for its host. @returns null for any other text */
function hostIn(text: string): string | null {
  const address = text.trim();
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address).host : null;
}

import { Controller, useFormContext } from 'react-hook-form';
import { t } from '../../../lib/i18n.ts';
import { SiteSelect } from '../form/SiteField.tsx';
import { PRE_CHAT } from '../form/siteFields.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { ConsentField, PreChatFields } from './PreChatFields.tsx';
import { consentProblem, fieldsProblem } from './preChat.ts';

/** What the forms of the widget ask for. */
export function FormSettings() {
  const { control, watch } = useFormContext<SiteValues>();
  const preChat = watch('settings.preChat');
  return (
    <fieldset className="flex min-w-0 flex-col gap-6">
      <legend className="pb-4 text-base font-semibold">{t('Forms')}</legend>
      <SiteSelect
        name="settings.preChat"
        hint={t(PRE_CHAT.find(({ value }) => value === preChat)?.hint ?? '')}
        options={PRE_CHAT}
      />
      {preChat !== 'off' && (
        <Controller
          control={control}
          name="settings.preChatFields"
          rules={{ validate: (fields) => fieldsProblem(fields) ?? true }}
          render={({ field, fieldState }) => (
            <PreChatFields
              value={field.value}
              preChat={preChat}
              onChange={field.onChange}
              error={fieldState.error?.message}
            />
          )}
        />
      )}
      <Controller
        control={control}
        name="settings.consent"
        rules={{ validate: (consent) => consentProblem(consent) ?? true }}
        render={({ field, fieldState }) => (
          <ConsentField value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
        )}
      />
    </fieldset>
  );
}

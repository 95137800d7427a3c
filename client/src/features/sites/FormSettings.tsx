import { Controller, useWatch } from 'react-hook-form';
import { t } from '../../lib/i18n.ts';
import { translated } from '../../shared/translated.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { ConsentField, PreChatFields } from './PreChatFields.tsx';
import { consentProblem, fieldsProblem } from './preChat.ts';
import { PRE_CHAT } from './siteFields.ts';
import type { SiteForm } from './siteForm.ts';

/** What the forms of the widget ask for. */
export function FormSettings({ form: { control, formState } }: { form: SiteForm }) {
  const preChat = useWatch({ control, name: 'settings.preChat' });
  return (
    <fieldset className="flex min-w-0 flex-col gap-6">
      <legend className="pb-4 text-base font-semibold">{t('Forms')}</legend>
      <Controller
        control={control}
        name="settings.preChat"
        render={({ field }) => (
          <Field
            label={t('Form before the chat')}
            hint={t(PRE_CHAT.find(({ value }) => value === field.value)?.hint ?? '')}
            error={formState.errors.settings?.preChat?.message}
          >
            <Select value={field.value} onValueChange={field.onChange} options={translated(PRE_CHAT)} />
          </Field>
        )}
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

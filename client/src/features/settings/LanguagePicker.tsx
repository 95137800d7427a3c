import toast from 'react-hot-toast';
import type { Language, LanguageSettings } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { chooseLanguage } from '../../lib/languages.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSaveAtOnce } from './api.ts';

/** Each in its own language, so that its readers find it. */
const NAMES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ar: 'العربية',
} satisfies Record<Language, string>;

/** The language of the dashboard, for this user on all devices; saved and shown at once. */
export function LanguagePicker({ language }: LanguageSettings) {
  const { save, isPending } = useSaveAtOnce();
  const choose = (chosen: LanguageSettings['language']) =>
    void save({ section: 'language', data: { language: chosen } }, async () => {
      await chooseLanguage(chosen === 'auto' ? undefined : chosen);
      toast.success(t('Saved'));
    });
  const options = [
    { value: 'auto' as const, label: t("Browser's language") },
    ...Object.entries(NAMES).map(([value, label]) => ({ value: value as Language, label })),
  ];
  return (
    <section aria-labelledby="language" className="flex flex-col gap-3">
      <h2 id="language" className="text-base font-semibold">
        {t('Language')}
      </h2>
      <Field
        label={t('Language of the dashboard')}
        hint={t('Only of what you see: the widget speaks the language of its page.')}
      >
        <Select value={language} onValueChange={choose} options={options} disabled={isPending} />
      </Field>
    </section>
  );
}

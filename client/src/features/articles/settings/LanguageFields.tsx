import { useFormContext } from 'react-hook-form';
import { ARTICLE_LANGUAGES, type ArticleLanguage } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { languageName } from '../words.ts';
import { type HelpValues, LABELS } from './helpForm.ts';

/** The languages of a help centre: the main one, and those that it is translated to. */
export function LanguageFields() {
  const { watch, setValue, formState } = useFormContext<HelpValues>();
  const [main, others] = watch(['language', 'languages']);
  const toggle = (lang: ArticleLanguage, isWanted: boolean) =>
    setValue(
      'languages',
      ARTICLE_LANGUAGES.filter((each) => (each === lang ? isWanted : others.includes(each))),
      { shouldDirty: true },
    );
  return (
    <>
      <Field
        label={t(LABELS.language)}
        hint={t('Articles are written in it first. It stands in where a translation is missing.')}
        error={formState.errors.language?.message}
      >
        <Select
          value={main}
          onValueChange={(value) => setValue('language', value, { shouldDirty: true })}
          options={ARTICLE_LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
        />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-2 font-medium">{t(LABELS.languages)}</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-2.5 sm:grid-cols-3">
          {ARTICLE_LANGUAGES.filter((lang) => lang !== main).map((lang) => (
            <Checkbox
              key={lang}
              label={languageName(lang)}
              checked={others.includes(lang)}
              onChange={({ target }) => toggle(lang, target.checked)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

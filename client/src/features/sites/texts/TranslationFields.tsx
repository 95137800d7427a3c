import { Controller, useFormContext } from 'react-hook-form';
import type { SiteTexts, WidgetLanguage } from 'server/contract';
import { directionOf, languageName } from '#features/articles';
import { useDepartments } from '#features/departments';
import { t } from '../../../lib/i18n.ts';
import { Field } from '../../../ui/Field.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import type { SiteValues } from '../form/siteForm.ts';
import { type Translatable, translatables } from './translations.ts';

/** The site's texts in one more language: each beside its main text, which shows where there is none. */
export function TranslationFields({ siteId, language }: { siteId: string; language: WidgetLanguage }) {
  const { control, watch } = useFormContext<SiteValues>();
  const departments = useDepartments(siteId).data ?? [];
  const groups = translatables(
    watch(),
    departments.filter(({ visible }) => visible),
  );
  const all = groups.flatMap(({ texts }) => texts);
  return (
    <Controller
      control={control}
      name={`settings.translations.${language}`}
      render={({ field, fieldState }) => {
        const texts = field.value ?? {};
        const written = all.filter(({ read }) => read(texts) !== '').length;
        return (
          <div className="flex min-w-0 flex-col gap-8">
            <p className="text-muted">
              {t('{written} of {all} texts are in {language}. The others show the main text.', {
                written,
                all: all.length,
                language: languageName(language),
              })}
            </p>
            {fieldState.error && (
              <p role="alert" className="text-sm font-medium text-danger">
                {String(fieldState.error.message)}
              </p>
            )}
            {groups.map(({ title, texts: ofGroup }) => (
              <fieldset key={title} className="flex min-w-0 flex-col gap-6">
                <legend className="pb-4 text-base font-semibold">{title}</legend>
                {ofGroup.map((text) => (
                  <TextField key={text.key} text={text} texts={texts} language={language} onChange={field.onChange} />
                ))}
              </fieldset>
            ))}
          </div>
        );
      }}
    />
  );
}

interface TextFieldProps {
  text: Translatable;
  texts: SiteTexts;
  language: WidgetLanguage;
  onChange: (texts: SiteTexts) => void;
}

function TextField({ text: { label, main, max, isLong, read, write }, texts, language, onChange }: TextFieldProps) {
  const value = read(texts);
  const Control = isLong ? Textarea : Input;
  return (
    <Field label={label} hint={value === '' ? t('Shows the main text.') : main}>
      <Control
        lang={language}
        // An empty one shows the main text, in whatever direction that runs.
        dir={value === '' ? 'auto' : directionOf(language)}
        value={value}
        maxLength={max}
        placeholder={main}
        onChange={({ target }) => onChange(write(texts, target.value))}
      />
    </Field>
  );
}

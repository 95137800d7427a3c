import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { WIDGET_LANGUAGES, type WidgetLanguage } from 'server/contract';
import { languageName } from '#features/articles';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import type { SiteValues } from '../form/siteForm.ts';

interface LanguageSwitcherProps {
  /** Whose texts are edited; null: the main ones. */
  language: WidgetLanguage | null;
  onChange: (language: WidgetLanguage | null) => void;
  mayEdit: boolean;
}

/** Chooses in which language the site's texts are edited, adds one, removes one, and says which one is the main one. */
export function LanguageSwitcher({ language, onChange, mayEdit }: LanguageSwitcherProps) {
  const { setValue, watch } = useFormContext<SiteValues>();
  const [main, translations] = watch(['settings.mainLanguage', 'settings.translations']);
  const mainTab = useRef<HTMLButtonElement>(null);
  const isThere = (each: WidgetLanguage) => translations[each] != null && each !== main;
  const there = WIDGET_LANGUAGES.filter(isThere);
  const addable = WIDGET_LANGUAGES.filter((each) => !isThere(each) && each !== main);
  const put = (each: WidgetLanguage, texts: object | null) =>
    setValue(`settings.translations.${each}`, texts, { shouldDirty: true });

  function remove(each: WidgetLanguage): void {
    put(each, null);
    onChange(null);
    mainTab.current?.focus();
  }

  return (
    <section aria-label={t('Languages of the texts')} className="flex flex-col gap-4 pb-6">
      <div className="flex flex-wrap items-center gap-2">
        {[null, ...there].map((each) => (
          <button
            key={each}
            ref={each ? undefined : mainTab}
            type="button"
            aria-pressed={language === each}
            onClick={() => onChange(each)}
            className={cx(
              'h-8 rounded-control border px-3 text-sm font-medium',
              language === each ? 'border-accent bg-accent-soft text-text' : 'text-muted hover:text-text',
            )}
          >
            {each ? languageName(each) : mainName(main)}
          </button>
        ))}
        {mayEdit && addable.length > 0 && (
          <DropdownMenu
            align="start"
            trigger={
              <Button type="button" variant="ghost" size="sm">
                <Plus size={14} aria-hidden />
                {t('Add a language')}
              </Button>
            }
          >
            {addable.map((each) => (
              <MenuItem
                key={each}
                onSelect={() => {
                  put(each, {});
                  onChange(each);
                }}
              >
                {languageName(each)}
              </MenuItem>
            ))}
          </DropdownMenu>
        )}
      </div>
      {language === null ? (
        <div className="max-w-2xl">
          <Field
            label={t('Main language')}
            hint={t('Visitors whose language has no texts of its own get the main texts.')}
          >
            <Select
              value={main ?? ''}
              onValueChange={(value) =>
                setValue('settings.mainLanguage', value === '' ? null : value, { shouldDirty: true })
              }
              placeholder={t('Not set')}
              disabled={!mayEdit}
              options={WIDGET_LANGUAGES.filter((each) => translations[each] == null).map((value) => ({
                value,
                label: languageName(value),
              }))}
            />
          </Field>
        </div>
      ) : (
        mayEdit && (
          <Button type="button" variant="secondary" size="sm" className="self-start" onClick={() => remove(language)}>
            {t('Remove {language}', { language: languageName(language) })}
          </Button>
        )
      )}
    </section>
  );
}

const mainName = (main: WidgetLanguage | null) =>
  main ? t('Main language: {language}', { language: languageName(main) }) : t('Main texts');

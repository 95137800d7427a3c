import { type FormEvent, useState } from 'react';
import { ARTICLE_CATEGORY_MAX_LENGTH, type ArticleCategory, type HelpCenter } from 'server/contract';
import { failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { Input } from '../../../ui/Input.tsx';
import { usePutCategories } from '../api.ts';
import { directionOf, languageName } from '../words.ts';

interface CategoryDialogProps {
  siteId: string;
  help: HelpCenter;
  /** Null: a new one. */
  category: ArticleCategory | null;
  onDone: () => void;
}

/** Names a category, in each language of the help centre. */
export function CategoryDialog({ siteId, help, category, onDone }: CategoryDialogProps) {
  const [name, setName] = useState(category?.name ?? {});
  const [problem, setProblem] = useState<string>();
  const put = usePutCategories(siteId);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const names = Object.fromEntries(
      Object.entries(name).flatMap(([lang, text]) => (text.trim() ? [[lang, text.trim()]] : [])),
    );
    if (!names[help.language]) return setProblem(t('Enter a name'));
    const named = { id: category?.id ?? crypto.randomUUID(), name: names };
    try {
      await put.mutateAsync((known) =>
        category ? known.map((each) => (each.id === category.id ? named : each)) : [...known, named],
      );
      onDone();
    } catch (failure) {
      setProblem(failureText(failure, t('The categories could not be changed.')));
    }
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onDone()} title={category ? t('Rename category') : t('New category')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-5">
        {[help.language, ...help.languages].map((lang) => (
          <Field
            key={lang}
            label={help.languages.length > 0 ? t('Name in {language}', { language: languageName(lang) }) : t('Name')}
            error={lang === help.language ? problem : undefined}
          >
            <Input
              lang={lang}
              dir={directionOf(lang)}
              maxLength={ARTICLE_CATEGORY_MAX_LENGTH}
              autoFocus={lang === help.language}
              value={name[lang] ?? ''}
              onChange={({ target }) => setName({ ...name, [lang]: target.value })}
            />
          </Field>
        ))}
        <FormButtons label={t('Save')} busy={put.isPending} onCancel={onDone} />
      </form>
    </Dialog>
  );
}

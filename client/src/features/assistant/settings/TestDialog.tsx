import { type FormEvent, useState } from 'react';
import {
  ARTICLE_LANGUAGES,
  type ArticleLanguage,
  ASSISTANT_QUESTION_MAX_LENGTH,
  type AssistantTestBody,
  type Site,
} from 'server/contract';
import { languageName, useQuestions } from '#features/articles';
import { t } from '../../../lib/i18n.ts';
import { Dialog, type DialogState } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';

/** Stands for 'a person' in a select, whose values may not be empty. */
const PERSON = 'person';
/** As many questions without an answer are offered. */
const OFFERED_MAX = 5;

interface TestDialogProps extends DialogState {
  site: Site;
  /** Null: a new one. */
  test: AssistantTestBody | null;
  /** The main language of the help centre. */
  main: ArticleLanguage;
  articles: readonly { id: string; title: string }[];
  busy: boolean;
  onSave: (test: AssistantTestBody) => void;
}

/** Writes a test question, or takes one that nothing was found for. */
export function TestDialog({ open, onOpenChange, test, ...form }: TestDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={test ? t('Edit the question') : t('Add a question')}>
      <TestForm {...form} test={test} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

type TestFormProps = Omit<TestDialogProps, keyof DialogState> & { onCancel: () => void };

function TestForm({ site, test, main, articles, busy, onSave, onCancel }: TestFormProps) {
  const [question, setQuestion] = useState(test?.question ?? '');
  const [lang, setLang] = useState<ArticleLanguage>(test?.lang ?? main);
  const [article, setArticle] = useState(test?.article ?? null);
  const { data: asked = [] } = useQuestions(site._id);
  const options = articles.map(({ id, title }) => ({ value: id, label: title }));
  const isGone = article !== null && options.every(({ value }) => value !== article);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim() !== '')
      onSave({ _id: test?._id ?? crypto.randomUUID(), question: question.trim(), lang, article });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pt-4">
      <Field label={t('Question of a visitor')}>
        <Textarea
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
          dir="auto"
          maxLength={ASSISTANT_QUESTION_MAX_LENGTH}
          required
        />
      </Field>
      {!test && question === '' && asked.length > 0 && (
        <div className="flex flex-col gap-1.5">
          <p className="text-xs text-muted">{t('Or one that was asked and not found:')}</p>
          <ul className="flex flex-col gap-1">
            {asked.slice(0, OFFERED_MAX).map(({ _id, question: words, lang: of }) => (
              <li key={_id}>
                <button
                  type="button"
                  dir="auto"
                  onClick={() => {
                    setQuestion(words);
                    setLang(ARTICLE_LANGUAGES.find((each) => each === of) ?? main);
                  }}
                  className="w-full rounded-control border px-3 py-1.5 text-start wrap-anywhere hover:border-muted"
                >
                  {words}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Field label={t('Language')}>
        <Select
          value={lang}
          onValueChange={setLang}
          options={ARTICLE_LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
        />
      </Field>
      <Field label={t('Who has the answer')}>
        <Select
          value={article ?? PERSON}
          onValueChange={(value) => setArticle(value === PERSON ? null : value)}
          options={[
            { value: PERSON, label: t('A person') },
            ...options,
            ...(isGone ? [{ value: article, label: t('An article that is not published') }] : []),
          ]}
        />
      </Field>
      <FormButtons label={t('Save')} busy={busy} onCancel={onCancel} />
    </form>
  );
}

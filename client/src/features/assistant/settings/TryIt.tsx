import { type FormEvent, useState } from 'react';
import { ARTICLE_LANGUAGES, type ArticleLanguage, ASSISTANT_QUESTION_MAX_LENGTH, type Site } from 'server/contract';
import { languageName, useHelpCenter } from '#features/articles';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useTry } from '../api.ts';
import { LinkedArticles, RunView } from '../RunView.tsx';

/** Asks a question as a visitor would, and shows all that was done for the answer. */
export function TryIt({ site }: { site: Site }) {
  const { data: help } = useHelpCenter(site._id);
  const [question, setQuestion] = useState('');
  const [chosen, setChosen] = useState<ArticleLanguage>();
  const attempt = useTry(site._id);
  const run = useAction(attempt, { failure: t('The question could not be asked.') });
  const lang = chosen ?? help?.language ?? 'en';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim() !== '') void run({ question, lang });
  };
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t('Question of a visitor')} hint={t('It goes the same way as in a chat, and costs as much.')}>
          <Textarea
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
            dir="auto"
            maxLength={ASSISTANT_QUESTION_MAX_LENGTH}
            required
          />
        </Field>
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-44">
            <Field label={t('Language')}>
              <Select
                value={lang}
                onValueChange={setChosen}
                options={ARTICLE_LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
              />
            </Field>
          </div>
          <Button type="submit" busy={attempt.isPending} disabled={question.trim() === ''}>
            {t('Try it')}
          </Button>
        </div>
      </form>
      <div role="status">{attempt.data && !attempt.isPending && <Outcome {...attempt.data} />}</div>
    </div>
  );
}

type OutcomeProps = NonNullable<ReturnType<typeof useTry>['data']>;

function Outcome({ run, links }: OutcomeProps) {
  if (run) return <RunView run={run} sources={links} />;
  return (
    <section aria-label={t('Answer')} className="flex flex-col gap-3 rounded-card border bg-surface p-4">
      <p>
        {links.length === 0
          ? t('No published article is about it. The question would go to a person.')
          : t('These articles would be shown. Without a model, nothing is answered.')}
      </p>
      {links.length > 0 && <LinkedArticles articles={links} />}
    </section>
  );
}

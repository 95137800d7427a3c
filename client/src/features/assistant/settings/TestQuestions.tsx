import { FlaskConical, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { ASSISTANT_TESTS_MAX, type AssistantTest, type AssistantTestBody, can, type Site } from 'server/contract';
import { titleOf, useArticles, useHelpCenter } from '#features/articles';
import { facts, plural, t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useRunTests, useSaveTests, useTests } from '../api.ts';
import { TestDialog } from './TestDialog.tsx';
import { TestRow } from './TestRow.tsx';

/** Questions with the article that is expected, and what was found last. */
export function TestQuestions({ site }: { site: Site }) {
  const { data, isError, refetch } = useTests(site._id);
  const { data: articles = [] } = useArticles(site._id);
  const { data: help } = useHelpCenter(site._id);
  const [edited, setEdited] = useState<AssistantTestBody | 'new' | null>(null);
  const saving = useSaveTests(site._id);
  const running = useRunTests(site._id);
  const failure = t('The test questions could not be saved.');
  const save = useAction(saving, { failure, onSuccess: () => setEdited(null) });
  const start = useAction(running, { failure: t('The test questions could not be run.') });
  if (!data && isError)
    return <ErrorState what={t('The test questions could not be loaded.')} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40 rounded-card!" />;

  const { tests, rev } = data;
  const mayEdit = can(site, 'sites.edit');
  const main = help?.language ?? 'en';
  const choices = articles
    .filter(({ status }) => status === 'published')
    .map((article) => ({ id: article._id, title: titleOf(article, main) || t('Untitled') }));
  const put = (all: AssistantTestBody[]) => void save({ tests: all.map(bodyOf), rev });
  const keep = (test: AssistantTestBody) => {
    const isKnown = tests.some(({ _id }) => _id === test._id);
    put(isKnown ? tests.map((each) => (each._id === test._id ? test : each)) : [...tests, test]);
  };
  const add = mayEdit && tests.length < ASSISTANT_TESTS_MAX && (
    <Button variant={tests.length > 0 ? 'secondary' : 'primary'} onClick={() => setEdited('new')}>
      <Plus size={18} aria-hidden />
      {t('Add a question')}
    </Button>
  );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="text-muted">
            {t('They are asked again by themselves each time articles are published or withdrawn.')}
          </p>
          <p role="status" className="font-medium empty:hidden">
            {data.running ? t('They are being asked…') : summary(tests)}
          </p>
        </div>
        {tests.length > 0 && mayEdit && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" busy={running.isPending || data.running} onClick={() => void start(undefined)}>
              <Play size={16} aria-hidden />
              {t('Run now')}
            </Button>
            {add}
          </div>
        )}
      </div>
      {tests.length === 0 ? (
        <div className="rounded-card border bg-surface">
          <EmptyState
            icon={FlaskConical}
            title={t('No test questions yet')}
            text={t(
              'Write down what visitors ask, and which article has the answer. You see at once when a change breaks it.',
            )}
            action={add}
          />
        </div>
      ) : (
        <ul aria-label={t('Test questions')} className="divide-y rounded-card border bg-surface">
          {tests.map((test) => (
            <TestRow
              key={test._id}
              test={test}
              expected={choices.find(({ id }) => id === test.article)?.title}
              mayEdit={mayEdit}
              onEdit={() => setEdited(test)}
              onRemove={() => put(tests.filter(({ _id }) => _id !== test._id))}
            />
          ))}
        </ul>
      )}
      <TestDialog
        site={site}
        open={edited !== null}
        test={edited === 'new' ? null : edited}
        main={main}
        articles={choices}
        busy={saving.isPending}
        onOpenChange={(open) => !open && setEdited(null)}
        onSave={keep}
      />
    </div>
  );
}

const bodyOf = ({ _id, question, lang, article }: AssistantTestBody): AssistantTestBody => ({
  _id,
  question,
  lang,
  article,
});

function summary(tests: readonly AssistantTest[]): string {
  const asked = tests.flatMap(({ result }) => result ?? []);
  if (asked.length === 0) return '';
  const passed = asked.filter((result) => result.passed).length;
  return facts(
    plural(passed, '{count} as expected', '{count} as expected'),
    passed < asked.length && plural(asked.length - passed, '{count} otherwise', '{count} otherwise'),
  );
}

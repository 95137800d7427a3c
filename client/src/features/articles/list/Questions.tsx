import { FilePlus, MessageCircleQuestionMark } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import {
  ARTICLE_ALSO_ASKED_MAX_LENGTH,
  ARTICLE_LANGUAGES,
  ARTICLE_TITLE_MAX_LENGTH,
  type ArticleLanguage,
  can,
  type HelpCenter,
  type Site,
  type UnansweredQuestion,
} from 'server/contract';
import { facts, plural, t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useDismissQuestion, useNewArticle, useQuestions } from '../api.ts';
import { languageName } from '../words.ts';

interface QuestionsProps {
  site: Site;
  help: HelpCenter;
}

/** What people looked for and did not find: each becomes a draft with one press. */
export function Questions({ site, help }: QuestionsProps) {
  const { data: questions, isError, refetch } = useQuestions(site._id);
  if (!questions && isError)
    return <ErrorState what={t('The questions could not be loaded.')} onRetry={() => void refetch()} />;
  if (!questions) return <Skeleton className="h-32 rounded-card!" />;
  if (questions.length === 0) {
    return (
      <div className="rounded-card border bg-surface">
        <EmptyState
          icon={MessageCircleQuestionMark}
          title={t('Nothing was looked for in vain')}
          text={t('What visitors search for without finding a good article appears here.')}
        />
      </div>
    );
  }
  return (
    <ul aria-label={t('Asked, not found')} className="divide-y rounded-card border bg-surface">
      {questions.map((question) => (
        <Question key={question._id} site={site} help={help} question={question} />
      ))}
    </ul>
  );
}

function Question({ site, help, question }: QuestionsProps & { question: UnansweredQuestion }) {
  const { _id, question: words, count, lang, lastAt } = question;
  const navigate = useNavigate();
  const begin = useNewArticle(site._id);
  const dismissal = useDismissQuestion(site._id);
  const dismiss = useAction(dismissal, { failure: t('The question could not be dismissed.') });
  const write = useAction(begin, {
    failure: t('The article could not be begun.'),
    onSuccess: (article) => {
      void dismiss(_id);
      void navigate(paths.article(article._id), { state: { isNew: true } });
    },
  });
  const known = ARTICLE_LANGUAGES.find((each) => each === lang);
  const written = known && help.languages.includes(known) ? known : help.language;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className="font-medium wrap-anywhere">
          {words}
        </p>
        <p className="text-xs text-muted">
          {facts(plural(count, 'asked once', 'asked {count} times'), known && languageName(known))} ·{' '}
          <Time at={lastAt} />
        </p>
      </div>
      {can(site, 'articles.edit') && (
        <div className="flex gap-2">
          <Button variant="ghost" size="sm" busy={dismissal.isPending} onClick={() => void dismiss(_id)}>
            {t('Dismiss')}
          </Button>
          <Button
            variant="secondary"
            size="sm"
            busy={begin.isPending}
            onClick={() => void write(draftOf(words, written))}
          >
            <FilePlus size={16} aria-hidden />
            {t('Write the answer')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The draft of an answer. Questions may be longer than titles. */
function draftOf(words: string, lang: ArticleLanguage) {
  const alsoAsked = words.slice(0, ARTICLE_ALSO_ASKED_MAX_LENGTH);
  return { title: words.slice(0, ARTICLE_TITLE_MAX_LENGTH), lang, alsoAsked };
}

import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { AssistantRun, Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { ShowMore } from '../../../ui/ShowMore.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useFailures } from '../api.ts';
import { REASONS } from '../words.ts';

/** The last questions that the assistant gave to people, each with the reason. */
export function Failures({ site }: { site: Site }) {
  const list = useFailures(site._id);
  const runs = list.data?.pages.flatMap((page) => page.runs);
  if (!runs && list.isError)
    return <ErrorState what={t('The questions could not be loaded.')} onRetry={() => void list.refetch()} />;
  if (!runs) return <Skeleton className="h-32 max-w-3xl rounded-card!" />;
  if (runs.length === 0)
    return (
      <div className="max-w-3xl rounded-card border bg-surface">
        <EmptyState
          icon={CircleCheck}
          title={t('Nothing was handed over')}
          text={t('Questions that the assistant gives to a person appear here, with the reason.')}
        />
      </div>
    );
  return (
    <div className="max-w-3xl rounded-card border bg-surface">
      <ul aria-label={t('Handed over')} className="divide-y">
        {runs.map((run) => (
          <Failure key={run._id} run={run} />
        ))}
      </ul>
      <ShowMore of={list} />
    </div>
  );
}

function Failure({ run: { chatId, at, question, reason, detail } }: { run: AssistantRun }) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p dir="auto" className="font-medium wrap-anywhere">
          {question}
        </p>
        <p className="text-muted wrap-anywhere">
          {reason && t(REASONS[reason])} · <Time at={at} />
        </p>
        {detail && (
          <p dir="auto" className="pt-0.5 text-xs text-muted wrap-anywhere">
            {detail}
          </p>
        )}
      </div>
      {chatId ? (
        <Link to={paths.chat(chatId)} className="shrink-0 font-medium text-accent hover:text-accent-strong">
          {t('Open the chat')}
        </Link>
      ) : (
        <span className="shrink-0 text-muted">{t('Tried here')}</span>
      )}
    </li>
  );
}

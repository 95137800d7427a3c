import type { HandOverReason, Site } from 'server/contract';
import { formatCount } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ChartCard } from '../../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { REASONS } from '../words.ts';
import { type AssistantFigures, useAssistantFigures } from './api.ts';

interface AssistantReportProps {
  /** Those whose assistant answers visitors. */
  sites: readonly Site[];
  days: number;
}

/** What the assistant of these sites did: answers by day, whether they helped, and why it handed over. */
export function AssistantReport({ sites, days }: AssistantReportProps) {
  const { figures, isError, refetch } = useAssistantFigures(sites, days);
  if (isError)
    return (
      <div className="rounded-card border bg-surface">
        <ErrorState what={t('The figures could not be loaded.')} onRetry={refetch} />
      </div>
    );
  if (!figures) return <Skeleton className="h-80 rounded-card!" />;
  return (
    <div className="grid gap-3 sm:gap-4 lg:grid-cols-3">
      <Totals figures={figures} days={days} />
      <div className="min-w-0 lg:col-span-2">
        <ChartCard
          kind="bars"
          title={t('Answers of the assistant')}
          unit={t('Answers')}
          empty={t('It answered nothing in these days')}
          values={figures.perDay.map(({ day, answered }) => ({ at: day, value: answered }))}
          words={(answers) => plural(answers, '{count} answer', '{count} answers')}
          isWhole
        />
      </div>
    </div>
  );
}

function Totals({ figures, days }: { figures: AssistantFigures; days: number }) {
  const { answered, helped, notHelped, tokens, handedOver } = figures;
  const reasons = Object.entries(handedOver).sort(([, a], [, b]) => b - a) as [HandOverReason, number][];
  const all = reasons.reduce((sum, [, count]) => sum + count, 0);
  const rows: [name: string, count: number][] = [
    [t('Answered'), answered],
    [t('Helped'), helped],
    [t('Did not help'), notHelped],
    [t('Handed over'), all],
    [t('Tokens'), tokens],
  ];
  return (
    <section aria-labelledby="assistant-report" className="min-w-0 rounded-card border bg-surface p-4 sm:p-5">
      <h2 id="assistant-report" className="text-base font-semibold">
        {t('Assistant')}
      </h2>
      <p className="text-xs text-muted first-letter:uppercase">
        {plural(days, 'last {count} day', 'last {count} days')}
      </p>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 pt-3">
        {rows.map(([name, count]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-end font-medium tabular-nums">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {all > 0 && (
        <>
          <h3 className="pt-4 pb-1.5 font-medium">{t('Why it handed over')}</h3>
          <ul className="flex flex-col gap-2">
            {reasons.map(([reason, count]) => (
              <li key={reason}>
                <span className="flex justify-between gap-4 text-xs">
                  <span className="text-muted">{t(REASONS[reason])}</span>
                  <span className="tabular-nums">{formatCount(count)}</span>
                </span>
                <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-text/10">
                  <span className="block h-full rounded-full bg-accent" style={{ width: `${(count / all) * 100}%` }} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

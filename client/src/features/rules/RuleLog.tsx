import { Link } from 'react-router-dom';
import { RULE_LOG_DAYS, type Rule, type RuleRun } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Select.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { useRuleRuns } from './api.ts';
import type { Targets } from './targets.ts';
import { actionWords, OUTCOMES } from './words.ts';

const ALL = 'all';
/** The id of the heading, to scroll to. */
export const LOG_HEADING = 'rule-log';

interface LogProps {
  siteId: string;
  rules: Rule[];
  targets: Targets;
  /** The id of the rule whose log it is; empty: all. */
  rule: string;
  onRule: (rule: string) => void;
}

/** What rules did, newest first. */
export function RuleLog({ siteId, rules, targets, rule, onRule }: LogProps) {
  const runs = useRuleRuns(siteId, rule);
  return (
    <section aria-labelledby={LOG_HEADING} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h3 id={LOG_HEADING} className="scroll-mt-32 font-semibold">
            {t('What the rules did')}
          </h3>
          <p className="text-muted">{t('Of the last {days} days', { days: RULE_LOG_DAYS })}</p>
        </div>
        {rules.length > 1 && (
          <div className="w-52">
            <Select
              label={t('Rule')}
              value={rule || ALL}
              onValueChange={(next) => onRule(next === ALL ? '' : next)}
              options={[
                { value: ALL, label: t('All rules') },
                ...rules.map(({ _id, name }) => ({ value: _id, label: name })),
              ]}
            />
          </div>
        )}
      </div>
      {runs.data ? (
        <div className="rounded-card border bg-surface">
          {runs.data.length === 0 ? (
            <p className="px-4 py-3 text-muted">{t('Nothing yet.')}</p>
          ) : (
            <ul aria-labelledby={LOG_HEADING} className="divide-y">
              {runs.data.map((run) => (
                <Run key={run._id} run={run} targets={targets} />
              ))}
            </ul>
          )}
          <ShowMore of={runs} />
        </div>
      ) : runs.isPending ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <ErrorState what={t('The log could not be loaded.')} onRetry={() => void runs.refetch()} />
      )}
    </section>
  );
}

function Run({ run, targets }: { run: RuleRun; targets: Targets }) {
  return (
    <li className="px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Link
          to={paths.chat(run.chatId)}
          dir="auto"
          className="font-medium wrap-anywhere text-accent hover:text-accent-strong"
        >
          {visitorName(run.visitorName)}
        </Link>
        <bdi className="text-muted wrap-anywhere">{run.rule.name}</bdi>
        <Time at={run.at} className="text-muted" />
      </p>
      <ul className="flex flex-col gap-1 pt-1.5">
        {run.actions.map(({ action, outcome }, at) => {
          const [label, tone] = OUTCOMES[outcome];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was done does not change.
            <li key={at} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={tone}>{t(label)}</Badge>
              <span className="min-w-0 wrap-anywhere">{actionWords(action, targets)}</span>
            </li>
          );
        })}
      </ul>
    </li>
  );
}

import { Globe } from 'lucide-react';
import { can, type Report } from 'server/contract';
import { loadAssistantReport } from '#features/assistant';
import { useDepartmentsOf } from '#features/departments';
import { formatCount, formatHour } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { NoSites } from '../../shared/SiteEmptyStates.tsx';
import { useSites } from '../../shared/sites.ts';
import { ChartCard } from '../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AgentsCard } from './AgentsCard.tsx';
import { exportTable, useReport } from './api.ts';
import { DepartmentsCard } from './DepartmentsCard.tsx';
import { useReportsLive } from './live.ts';
import { PERIODS, useReportUrl } from './reportUrl.ts';
import { Satisfaction } from './Satisfaction.tsx';

/** Stands for 'not filtered' in a select, whose values may not be empty. */
const ALL = 'all';
const STARS = [0, 1, 2, 3, 4, 5];
const CARD = 'rounded-card border bg-surface';
const GRID = 'grid gap-3 sm:gap-4 lg:grid-cols-3';
const WIDE = 'min-w-0 lg:col-span-2';

const AssistantReport = lazyPart(loadAssistantReport, { waiting: <Skeleton className="h-80 rounded-card!" /> });

/** /dashboard/reports */
export default function ReportsPage() {
  const { siteId, days, department, query, change } = useReportUrl();
  const { data: sites = [], isSuccess } = useSites();
  const { data: report, isPending, isPlaceholderData, refetch } = useReport(query);
  useReportsLive();
  const shown = siteId === '' ? sites : sites.filter(({ _id }) => _id === siteId);
  const departments = useDepartmentsOf(shown.map(({ _id }) => _id));
  // Their figures are not counted by department.
  const assisted = department !== '' ? [] : shown.filter(({ assistantStep }) => assistantStep === 'answer');
  return (
    <div className="flex w-full max-w-7xl flex-col gap-3 px-4 py-6 sm:gap-4 sm:p-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{t('Reports')}</h1>
        <div className="gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2 sm:flex">
          <Select
            label={t('Website')}
            className="sm:min-w-44"
            value={siteId || ALL}
            placeholder={t('Unknown')}
            onValueChange={(value) => change('siteId', value === ALL ? '' : value)}
            options={[
              { value: ALL, label: t('All Websites') },
              ...sites.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
          />
          {(departments.length > 0 || department !== '') && (
            <Select
              label={t('Department')}
              className="sm:min-w-44"
              value={department || ALL}
              placeholder={t('Deleted department')}
              onValueChange={(value) => change('department', value === ALL ? '' : value)}
              options={[
                { value: ALL, label: t('All departments') },
                ...departments.map(({ _id, name }) => ({ value: _id, label: name })),
              ]}
            />
          )}
          <Select
            label={t('Period')}
            className="sm:min-w-36"
            value={String(days)}
            onValueChange={(value) => change('days', value)}
            options={PERIODS.map((period) => ({ value: String(period), label: t('Last {period} days', { period }) }))}
          />
        </div>
      </div>
      {isSuccess && sites.length === 0 ? (
        <div className={CARD}>
          <NoSites
            icon={Globe}
            title={t('No websites yet')}
            text={t('Reports are made of their chats. Add one first.')}
          />
        </div>
      ) : (
        report && (
          <div
            aria-busy={isPlaceholderData}
            className={`flex flex-col gap-3 sm:gap-4 ${isPlaceholderData ? 'opacity-60 transition-opacity' : ''}`}
          >
            <Charts report={report} days={days} />
            {assisted.length > 0 && <AssistantReport sites={assisted} days={days} />}
            {report.suggestionsUsed !== null && <SuggestionsUsed count={report.suggestionsUsed} days={days} />}
            <AgentsCard
              agents={report.agents}
              days={days}
              isOwnOnly={!shown.some((site) => can(site, 'reports.agents'))}
              onExport={() => exportTable(query, 'agents')}
            />
            {report.departments.length > 0 && (
              <DepartmentsCard
                departments={report.departments}
                sites={sites}
                days={days}
                onExport={() => exportTable(query, 'departments')}
              />
            )}
          </div>
        )
      )}
      {isPending && <ReportSkeleton />}
      {!report && !isPending && (
        <div className={CARD}>
          <ErrorState what={t('The report could not be loaded.')} onRetry={() => void refetch()} />
        </div>
      )}
    </div>
  );
}

/** The suggested answers that were sent as they were. */
function SuggestionsUsed({ count, days }: { count: number; days: number }) {
  return (
    <section className={`flex items-baseline justify-between gap-4 px-5 py-4 ${CARD}`}>
      <h2 className="font-medium">
        {t('Suggestions used')}
        <span className="ps-2 text-sm font-normal text-muted">
          {plural(days, 'last {count} day', 'last {count} days')}
        </span>
      </h2>
      <span className="text-xl font-semibold tabular-nums">{formatCount(count)}</span>
    </section>
  );
}

function Charts({ report, days }: { report: Report; days: number }) {
  return (
    <>
      <div className={GRID}>
        <Satisfaction report={report} days={days} />
        <div className={WIDE}>
          <ChartCard
            kind="line"
            title={t('Average rating per day')}
            unit={t('Stars')}
            empty={t('No chats were rated in these days')}
            values={report.perDay.map(({ day, rating }) => ({ at: day, value: rating }))}
            words={(stars) => plural(stars, '{count} star', '{count} stars')}
            ticks={STARS}
          />
        </div>
      </div>
      <ChartCard
        kind="bars"
        title={t('Conversations by hour')}
        unit={t('Conversations')}
        of={{
          head: t('Hour'),
          span: plural(days, 'last {count} day', 'last {count} days'),
          nameOf: (hour) => formatHour(Number(hour)),
        }}
        empty={t('No conversations in these days')}
        values={report.perHour.map((chats, hour) => ({ at: String(hour), value: chats }))}
        words={(chats) => plural(chats, '{count} conversation', '{count} conversations')}
        isWhole
      />
    </>
  );
}

function ReportSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3 sm:gap-4">
      <span className="sr-only">{t('Loading the report')}</span>
      <div className={GRID}>
        <Skeleton className="h-80 rounded-card!" />
        <div className={WIDE}>
          <Skeleton className="h-80 rounded-card!" />
        </div>
      </div>
      <Skeleton className="h-80 rounded-card!" />
      <Skeleton className="h-64 rounded-card!" />
    </div>
  );
}

import type { ReactNode } from 'react';
import type { Overview, Site } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { useSites } from '../../shared/sites.ts';
import { Sparkline } from '../../ui/charts/Sparkline.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const GRID = 'grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4';
const CARDS = [1, 2, 3, 4];

/** The four figures, with a sparkline each. */
export function FigureCards({ overview }: { overview: Overview }) {
  const { data: sites = [] } = useSites();
  const { totalChats, activeChats, growthPercent, avgResponseMinutes, avgResponseMinutesLastWeek, perDay } = overview;
  const enabled = sites.filter((site) => site.widgetEnabled).length;
  return (
    <ul aria-label={t('Figures')} className={GRID}>
      <StatCard
        label={t('Total Chats')}
        value={formatCount(totalChats)}
        note={t('{change} this week', { change: signed(growthPercent) })}
      >
        <Sparkline kind="line" values={totalsOf(overview)} label={t('Total chats, day by day')} />
      </StatCard>
      <StatCard
        label={t('Active Chats')}
        value={formatCount(activeChats)}
        note={plural(perDay.at(-1)?.chats ?? 0, '{count} new today', '{count} new today')}
      >
        <Sparkline kind="bars" values={perDay.map(({ chats }) => chats)} label={t('New chats, day by day')} />
      </StatCard>
      <StatCard
        label={t('Sites')}
        value={String(overview.sites)}
        note={plural(enabled, '{count} with the widget on', '{count} with the widget on')}
      >
        <EachSite sites={sites} />
      </StatCard>
      <StatCard
        label={t('Avg Response')}
        value={minutes(avgResponseMinutes)}
        note={t('{minutes} last week', { minutes: minutes(avgResponseMinutesLastWeek) })}
      >
        <Sparkline
          kind="line"
          values={perDay.map(({ responseMinutes }) => responseMinutes)}
          label={t('Response time, day by day')}
        />
      </StatCard>
    </ul>
  );
}

interface StatCardProps {
  label: string;
  value: string;
  note: string;
  children: ReactNode;
}

function StatCard({ label, value, note, children }: StatCardProps) {
  return (
    <li className="flex min-w-0 flex-col rounded-card border bg-surface p-4 sm:p-5">
      <h2 className="text-muted">{label}</h2>
      <p className="pt-1 text-2xl font-semibold tabular-nums">{value}</p>
      <p className="truncate text-xs text-muted tabular-nums" title={note}>
        {note}
      </p>
      <div className="mt-auto pt-3">{children}</div>
    </li>
  );
}

/** A bar for each site, filled where its widget is on. */
function EachSite({ sites }: { sites: readonly Site[] }) {
  return (
    <div role="img" aria-label={t('Sites, filled where the widget is on')} className="flex h-8 items-center gap-1 pt-1">
      {sites.map(({ _id, name, widgetEnabled }) => (
        <span
          key={_id}
          title={widgetEnabled ? t('{name}: widget on', { name }) : t('{name}: widget off', { name })}
          className={cx('h-2 max-w-16 min-w-0.5 flex-1 rounded-full', widgetEnabled ? 'bg-accent' : 'bg-text/15')}
        />
      ))}
    </div>
  );
}

/** How many chats there were at the end of each day. */
function totalsOf({ totalChats, perDay }: Overview): number[] {
  let later = 0;
  const backwards = perDay.toReversed().map(({ chats }) => {
    const total = totalChats - later;
    later += chats;
    return total;
  });
  return backwards.toReversed();
}

function signed(percent: number | null): string {
  if (percent === null) return '–';
  return `${percent < 0 ? '−' : '+'}${formatCount(Math.abs(percent))}%`;
}

function minutes(value: number | null): string {
  return value === null ? '–' : formatDuration(value);
}

export function FiguresSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3 sm:gap-4">
      <span className="sr-only">{t('Loading figures')}</span>
      <div className={GRID}>
        {CARDS.map((card) => (
          <Skeleton key={card} className="h-39 rounded-card!" />
        ))}
      </div>
      <div className="grid gap-3 sm:gap-4 lg:grid-cols-2">
        <Skeleton className="h-80 rounded-card!" />
        <Skeleton className="h-80 rounded-card!" />
      </div>
    </div>
  );
}

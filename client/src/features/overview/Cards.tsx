import type { Overview, Site } from 'server/contract';
import { useSites } from '../sites/api.ts';
import { Sparkline } from './Sparkline.tsx';

const NO_SITES: readonly Site[] = [];
const GRID = 'grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4';

/** The four figures, each with how it came to be in the days of the charts. */
export function Cards({ overview }: { overview: Overview }) {
  const { data: sites = NO_SITES } = useSites();
  const { totalChats, activeChats, growthPercent, avgResponseMinutes, avgResponseMinutesLastWeek, perDay } = overview;
  const enabled = sites.filter((site) => site.widgetEnabled).length;
  return (
    <ul aria-label="Figures" className={GRID}>
      <StatCard
        label="Total Chats"
        value={totalChats.toLocaleString('en')}
        note={`${signed(growthPercent)} this week`}
        spark={totalsOf(overview)}
        sparkLabel="Total chats, day by day"
      />
      <StatCard
        label="Active Chats"
        value={activeChats.toLocaleString('en')}
        note={`${perDay.at(-1)?.chats ?? 0} new today`}
        spark={perDay.map(({ chats }) => chats)}
        sparkLabel="New chats, day by day"
      />
      <StatCard
        label="Sites"
        value={String(overview.sites)}
        note={`${enabled} with the widget on`}
        spark={perDay.map(({ day }) => sites.filter((site) => site.createdAt.slice(0, 10) <= day).length)}
        sparkLabel="Sites, day by day"
      />
      <StatCard
        label="Avg Response"
        value={minutes(avgResponseMinutes)}
        note={`${minutes(avgResponseMinutesLastWeek)} last week`}
        spark={perDay.map(({ responseMinutes }) => responseMinutes)}
        sparkLabel="Response time, day by day"
      />
    </ul>
  );
}

interface StatCardProps {
  label: string;
  value: string;
  note: string;
  spark: readonly (number | null)[];
  sparkLabel: string;
}

function StatCard({ label, value, note, spark, sparkLabel }: StatCardProps) {
  return (
    <li className="flex min-w-0 flex-col rounded-card border bg-surface p-4 sm:p-5">
      <h2 className="text-muted">{label}</h2>
      <p className="pt-1 text-2xl font-semibold tabular-nums">{value}</p>
      <p className="truncate text-xs text-muted tabular-nums" title={note}>
        {note}
      </p>
      <div className="mt-auto pt-4">
        <Sparkline values={spark} label={sparkLabel} />
      </div>
    </li>
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
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toLocaleString('en')}%`;
}

function minutes(value: number | null): string {
  return value === null ? '–' : `${value.toLocaleString('en')} min`;
}

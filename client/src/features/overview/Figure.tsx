import { ChartColumn, Table2 } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { DayFigures } from 'server/contract';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { dayWord } from './days.ts';

interface FigureProps {
  kind: 'chats' | 'responses';
  title: string;
  /** What the numbers are. */
  unit: string;
  days: readonly DayFigures[];
}

/** A missing drawing is no reason to lose the screen: the table has it all. */
const Charts = lazy(() => import('./Charts.tsx').catch(() => ({ default: NoChart })));

/** A chart, and the same as a table for who cannot see it or wants the numbers. */
export function Figure({ kind, title, unit, days }: FigureProps) {
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  const other = asTable ? 'Chart' : 'Table';
  const values = days.map((day) => (kind === 'chats' ? day.chats : day.responseMinutes));
  // Nobody writing is nothing to draw; answers within the minute are.
  const isEmpty = values.every((value) => value === null || (kind === 'chats' && value === 0));
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col rounded-card border bg-surface">
      <div className="flex items-start justify-between gap-3 p-4 pb-2 sm:px-5">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <p className="text-xs text-muted">{unit}, last 14 days</p>
        </div>
        <Button
          variant="ghost"
          size="sm"
          className="-mr-2"
          aria-label={`${other} of ${title}`}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <ChartColumn size={16} aria-hidden /> : <Table2 size={16} aria-hidden />}
          {other}
        </Button>
      </div>
      <div className="h-56 px-2 pb-3 sm:px-3">
        {asTable ? (
          <DayTable title={title} unit={unit} days={days} values={values} />
        ) : isEmpty ? (
          <p className="flex h-full items-center justify-center px-4 text-center text-muted">
            {kind === 'chats' ? 'No conversations in these days' : 'Nobody was answered in these days'}
          </p>
        ) : (
          <div aria-hidden className="h-full">
            <Suspense fallback={<Skeleton className="mx-2 h-full" />}>
              <Charts kind={kind} days={days} />
            </Suspense>
          </div>
        )}
      </div>
    </section>
  );
}

interface DayTableProps extends Omit<FigureProps, 'kind'> {
  values: readonly (number | null)[];
}

function DayTable({ title, unit, days, values }: DayTableProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
      tabIndex={0}
      aria-label={`${title}, table`}
      className="h-full overflow-y-auto rounded-control"
    >
      <table className="w-full">
        <thead className="sticky top-0 bg-surface text-left text-xs text-muted">
          <tr>
            <th scope="col" className="px-2 py-1.5 font-medium">
              Day
            </th>
            <th scope="col" className="px-2 py-1.5 text-right font-medium">
              {unit}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {days.map(({ day }, index) => (
            <tr key={day}>
              <th scope="row" className="px-2 py-1.5 text-left font-normal">
                <time dateTime={day}>{dayWord(day)}</time>
              </th>
              <td className="px-2 py-1.5 text-right">{values[index] ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NoChart() {
  return (
    <p className="flex h-full items-center justify-center px-4 text-center text-muted">
      The chart could not be loaded. The table has its numbers.
    </p>
  );
}

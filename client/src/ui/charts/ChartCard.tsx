import { ChartColumn, Table2 } from 'lucide-react';
import { useId, useState } from 'react';
import { formatCount, formatMonthDay } from '../../lib/format.ts';
import { Button } from '../Button.tsx';
import { DayChart, type DayChartProps } from './DayChart.tsx';

interface ChartCardProps extends DayChartProps {
  /** What the numbers are. */
  unit: string;
  /** Stands in for a chart without anything to draw. */
  empty: string;
}

/** A chart, and the same as a table for who wants the numbers; a sentence where there are none. */
export function ChartCard({ unit, empty, ...chart }: ChartCardProps) {
  const { title, days, kind } = chart;
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  const other = asTable ? 'Chart' : 'Table';
  // Nobody writing is nothing to draw; answers within the minute are.
  const isEmpty = days.every(({ value }) => value === null || (kind === 'bars' && value === 0));
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col rounded-card border bg-surface p-4 sm:p-5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <p className="text-xs text-muted">
            {unit}, last {days.length} days
          </p>
        </div>
        {!isEmpty && (
          <Button
            variant="ghost"
            size="sm"
            className="-mt-1 -mr-2"
            aria-label={`${other} of ${title}`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartColumn size={16} aria-hidden /> : <Table2 size={16} aria-hidden />}
            {other}
          </Button>
        )}
      </div>
      {isEmpty ? (
        <p className="flex flex-1 items-center pt-2 text-muted">{empty}</p>
      ) : (
        <div className="h-56 pt-2">{asTable ? <DayTable unit={unit} {...chart} /> : <DayChart {...chart} />}</div>
      )}
    </section>
  );
}

function DayTable({ title, unit, days }: Pick<ChartCardProps, 'title' | 'unit' | 'days'>) {
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
          {days.map(({ day, value }) => (
            <tr key={day}>
              <th scope="row" className="px-2 py-1.5 text-left font-normal">
                <time dateTime={day}>{formatMonthDay(day)}</time>
              </th>
              <td className="px-2 py-1.5 text-right">{value === null ? '–' : formatCount(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

import { useId, useState } from 'react';
import { formatCount, formatMonthDay } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../Button.tsx';
import { Chart, type ChartProps } from './Chart.tsx';

interface ChartCardProps extends Omit<ChartProps, 'nameOf'> {
  /** What the numbers are. */
  unit: string;
  /** What the values stand at, where these are no days. */
  of?: { head: string; span: string; nameOf: (at: string) => string };
  /** Stands in for a chart without anything to draw. */
  empty: string;
}

/** A chart, and the same as a table for who wants the numbers; a sentence where there are none. */
export function ChartCard({ unit, empty, of, ...chart }: ChartCardProps) {
  const { title, values, kind } = chart;
  const { head, span, nameOf } = of ?? {
    head: t('Day'),
    span: plural(values.length, 'last {count} day', 'last {count} days'),
    nameOf: formatMonthDay,
  };
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  // Nobody writing is nothing to draw; answers within the minute are.
  const isEmpty = values.every(({ value }) => value === null || (kind === 'bars' && value === 0));
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col rounded-card border bg-surface p-4 sm:p-5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <p className="text-xs text-muted">{t('{unit}, {span}', { unit, span })}</p>
        </div>
        {!isEmpty && (
          <Button
            variant="ghost"
            size="sm"
            className="-mt-1 -me-2"
            aria-label={asTable ? t('Chart of {title}', { title }) : t('Table of {title}', { title })}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? t('Chart') : t('Table')}
          </Button>
        )}
      </div>
      {isEmpty ? (
        <p className="flex flex-1 items-center pt-2 text-muted">{empty}</p>
      ) : (
        <div className="h-56 pt-2">
          {asTable ? (
            <ValueTable unit={unit} head={head} nameOf={nameOf} {...chart} />
          ) : (
            <Chart nameOf={nameOf} {...chart} />
          )}
        </div>
      )}
    </section>
  );
}

type ValueTableProps = Pick<ChartProps, 'title' | 'values' | 'nameOf'> & { unit: string; head: string };

function ValueTable({ title, unit, values, nameOf, head }: ValueTableProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
      tabIndex={0}
      aria-label={t('{title}, table', { title })}
      className="h-full overflow-y-auto rounded-control"
    >
      <table className="w-full">
        <thead className="sticky top-0 bg-surface text-left text-xs text-muted rtl:text-right">
          <tr>
            <th scope="col" className="px-2 py-1.5 font-medium">
              {head}
            </th>
            <th scope="col" className="px-2 py-1.5 text-end font-medium">
              {unit}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {values.map(({ at, value }) => (
            <tr key={at}>
              <th scope="row" className="px-2 py-1.5 text-start font-normal">
                {nameOf(at)}
              </th>
              <td className="px-2 py-1.5 text-end">{value === null ? '–' : formatCount(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

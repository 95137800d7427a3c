import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { AgentReport, DepartmentReport } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';

type Figure = keyof Figures;
interface Order {
  by: 'name' | Figure;
  isDescending: boolean;
}

interface Column {
  figure: Figure;
  head: string;
  text: (value: number) => string;
}

const CHATS: Column = { figure: 'chats', head: msg('Chats'), text: formatCount };
const MISSED: Column = { figure: 'missed', head: msg('Missed'), text: formatCount };
const COLUMNS: readonly Column[] = [
  { figure: 'answered', head: msg('Answered'), text: formatCount },
  { figure: 'responseMinutes', head: msg('First response'), text: formatDuration },
  { figure: 'resolved', head: msg('Resolved'), text: formatCount },
  { figure: 'resolutionMinutes', head: msg('Resolution time'), text: formatDuration },
  { figure: 'ratings', head: msg('Ratings'), text: formatCount },
  { figure: 'rating', head: msg('Average rating'), text: (stars) => stars.toFixed(2) },
];

/** What the tables of agents and of departments show of each. */
type Figures = Omit<AgentReport, 'agent'> & Partial<Pick<DepartmentReport, 'chats' | 'missed'>>;

/** A line of the table. */
export interface ReportRow {
  key: string;
  name: string;
  /** There is nobody, or nothing, of this name any more. */
  isGone: boolean;
  figures: Figures;
}

interface ReportTableProps {
  /** Of the card's title. */
  titleId: string;
  label: string;
  /** What the first column has. */
  head: string;
  rows: readonly ReportRow[];
  /** The columns of departments, too. */
  hasChats?: boolean;
}

/** Figures as a table that can be sorted. */
export function ReportTable({ titleId, label, head, rows, hasChats = false }: ReportTableProps) {
  const [order, setOrder] = useState<Order>({ by: hasChats ? 'chats' : 'answered', isDescending: true });
  const columns = hasChats ? [CHATS, ...COLUMNS, MISSED] : COLUMNS;
  const sortBy = (by: Order['by']) =>
    setOrder({ by, isDescending: order.by === by ? !order.isDescending : by !== 'name' });
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
      tabIndex={0}
      aria-label={label}
      className="overflow-x-auto rounded-b-card border-t"
    >
      <table aria-labelledby={titleId} className="w-full whitespace-nowrap">
        <thead className="text-xs text-muted">
          <tr className="border-b">
            <Head by="name" text={head} order={order} onSort={sortBy} />
            {columns.map(({ figure, head: text }) => (
              <Head key={figure} by={figure} text={t(text)} order={order} onSort={sortBy} />
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows
            .toSorted((a, b) => compare(a, b, order))
            .map(({ key, name, isGone, figures }) => (
              <tr key={key}>
                <th
                  scope="row"
                  className="sticky start-0 max-w-36 bg-surface py-2.5 pe-3 ps-4 text-start font-medium sm:max-w-44 sm:ps-5 lg:max-w-64"
                >
                  <span dir="auto" title={name} className={cx('block truncate', isGone && 'text-muted')}>
                    {name}
                  </span>
                </th>
                {columns.map(({ figure, text }) => (
                  <td key={figure} className="px-3 py-2.5 text-end tabular-nums last:pe-4 sm:last:pe-5">
                    {textOf(figures[figure], text)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

interface HeadProps {
  by: Order['by'];
  text: string;
  order: Order;
  onSort: (by: Order['by']) => void;
}

/** The head of a column, which sorts by it. */
function Head({ by, text, order, onSort }: HeadProps) {
  const isSorted = order.by === by;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  const isName = by === 'name';
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
      className={cx(
        'p-0 font-medium',
        isName ? 'sticky start-0 bg-surface ps-2 text-start sm:ps-3' : 'text-end last:pe-1 sm:last:pe-2',
      )}
    >
      <button
        type="button"
        onClick={() => onSort(by)}
        className={cx(
          'inline-flex h-11 items-center gap-1 rounded-control px-2 hover:text-text sm:h-9',
          isSorted && 'text-text',
          !isName && 'flex-row-reverse px-3',
        )}
      >
        {text}
        <Arrow size={14} aria-hidden className={cx(!isSorted && 'invisible')} />
      </button>
    </th>
  );
}

const textOf = (value: number | null | undefined, text: (value: number) => string) =>
  value == null ? '–' : text(value);

/** What has no value comes last, whatever the order. */
function compare(a: ReportRow, b: ReportRow, { by, isDescending }: Order): number {
  const sign = isDescending ? -1 : 1;
  if (by === 'name') return sign * a.name.localeCompare(b.name);
  const [one = null, other = null] = [a.figures[by], b.figures[by]];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return sign * (one - other);
}

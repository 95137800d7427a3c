import { ArrowDown, ArrowUp, Download, Users } from 'lucide-react';
import { useId, useState } from 'react';
import type { AgentReport } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { msg, plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

type Figure = Exclude<keyof AgentReport, 'agent'>;
interface Order {
  by: 'agent' | Figure;
  isDescending: boolean;
}

const COLUMNS: readonly { figure: Figure; head: string; text: (value: number) => string }[] = [
  { figure: 'answered', head: msg('Answered'), text: formatCount },
  { figure: 'responseMinutes', head: msg('First response'), text: formatDuration },
  { figure: 'resolved', head: msg('Resolved'), text: formatCount },
  { figure: 'resolutionMinutes', head: msg('Resolution time'), text: formatDuration },
  { figure: 'ratings', head: msg('Ratings'), text: formatCount },
  { figure: 'rating', head: msg('Average rating'), text: (stars) => stars.toFixed(2) },
];

interface AgentsCardProps {
  agents: readonly AgentReport[];
  days: number;
  /** Nobody else's figures may be seen. */
  isOwnOnly: boolean;
  onExport: () => void;
}

/** What each agent did, as a table that can be sorted and saved. */
export function AgentsCard({ agents, days, isOwnOnly, onExport }: AgentsCardProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-card border bg-surface">
      <div className="flex items-start justify-between gap-3 p-4 sm:px-5">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {t('Agents')}
          </h2>
          <p className="text-xs text-muted">
            {plural(
              days,
              'Chats of the last {count} day, times as medians.',
              'Chats of the last {count} days, times as medians.',
            )}
            {isOwnOnly && <> {t('You see your own figures; owners and admins see those of everybody.')}</>}
          </p>
        </div>
        {agents.length > 0 && (
          <Button variant="secondary" size="sm" onClick={onExport}>
            <Download size={16} aria-hidden />
            {t('Export CSV')}
          </Button>
        )}
      </div>
      {agents.length > 0 ? (
        <AgentTable titleId={titleId} agents={agents} />
      ) : (
        <EmptyState
          icon={Users}
          title={t('No figures in these days')}
          text={t('They begin with the first chat that is answered, closed or rated.')}
        />
      )}
    </section>
  );
}

function AgentTable({ titleId, agents }: { titleId: string; agents: readonly AgentReport[] }) {
  const [order, setOrder] = useState<Order>({ by: 'answered', isDescending: true });
  const rows = agents.toSorted((a, b) => compare(a, b, order));
  const sortBy = (by: Order['by']) =>
    setOrder({ by, isDescending: order.by === by ? !order.isDescending : by !== 'agent' });
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
      tabIndex={0}
      aria-label={t('Agents, table')}
      className="overflow-x-auto rounded-b-card border-t"
    >
      <table aria-labelledby={titleId} className="w-full whitespace-nowrap">
        <thead className="text-xs text-muted">
          <tr className="border-b">
            <Head by="agent" text={t('Agent')} order={order} onSort={sortBy} />
            {COLUMNS.map(({ figure, head }) => (
              <Head key={figure} by={figure} text={t(head)} order={order} onSort={sortBy} />
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={row.agent?._id ?? ''}>
              <th
                scope="row"
                className="sticky start-0 max-w-36 bg-surface py-2.5 pe-3 ps-4 text-start font-medium sm:max-w-44 sm:ps-5 lg:max-w-64"
              >
                <span dir="auto" title={nameOf(row)} className={cx('block truncate', !row.agent?.name && 'text-muted')}>
                  {nameOf(row)}
                </span>
              </th>
              {COLUMNS.map(({ figure, text }) => (
                <td key={figure} className="px-3 py-2.5 text-end tabular-nums last:pe-4 sm:last:pe-5">
                  {row[figure] === null ? '–' : text(row[figure])}
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
  const isName = by === 'agent';
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

function nameOf({ agent }: AgentReport): string {
  return agent ? (agent.name ?? t('Deleted account')) : t('Nobody');
}

/** What has no value comes last, whatever the order. */
function compare(a: AgentReport, b: AgentReport, { by, isDescending }: Order): number {
  const sign = isDescending ? -1 : 1;
  if (by === 'agent') return sign * nameOf(a).localeCompare(nameOf(b));
  const [one, other] = [a[by], b[by]];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return sign * (one - other);
}

import { Download, Eye } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { HistoryRow, Site } from 'server/contract';
import { SelectAllBox, SelectBox, type Selected } from '#features/selection';
import { formatDate, formatDateTime, formatDuration, formatTime } from '../../lib/format.ts';
import { facts, t } from '../../lib/i18n.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { useVirtualRows } from '../../ui/virtualRows.ts';
import { exportChat } from './api.ts';

/** About the height of a row, until it is measured. */
const ROW_HEIGHT_PX = 65;
/** The next page is requested so many rows before the end. */
const FETCH_AHEAD = 15;
const CELL = 'border-b px-2 py-3 first:ps-4 last:pe-4';

interface TableProps {
  rows: readonly HistoryRow[];
  sites: readonly Site[];
  selected: Selected | undefined;
  onSelect: (selected: Selected | undefined) => void;
  onOpen: (chatId: string) => void;
  /** Requests more rows; may be called repeatedly. */
  onNearEnd: () => void;
}

/** The table of chats. Long tables are virtualised, while the page around them scrolls. */
export function HistoryTable({ rows, onOpen, onNearEnd, ...selection }: TableProps) {
  const table = useRef<HTMLTableElement>(null);
  const { shown, from, above, below, measure, view } = useVirtualRows(table, rows, ROW_HEIGHT_PX);
  useNearEnd(view, rows.length, onNearEnd);
  const picking = { ...selection, chats: rows };

  return (
    <table ref={table} aria-rowcount={rows.length + 1} className="w-full table-fixed border-separate border-spacing-0">
      <thead className="sticky top-0 z-10 text-left text-xs text-muted rtl:text-right">
        <tr aria-rowindex={1}>
          <Head label={t('Visitor')}>
            <span className="flex items-center gap-2">
              <SelectAllBox {...picking} />
              {t('Visitor')}
            </span>
          </Head>
          <Head className="w-[18%] max-lg:hidden">{t('Website')}</Head>
          <Head className="w-[18%] max-lg:hidden">{t('Supporter')}</Head>
          <Head className="w-24 max-md:hidden">{t('Duration')}</Head>
          <Head className="w-32 max-sm:hidden">{t('Date')}</Head>
          <Head className="w-26 text-end">{t('Actions')}</Head>
        </tr>
      </thead>
      <tbody>
        <Gap height={above} />
        {shown.map((row, index) => (
          <HistoryTableRow
            key={row._id}
            row={row}
            index={from + index}
            measure={measure}
            box={<SelectBox {...picking} chat={row} inTable />}
            onOpen={() => onOpen(row._id)}
          />
        ))}
        <Gap height={below} />
      </tbody>
    </table>
  );
}

interface HeadProps {
  className?: string;
  /** Its name where it contains more than the name. */
  label?: string;
  children: ReactNode;
}

function Head({ className = '', label, children }: HeadProps) {
  return (
    <th
      scope="col"
      aria-label={label}
      className={`border-b bg-surface px-2 py-2.5 font-medium first:ps-4 last:pe-4 ${className}`}
    >
      {children}
    </th>
  );
}

/** Reserves the height of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    height > 0 && (
      <tr aria-hidden>
        <td style={{ height }} className="p-0" />
      </tr>
    )
  );
}

function useNearEnd(page: HTMLElement | null, count: number, onNearEnd: () => void): void {
  const requestMore = useEffectEvent(onNearEnd);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows are a reason to check again
  useEffect(() => {
    if (!page) return;
    const check = () => {
      const rest = page.scrollHeight - page.scrollTop - page.clientHeight;
      if (rest < FETCH_AHEAD * ROW_HEIGHT_PX) requestMore();
    };
    check();
    page.addEventListener('scroll', check, { passive: true });
    return () => page.removeEventListener('scroll', check);
  }, [page, count]);
}

interface RowProps {
  row: HistoryRow;
  /** Its place in the list, from 0. */
  index: number;
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  box: ReactNode;
  onOpen: () => void;
}

/** One chat. On narrow screens the first cell has the values of the hidden columns. */
function HistoryTableRow({ row, index, measure, box, onOpen }: RowProps) {
  const name = visitorName(row.visitorInfo.name);
  const website = row.site.name || t('Unknown');
  const department = row.department?.name;
  const supporter = row.claimedBy?.name || t('Unclaimed');
  const duration = formatDuration(row.durationMinutes);
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className="hover:bg-text/3 has-checked:bg-accent-soft"
    >
      <td className={CELL}>
        <div className="flex min-w-0 items-center gap-2 sm:gap-3">
          {box}
          <span className="max-sm:hidden">
            <Avatar name={name} />
          </span>
          <div className="min-w-0">
            <p dir="auto" className="truncate font-medium">
              {name}
            </p>
            <p className="address truncate text-muted">{row.visitorInfo.email || t('No email')}</p>
            <p className="truncate text-xs text-muted lg:hidden">
              {facts(website, department, supporter)}
              <span className="max-sm:hidden md:hidden"> · {duration}</span>
            </p>
            <p className="truncate text-xs text-muted sm:hidden">
              {formatDate(row.createdAt)} · {duration}
            </p>
          </div>
        </div>
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        <p dir="auto" className="truncate" title={website}>
          {website}
        </p>
        {department && (
          <p dir="auto" className="truncate text-xs text-muted" title={department}>
            {department}
          </p>
        )}
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        <p dir="auto" className={`truncate ${row.claimedBy ? '' : 'text-muted'}`} title={supporter}>
          {supporter}
        </p>
      </td>
      <td className={`${CELL} max-md:hidden`}>{duration}</td>
      <td className={`${CELL} max-sm:hidden`}>
        <StartTime at={row.createdAt} />
      </td>
      <td className={`${CELL} text-end whitespace-nowrap`}>
        <IconButton label={t('View transcript of {name}', { name })} onClick={onOpen}>
          <Eye size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('Download transcript of {name}', { name })} onClick={() => exportChat(row._id, 'txt')}>
          <Download size={18} aria-hidden />
        </IconButton>
      </td>
    </tr>
  );
}

function StartTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      <span className="block whitespace-nowrap">{formatDate(at)}</span>
      <span className="block text-xs text-muted">{formatTime(at)}</span>
    </time>
  );
}

import { SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { HistoryFilters, Site } from 'server/contract';
import { type Selected, SelectionBar } from '#features/selection';
import { formatCount } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useSites } from '../../shared/sites.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { exportHistory, useHistory } from './api.ts';
import { HistoryTable } from './HistoryTable.tsx';

const NO_SITES: readonly Site[] = [];
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

interface FoundProps {
  filters: HistoryFilters;
  isFiltered: boolean;
  onOpen: (chatId: string) => void;
  onClear: () => void;
}

/** The filtered chats, with the buttons that export them. */
export function HistoryResults({ filters, isFiltered, onOpen, onClear }: FoundProps) {
  const list = useHistory(filters);
  const rows = list.data?.rows;
  const { data: sites = NO_SITES } = useSites();
  const [selected, onSelect] = useState<Selected>();
  const more = () => {
    if (!list.hasNextPage || list.isFetchingNextPage || list.isFetchNextPageError) return;
    // Scrolling and rendering may both call this before `isFetchingNextPage` is true.
    void list.fetchNextPage({ cancelRefetch: false });
  };
  return (
    <section aria-label={t('Chats')} aria-busy={list.isPlaceholderData} className="rounded-card border bg-surface">
      <SelectionBar inTable chats={rows} sites={sites} selected={selected} onSelect={onSelect} />
      <div
        hidden={selected !== undefined}
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-2.5"
      >
        <p role="status" className="font-medium tabular-nums">
          {list.data && t('{count} chat(s) found', { count: countOf(list.data, list.hasNextPage) })}
        </p>
        <div className="-mx-2 flex">
          <ExportLink onClick={() => exportHistory('txt', filters)}>{t('Export TXT')}</ExportLink>
          <ExportLink onClick={() => exportHistory('pdf', filters)}>{t('Export PDF')}</ExportLink>
        </div>
      </div>
      {rows && rows.length > 0 && (
        <div className={list.isPlaceholderData ? 'opacity-60 transition-opacity' : undefined}>
          <HistoryTable
            rows={rows}
            sites={sites}
            selected={selected}
            onSelect={onSelect}
            onOpen={onOpen}
            onNearEnd={more}
          />
        </div>
      )}
      {list.isFetchNextPageError && (
        <ErrorState what={t('More chats could not be loaded.')} onRetry={() => void list.fetchNextPage()} />
      )}
      {list.isFetchingNextPage && <RowsSkeleton rows={2} />}
      {rows?.length === 0 && <NothingFound isFiltered={isFiltered} onClear={onClear} />}
      {list.isPending && <RowsSkeleton rows={SKELETON_ROWS.length} />}
      {list.isError && !rows && (
        <ErrorState what={t('The chat history could not be loaded.')} onRetry={() => void list.refetch()} />
      )}
    </section>
  );
}

/** The number of rows if all are loaded, else the server's total, else a lower bound such as '50+'. */
function countOf({ rows, total }: { rows: unknown[]; total: number | null }, more: boolean): string {
  if (!more) return formatCount(rows.length);
  return total === null ? `${formatCount(rows.length)}+` : formatCount(total);
}

function ExportLink({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded-control px-2 py-1.5 font-medium text-accent hover:text-accent-strong hover:underline"
    >
      {children}
    </button>
  );
}

function NothingFound({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title={t('No chats found')}
      text={t('Try adjusting your search criteria')}
      action={
        isFiltered && (
          <Button variant="secondary" size="sm" onClick={onClear}>
            {t('Show all chats')}
          </Button>
        )
      }
    />
  );
}

function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">{t('Loading chats')}</span>
      {SKELETON_ROWS.slice(0, rows).map((row) => (
        <div key={row} className="flex h-16 items-center gap-3 px-4">
          <Skeleton className="size-8 shrink-0 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-36" />
            <Skeleton className="h-3.5 w-52 max-w-full" />
          </div>
          <Skeleton className="h-3.5 w-24 max-sm:hidden" />
          <Skeleton className="h-3.5 w-16" />
        </div>
      ))}
    </div>
  );
}

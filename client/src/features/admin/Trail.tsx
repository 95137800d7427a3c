import { ScrollText } from 'lucide-react';
import type { AuditEntry } from 'server/contract';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LongList, type RowPlace } from '../../ui/LongList.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTrail } from './api.ts';
import { detailOf, sentenceOf } from './words.ts';

const ROW_HEIGHT_PX = 41;

/** Who did what, to whom, and where. */
export function Trail() {
  const query = useTrail();
  const { data: entries, isPending, refetch } = query;
  return (
    <section aria-labelledby="trail" className="flex flex-col gap-3">
      <div>
        <h2 id="trail" className="text-base font-semibold">
          Audit trail
        </h2>
        <p className="text-muted">What was done to accounts, websites and teams. It holds no conversations.</p>
      </div>
      <div className="rounded-card border bg-surface">
        {isPending && <Skeleton className="h-64 rounded-card!" />}
        {!isPending && !entries && (
          <ErrorState what="The audit trail could not be loaded." onRetry={() => void refetch()} />
        )}
        {entries?.length === 0 && <EmptyState icon={ScrollText} title="Nothing has been done yet" />}
        {entries && entries.length > 0 && (
          <LongList
            as="ol"
            label="Audit trail"
            className="divide-y"
            rows={entries}
            rowHeight={ROW_HEIGHT_PX}
            row={(entry, place) => <Row entry={entry} place={place} />}
          />
        )}
        <ShowMore of={query} />
      </div>
    </section>
  );
}

function Row({ entry, place }: { entry: AuditEntry; place: RowPlace }) {
  const detail = detailOf(entry);
  return (
    <li {...place} className="flex items-baseline gap-4 px-4 py-2.5 sm:px-5">
      <p className="min-w-0 flex-1 wrap-anywhere">
        {sentenceOf(entry)}
        {entry.site?.name && <span className="text-muted"> · {entry.site.name}</span>}
        {detail && <span className="block text-xs text-muted">{detail}</span>}
      </p>
      <Time at={entry.at} className="shrink-0 text-xs text-muted tabular-nums" />
    </li>
  );
}

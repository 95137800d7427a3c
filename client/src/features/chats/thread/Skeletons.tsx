import { t } from '../../../lib/i18n.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';

const WIDTHS = ['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5'];

/** A chat that is loading. */
export function ConversationSkeleton() {
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="flex h-16 shrink-0 items-center gap-3 border-b bg-surface px-4">
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-4 w-40" />
      </div>
      <MessagesSkeleton />
    </div>
  );
}

/** A thread that is loading. */
export function MessagesSkeleton() {
  return (
    <div role="status" className="flex min-h-0 flex-1 flex-col justify-end gap-4 overflow-hidden p-6">
      <span className="sr-only">{t('Loading messages')}</span>
      {WIDTHS.map((width, index) => (
        <Skeleton key={width} className={`h-12 rounded-bubble! ${width} ${index % 2 ? 'self-end' : ''}`} />
      ))}
    </div>
  );
}

import { Skeleton } from '../../ui/Skeleton.tsx';

const CARDS = [1, 2, 3, 4];
const PANES = [1, 2];
const CARD = 'rounded-card border bg-surface p-4 sm:p-5';

/** The shape of the figures and charts while they are on their way. */
export function FiguresSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3 sm:gap-4">
      <span className="sr-only">Loading figures</span>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
        {CARDS.map((card) => (
          <div key={card} className={CARD}>
            <Skeleton className="h-4 w-24" />
            <Skeleton className="mt-3 h-7 w-16" />
            <Skeleton className="mt-2 h-3 w-20" />
            <Skeleton className="mt-5 h-6 w-full" />
          </div>
        ))}
      </div>
      <div className="grid gap-3 sm:gap-4 lg:grid-cols-2">
        {PANES.map((pane) => (
          <div key={pane} className={CARD}>
            <Skeleton className="h-5 w-40" />
            <Skeleton className="mt-2 h-3 w-28" />
            <Skeleton className="mt-4 h-50 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}

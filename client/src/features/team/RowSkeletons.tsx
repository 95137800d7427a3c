import { Skeleton } from '../../ui/Skeleton.tsx';

const SKELETONS = [1, 2, 3, 4];

/** The shape of people's rows while they are on their way: four at most. */
export function RowSkeletons({ label, rows }: { label: string; rows: number }) {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">{label}</span>
      {SKELETONS.slice(0, rows).map((row) => (
        <div key={row} className="flex h-16 items-center gap-3 px-4 sm:px-5">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3.5 w-48 max-w-full" />
          </div>
          <Skeleton className="h-5 w-16 rounded-full!" />
        </div>
      ))}
    </div>
  );
}

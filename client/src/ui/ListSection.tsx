import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { Skeleton } from './Skeleton.tsx';

interface ListSectionProps<Item> {
  /** Of the heading. */
  id: string;
  title: string;
  text: ReactNode;
  /** The query of the list. */
  list: { data: Item[] | undefined; isPending: boolean; refetch: () => unknown };
  /** What it says while it loads, when that failed, and when the list is full. */
  loading: string;
  failure: string;
  full: string;
  max: number;
  /** The button that adds one; not shown in a full list. */
  add: ReactNode;
  /** Draws the list once it is there. */
  children: (items: Item[]) => ReactNode;
}

/** A list of settings under a heading, such as the webhooks of a site. */
export function ListSection<Item>(props: ListSectionProps<Item>) {
  const { id, title, text, list, loading, failure, full, max, add, children } = props;
  const { data, isPending, refetch } = list;
  return (
    <section aria-labelledby={id} className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <p className="pt-0.5 text-muted">{text}</p>
        </div>
        {data && data.length < max && add}
      </div>
      {data ? (
        children(data)
      ) : isPending ? (
        <div role="status">
          <span className="sr-only">{loading}</span>
          <Skeleton className="h-24 w-full" />
        </div>
      ) : (
        <ErrorState what={failure} onRetry={() => void refetch()} />
      )}
      {data && data.length >= max && <p className="text-muted">{full}</p>}
    </section>
  );
}

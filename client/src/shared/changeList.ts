import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** A new order of a list that users sort themselves. */
export interface ListOrder {
  do: 'order';
  ids: string[];
}

interface ListProps<Item, Change> {
  /** Where the list is kept. */
  queryKey: QueryKey;
  /** Asks the server, which answers each change with the whole list. */
  ask: (change: Change) => Promise<Item[]>;
  onChanged?: (change: Change) => void;
}

/** Changes a list that users sort themselves; its order at once, before the server has answered. */
export function useChangeList<Item extends { _id: string }, Change extends { do: string }>({
  queryKey,
  ask,
  onChanged,
}: ListProps<Item, Change>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    onMutate: (change) => {
      if (!isOrder(change)) return;
      client.setQueryData<Item[]>(queryKey, (known) =>
        known?.toSorted((a, b) => change.ids.indexOf(a._id) - change.ids.indexOf(b._id)),
      );
    },
    onSuccess: (items, change) => {
      client.setQueryData(queryKey, items);
      onChanged?.(change);
    },
    onError: () => client.invalidateQueries({ queryKey }),
    // One after the other: the answer to an earlier change must not undo a later one.
    scope: { id: queryKey.join(' ') },
  });
}

const isOrder = (change: { do: string }): change is ListOrder => change.do === 'order';

/** The ids of a list in which one item has moved to another place. */
export function idsMoved(items: readonly { _id: string }[], from: number, to: number): string[] {
  const ids = items.map(({ _id }) => _id);
  const [moved] = ids.splice(from, 1);
  return moved === undefined ? ids : ids.toSpliced(to, 0, moved);
}

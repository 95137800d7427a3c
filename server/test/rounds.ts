import { countStored } from '../src/features/chats/row/messageProjection.ts';
import { type Projection, reconcile } from '../src/platform/work/reconciler.ts';

/** One round of the reconciler for some projections, up to now. @returns whether there is more to do */
export function reconcileNow(...projections: Projection[]): Promise<boolean> {
  const second = Math.floor(Date.now() / 1000);
  const { signal } = new AbortController();
  // The second is not over: more messages may come in it.
  return reconcile(projections, { count: countStored, until: second + 1, stable: second - 1, isFull: true, signal });
}

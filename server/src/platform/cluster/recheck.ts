import { events } from '#platform/events';
import type { Cluster } from './cluster.ts';

const EVERY_MS = 30_000;
/** The interval while this node does not hear the others. */
const UNHEARD_EVERY_MS = 1_000;

/**
 * Repeats a check of what an event should have done, in case one was lost. While this node does not hear the others, it is
 * repeated every second.
 * @param what names it in reports of failures
 * @returns a disposer
 */
export function recheck(what: string, cluster: Pick<Cluster, 'state'> | null, check: () => Promise<void>): () => void {
  let isRunning = false;
  function run(): void {
    if (isRunning) return;
    isRunning = true;
    check()
      .catch((error) => events.fail(error, what))
      .finally(() => {
        isRunning = false;
      });
  }
  const timers = [setInterval(run, EVERY_MS)];
  if (cluster) timers.push(setInterval(() => cluster.state().isWell || run(), UNHEARD_EVERY_MS));
  for (const timer of timers) timer.unref();
  return () => timers.forEach(clearInterval);
}

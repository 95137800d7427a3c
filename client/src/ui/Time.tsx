import { useSyncExternalStore } from 'react';
import { formatAge, formatDateTime } from '../lib/format.ts';

const TICK_MS = 15_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One clock for all the times on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The clock is stopped while nothing subscribes to it.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time by that clock, in milliseconds. */
export function useClock(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** When something was: '4 min' within a day, else the date; the full date in its title. */
export function Time({ at, className }: { at: string; className?: string }) {
  const clock = useClock();
  return (
    <time dateTime={at} title={formatDateTime(at)} className={className}>
      {formatAge(at, clock)}
    </time>
  );
}

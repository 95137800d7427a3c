import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TICK_MS = 15_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One clock for all the times on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // It stood still while there was no time on the page.
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
  const moment = new Date(at);
  return (
    <time
      dateTime={at}
      title={moment.toLocaleString('en', { dateStyle: 'full', timeStyle: 'short' })}
      className={className}
    >
      {describe(moment, Math.max(clock, moment.getTime()))}
    </time>
  );
}

function describe(moment: Date, clock: number): string {
  const age = clock - moment.getTime();
  if (age < MINUTE_MS) return 'now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  const sameYear = moment.getFullYear() === new Date(clock).getFullYear();
  return moment.toLocaleDateString('en', { month: 'short', day: 'numeric', ...(!sameYear && { year: 'numeric' }) });
}

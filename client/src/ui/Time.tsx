import { useSyncExternalStore } from 'react';
import { formatAge, formatDateTime, formatRelativeDay, localTimeZone } from '../lib/format.ts';

const TICK_MS = 15_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const each of listeners) each();
}

/** One clock for all the times on the page. It is stopped while nothing subscribes to it. */
function subscribe(listener: () => void): () => void {
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
    // Timers rest while the computer sleeps, or the page is hidden.
    document.addEventListener('visibilitychange', tick);
    window.addEventListener('pageshow', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', tick);
    window.removeEventListener('pageshow', tick);
  };
}

/** The time by that clock, in milliseconds. */
export function useClock(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** The computer's time zone, also after it has changed. */
export function useTimeZone(): string {
  return useSyncExternalStore(subscribe, localTimeZone);
}

/** The day of a moment: 'Today', 'Yesterday' or its date. It turns over at midnight. */
export function Day({ at }: { at: string }) {
  return useSyncExternalStore(subscribe, () => formatRelativeDay(at, Date.now()));
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

import type { Lease } from '#platform/cluster';
import { events } from '#platform/events';
import { type Projection, reportLost } from '#platform/work';
import { isAnyDue, nextWake, wakeDue } from './snooze.ts';

/** The clock is looked at this often while a chat is snoozed: timers stand still while a machine sleeps. */
const LOOK_EVERY_MS = 10_000;
/** The pause after chats were woken, and after a failure. */
const PAUSE_MS = 1_000;
/** The nodes without the lease give the one that has it this time, and do then what it has not done. */
const OTHERS_AFTER_MS = 3_000;
const SECOND_MS = 1_000;

interface AlarmDeps {
  now: () => number;
  lease: Lease;
  /** The interval at which the clock is looked at while a chat is snoozed, in milliseconds. */
  everyMs?: number | undefined;
}

/**
 * Brings snoozed chats back in time, with one timer for the next of them; while none is snoozed, there is none. Every node
 * has it, and the one with the lease is first. What all have missed is found by the reconciler.
 * @returns a disposer, which waits for the step under way
 */
export function startAlarm({ now, lease, everyMs = LOOK_EVERY_MS }: AlarmDeps): () => Promise<void> {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** When this node wakes the next chats, in milliseconds. */
  let dueAt = Number.POSITIVE_INFINITY;
  let running = wake();

  function schedule(at: number): void {
    clearTimeout(timer);
    dueAt = at;
    if (stopping.signal.aborted || at === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(look, Math.min(Math.max(0, at - now()), everyMs)).unref();
  }

  function look(): void {
    if (now() < dueAt) schedule(dueAt);
    else running = running.then(wake);
  }

  async function wake(): Promise<void> {
    if (stopping.signal.aborted) return;
    dueAt = Number.POSITIVE_INFINITY;
    let next = now() + PAUSE_MS;
    try {
      await wakeDue(now(), stopping.signal);
      next = Math.max(next, inTurn(await nextWake()));
    } catch (error) {
      events.fail(error, 'snoozed chats');
    }
    schedule(Math.min(next, dueAt));
  }

  const inTurn = (at: number) => at + (lease.isHeld() ? 0 : OTHERS_AFTER_MS);
  const stopListening = events.stopAll([
    events.everywhere('chatSnoozed', ({ until }) => {
      if (inTurn(until) < dueAt) schedule(inTurn(until));
    }),
    lease.whenTaken(() => {
      running = running.then(wake);
    }),
  ]);
  return async () => {
    stopping.abort();
    stopListening();
    clearTimeout(timer);
    await running;
  };
}

/** Finds chats that nobody has woken in time. */
export function missedWakes(now: () => number): Projection {
  const lateAt = (second: number) => Math.min(now(), second * SECOND_MS);
  return {
    name: 'missedWakes',
    first: async () => 0,
    check: ({ until }) => isAnyDue(lateAt(until)),
    async repair({ until }, signal) {
      reportLost('missedWakes', await wakeDue(lateAt(until), signal));
      return until;
    },
  };
}

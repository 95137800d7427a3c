import { events } from '#platform/events';

/** The tail of each queue that still has a task. The key is a chat, or a part of its work. */
const tails = new Map<string, Promise<unknown>>();
/** Starts the delayed tasks that collect more work, by key. */
const delayed = new Map<string, () => void>();
/** What begins at a tick, by its time. */
const ticks = new Map<number, Set<() => void>>();
/** The time between two ticks: writes that nobody waits for begin together, so that the store makes one transaction of them. */
const TICK_MS = 250;

/**
 * Runs a task after all earlier ones of the same chat (a queue per key), so that a chat's events are emitted in commit
 * order.
 * @returns the task's outcome
 */
export function enqueue<Result>(chatId: string, task: () => Promise<Result>): Promise<Result> {
  startDelayed(chatId);
  const run = (tails.get(chatId) ?? Promise.resolve()).then(task);
  const tail = run
    .catch(() => {})
    .then(() => {
      if (tails.get(chatId) === tail) tails.delete(chatId);
    });
  tails.set(chatId, tail);
  return run;
}

/** Queues work that follows a commit and that no caller waits for. A failure is reported and does not stop later tasks. */
export function enqueueUnawaited(chatId: string, task: () => Promise<void>): void {
  enqueue(chatId, task).catch((error) => events.fail(error, 'work after a commit'));
}

/**
 * Queues work for a tick, so that it can include what arrives meanwhile (batching). It starts early when another task of its
 * key is queued. A failure is reported.
 * @param ms the tick is the first one after this time
 * @returns the task's outcome
 */
export function enqueueDelayed(key: string, task: () => Promise<void>, ms = 0): Promise<void> {
  const run = new Promise<void>((resolve) => {
    const tick = tickAfter(ms);
    const start = () => {
      tick.delete(start);
      delayed.delete(key);
      resolve(enqueue(key, task));
    };
    tick.add(start);
    delayed.set(key, start);
  });
  run.catch((error) => events.fail(error, 'work after a commit'));
  return run;
}

function tickAfter(ms: number): Set<() => void> {
  const now = performance.now();
  const at = Math.ceil((now + ms) / TICK_MS) * TICK_MS;
  const scheduled = ticks.get(at);
  if (scheduled) return scheduled;
  const tick = new Set<() => void>();
  ticks.set(at, tick);
  const begin = () => {
    ticks.delete(at);
    for (const start of tick) start();
  };
  setTimeout(begin, at - now).unref();
  return tick;
}

/** Starts the delayed task of a key now, if there is one. */
export function startDelayed(key: string): void {
  delayed.get(key)?.();
}

/** Resolves when all tasks are finished, including those that they queue meanwhile. A graceful stop waits for it. */
export async function queueIdle(): Promise<void> {
  while (tails.size + delayed.size > 0) {
    for (const start of delayed.values()) start();
    await Promise.all(tails.values());
  }
}

import { events } from '../events.ts';
import { mapPerServer } from '../scope.ts';

/** The tail of each queue that still has a task. The key is a chat, or a part of its work. */
const tails = mapPerServer<string, Promise<unknown>>();
/** Delayed tasks that collect more work, by chat. */
const delayed = mapPerServer<string, { start: () => void; startWithin: (ms: number) => void }>();

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
 * Queues work after a delay, so that it can include what arrives meanwhile (batching). It starts early when another
 * task for the chat is queued. A failure is reported.
 * @returns the task's outcome
 */
export function enqueueDelayed(chatId: string, ms: number, task: () => Promise<void>): Promise<void> {
  const run = new Promise<void>((resolve) => {
    let due = performance.now() + ms;
    let timer = setTimeout(start, ms);
    delayed.set(chatId, { start, startWithin });

    function start(): void {
      clearTimeout(timer);
      delayed.delete(chatId);
      resolve(enqueue(chatId, task));
    }

    function startWithin(most: number): void {
      if (performance.now() + most >= due) return;
      due = performance.now() + most;
      clearTimeout(timer);
      timer = setTimeout(start, most);
    }
  });
  run.catch((error) => events.fail(error, 'work after a commit'));
  return run;
}

/** Starts the delayed task of a chat now, if there is one. */
export function startDelayed(chatId: string): void {
  delayed.get(chatId)?.start();
}

/** Starts the delayed task of a chat within this time, if there is one. */
export function startWithin(chatId: string, ms: number): void {
  delayed.get(chatId)?.startWithin(ms);
}

/** Resolves when all tasks are finished, including those that they queue meanwhile. A graceful stop waits for it. */
export async function queueIdle(): Promise<void> {
  while (tails.size + delayed.size > 0) {
    for (const { start } of delayed.values()) start();
    await Promise.all(tails.values());
  }
}

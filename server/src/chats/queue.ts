import { bus } from '../bus.ts';

/** The last task of each chat, or of one side of it, that still has one. */
const tails = new Map<string, Promise<unknown>>();

/**
 * Runs a task after all earlier ones of the same chat, so that a chat's events leave in the order of its commits.
 * @returns the task's outcome
 */
export function inOrder<Result>(chatId: string, task: () => Promise<Result>): Promise<Result> {
  const run = (tails.get(chatId) ?? Promise.resolve()).then(task);
  const tail = run
    .catch(() => {})
    .then(() => {
      if (tails.get(chatId) === tail) tails.delete(chatId);
    });
  tails.set(chatId, tail);
  return run;
}

/** The same for work after a commit, which nobody waits for: its failure is reported and harms nothing. */
export function afterwards(chatId: string, task: () => Promise<void>): void {
  inOrder(chatId, task).catch((error) => bus.fail(error, 'work after a commit'));
}

/** Resolves when every task is over, those that others begin meanwhile as well: a graceful stop waits for it. */
export async function settled(): Promise<void> {
  while (tails.size > 0) await Promise.all(tails.values());
}

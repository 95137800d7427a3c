import { events } from '../events.ts';
import { mapPerServer } from '../scope.ts';

/** The last task of each chat, or of one side of it, that still has one. */
const tails = mapPerServer<string, Promise<unknown>>();
/** What waits for more of its kind, by chat: each starts it. */
const held = mapPerServer<string, () => void>();

/**
 * Runs a task after all earlier ones of the same chat, so that a chat's events leave in the order of its commits.
 * @returns the task's outcome
 */
export function inOrder<Result>(chatId: string, task: () => Promise<Result>): Promise<Result> {
  held.get(chatId)?.();
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
  inOrder(chatId, task).catch((error) => events.fail(error, 'work after a commit'));
}

/** The same after a while, in which more may come that the task does with it; at once when anything else comes to the chat. */
export function afterAWhile(chatId: string, ms: number, task: () => Promise<void>): void {
  const timer = setTimeout(start, ms);
  held.set(chatId, start);

  function start(): void {
    clearTimeout(timer);
    held.delete(chatId);
    afterwards(chatId, task);
  }
}

/** Has a task start that waits for more of its kind. */
export function hurry(chatId: string): void {
  held.get(chatId)?.();
}

/** Resolves when every task is over, those that others begin meanwhile as well: a graceful stop waits for it. */
export async function settled(): Promise<void> {
  while (tails.size + held.size > 0) {
    for (const start of held.values()) start();
    await Promise.all(tails.values());
  }
}

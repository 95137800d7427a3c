import { setTimeout as sleep } from 'node:timers/promises';

/** Delays before each retry, in milliseconds. */
const RETRY_AFTER_MS = [100, 500, 2_000, 5_000];

/**
 * Runs idempotent work again after each failure, with growing pauses.
 * @param failed receives each failure but the last
 * @throws the last failure
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  failed: (error: unknown) => void,
): Promise<Result> {
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      failed(error);
      await sleep(wait);
    }
  }
  return work();
}

import { setTimeout as sleep } from 'node:timers/promises';

const DELAYS_MS = [100, 500, 2_000, 5_000];

interface RetryOptions {
  /** The pause before each retry, in milliseconds. */
  delaysMs?: readonly number[];
  /** Whether work that failed in this way may run again; by default it always may. */
  isRetryable?: (error: unknown) => boolean;
  /** Receives each failure that is followed by a retry. */
  failed?: (error: unknown) => void;
}

/**
 * Runs idempotent work again after each failure, by default with growing pauses.
 * @throws the last failure, or the first that is not retryable
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  { delaysMs = DELAYS_MS, isRetryable = () => true, failed }: RetryOptions = {},
): Promise<Result> {
  for (const wait of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      failed?.(error);
      await sleep(wait);
    }
  }
  return work();
}

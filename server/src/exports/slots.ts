import { AppError } from '../http/errors.ts';

const RETRY_AFTER_S = 10;

/** A few places that many want; who comes first is served first. */
export interface Slots {
  /**
   * Waits for a place; gives the function that leaves it.
   * @throws AppError 503 when none gets free in time, or the signal says that nobody waits any longer
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** @param count places @param waitMaxMs how long somebody may wait for one */
export function createSlots(count: number, waitMaxMs: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  function turn(signal: AbortSignal): Promise<void> {
    const end = AbortSignal.any([signal, AbortSignal.timeout(waitMaxMs)]);
    return new Promise((resolve, reject) => {
      const called = () => {
        end.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(called), 1);
        reject(allTaken());
      };
      waiting.push(called);
      end.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async take(signal) {
      if (free > 0) free--;
      else await turn(signal);
      return leave;
    },
  };
}

function allTaken(): AppError {
  const message = 'Other PDFs are being made right now. Please try again in a moment, or take TXT.';
  return new AppError(503, 'UNAVAILABLE', message, { retryAfter: RETRY_AFTER_S });
}

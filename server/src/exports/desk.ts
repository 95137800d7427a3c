import type { Response } from 'express';
import { AppError, unavailable } from '../http/errors.ts';
import { EXPORTS_AT_ONCE } from './contract.ts';

const RETRY_AFTER_S = 10;

/** Counts the exports that are under way. */
export interface Desk {
  /**
   * Lets one more export of a person begin; it counts until its answer is over. Gives the signal that says so, also when
   * the reader has left.
   * @throws AppError 429 `EXPORTS_RUNNING`
   */
  enter(person: string, res: Response): AbortSignal;
}

/** Makes the desk. It counts people and not sessions, of which one may open many. */
export function createDesk(): Desk {
  const underWay = new Map<string, number>();
  return {
    enter(person, res) {
      if (res.closed) throw unavailable();
      const already = underWay.get(person) ?? 0;
      if (already >= EXPORTS_AT_ONCE) throw busy();
      underWay.set(person, already + 1);
      const over = new AbortController();
      res.once('close', () => {
        const left = (underWay.get(person) ?? 1) - 1;
        if (left > 0) underWay.set(person, left);
        else underWay.delete(person);
        over.abort();
      });
      return over.signal;
    },
  };
}

function busy(): AppError {
  const message = `${EXPORTS_AT_ONCE} of your exports are still running. Please wait until one of them is done.`;
  return new AppError(429, 'EXPORTS_RUNNING', message, { retryAfter: RETRY_AFTER_S });
}

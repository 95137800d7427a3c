import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../errors.ts';
import type { Limit } from './limitRow.ts';
import { LIMITS } from './limitTable.ts';
import { type Counter, createCounter, type SharedCounts } from './sharedLimits.ts';

export type LimitName = keyof typeof LIMITS;

/** The names of the rate limits. */
export type RateName = {
  [Name in LimitName]: (typeof LIMITS)[Name] extends { seconds: number } ? Name : never;
}[LimitName];

/** The numbers that the operator changed; infinite: the limit is switched off. */
export type ChangedLimits = Partial<Record<LimitName, number>>;

/** The rows of the table by name. */
export const limitRows = Object.entries(LIMITS) as [LimitName, Limit][];

interface LimitOptions {
  on: boolean;
  changed?: ChangedLimits;
  shared?: SharedCounts | null;
}

/** Counts what could be abused, and knows how much may be stored. */
export interface Limits {
  /** Counts one use, or several at once. @throws AppError 429 above the limit */
  take(name: RateName, key: string, uses?: number): Promise<void>;
  /** Counts as `take` does. @returns whether it was within the limit */
  mayTake(name: RateName, key: string, uses?: number): Promise<boolean>;
  /** Takes one use back, because it turned out to be legitimate. */
  refund(name: RateName, key: string): Promise<void>;
  /** Counts nothing. @throws AppError 429 when nothing is left */
  check(name: RateName, key: string): Promise<void>;
  /**
   * Looks something up that may not exist, and counts it if it does not. The look-ups of one key come one after the other, so that
   * those in vain never exceed the limit by coming together, and those that find something are never refused.
   * @throws AppError 429 when nothing is left
   */
  lookUp<Found>(name: RateName, key: string, find: () => Promise<Found | null>): Promise<Found | null>;
  /** The number in force; infinite: the limit is switched off. */
  max(name: LimitName): number;
}

/** Creates the limits. Without `on` there are none; `shared` counts for all nodes, null: this process is the only one. */
export function createLimits({ on, changed = {}, shared = null }: LimitOptions): Limits {
  const max = (name: LimitName) => (on ? (changed[name] ?? LIMITS[name].max) : Number.POSITIVE_INFINITY);
  const limiters = new Map<LimitName, Counter>(
    limitRows.flatMap(([name, { seconds }]) => {
      const points = max(name);
      if (seconds === null || points === Number.POSITIVE_INFINITY) return [];
      return [[name, createCounter({ points, duration: seconds, keyPrefix: name }, shared)]];
    }),
  );
  const turns = createTurns();

  async function take(name: RateName, key: string, uses = 1): Promise<void> {
    try {
      await limiters.get(name)?.consume(key, uses);
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? tooMany(toSeconds(refused.msBeforeNext)) : refused;
    }
  }

  async function mayTake(name: RateName, key: string, uses?: number): Promise<boolean> {
    try {
      await take(name, key, uses);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  async function check(name: RateName, key: string): Promise<void> {
    const counted = await limiters.get(name)?.get(key);
    if (counted && counted.remainingPoints <= 0) throw tooMany(toSeconds(counted.msBeforeNext));
  }

  return {
    take,
    mayTake,
    check,
    lookUp: (name, key, find) =>
      turns(`${name} ${key}`, async () => {
        await check(name, key);
        const found = await find();
        if (found === null) await take(name, key);
        return found;
      }),
    async refund(name, key) {
      await limiters.get(name)?.reward(key);
    },
    max,
  };
}

/** Runs the work of each key one after the other. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => {},
      () => {},
    );
    last.set(key, ended);
    try {
      return await result;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from './errors.ts';
import { LIMITS, type Limit } from './limitTable.ts';
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
  /** Takes one use back, because it turned out to be legitimate. */
  giveBack(name: RateName, key: string): Promise<void>;
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
  return {
    async take(name, key, uses = 1) {
      try {
        await limiters.get(name)?.consume(key, uses);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? tooMany(toSeconds(refused.msBeforeNext)) : refused;
      }
    },
    async giveBack(name, key) {
      await limiters.get(name)?.reward(key);
    },
    max,
  };
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

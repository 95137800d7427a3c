/** Bytes */
export const MB = 2 ** 20;
export const GB = 2 ** 30;

/** What a limit is counted per. An IPv6 client counts by its /64, which is what one customer of a provider has. */
type Counted = 'address' | 'API key' | 'mailbox' | 'visitor' | 'connection' | 'account' | 'chat' | 'site' | 'server';

/** One row of the table below. */
export interface Limit {
  /** The default number; the operator may change it. */
  max: number;
  unit: string;
  /** The window in seconds, after which the number is available again; null: a total. */
  seconds: number | null;
  who: Counted;
  /** What goes wrong without the limit, or why it is not lower. */
  why: string;
}

/** A rate limit: at most `max` in so many seconds; above it the answer is 429. */
export const rate = (max: number, unit: string, seconds: number, who: Counted) => ({ max, unit, seconds, who });
/** A total: at most `max` exist at one time. */
export const total = (max: number, unit: string, who: Counted) => ({ max, unit, seconds: null, who });

const STEPS_S = [1, 2, 4, 8, 15];
const LONGEST_S = 30;
/** The random share of a delay, so that many browsers do not try again at the same moment. */
const JITTER = 0.25;

/** The delay after so many failures in a row (from 0), in milliseconds: exponential backoff with jitter. */
export function backoff(failures: number, random = Math.random): number {
  return (STEPS_S[failures] ?? LONGEST_S) * 1_000 * (1 + random() * JITTER);
}

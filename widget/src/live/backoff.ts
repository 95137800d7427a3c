const STEPS_S = [1, 2, 4, 8, 15];
const LONGEST_S = 30;
/** By how much of itself a delay varies, so that many browsers do not come back all at once. */
const JITTER = 0.25;

/** How long to wait after so many failures in a row, in milliseconds. */
export function backoff(failures: number, random: () => number): number {
  return (STEPS_S[failures] ?? LONGEST_S) * 1_000 * (1 + random() * JITTER);
}

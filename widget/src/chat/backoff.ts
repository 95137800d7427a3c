const STEPS_S = [1, 2, 4, 8, 15, 30];
/** By how much of itself a delay varies, so that many browsers do not come back all at once. */
const JITTER = 0.25;

/** How long to wait after so many failures in a row, in milliseconds. */
export function backoff(failures: number, random: () => number): number {
  const step = STEPS_S[Math.min(failures, STEPS_S.length - 1)] ?? 0;
  return step * 1_000 * (1 + random() * JITTER);
}

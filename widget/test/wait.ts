import { vi } from 'vitest';

/** Far more than anything takes on a quiet machine: a busy one is no failure. */
const TIMEOUT_MS = 60_000;

/** Asks until what is asked for has come true. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, TIMEOUT_MS);

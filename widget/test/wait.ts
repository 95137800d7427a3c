import { vi } from 'vitest';

/** Far more than anything takes, so that a busy machine is no failure. */
const TIMEOUT_MS = 60_000;

/** Repeats the check until it passes. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, TIMEOUT_MS);

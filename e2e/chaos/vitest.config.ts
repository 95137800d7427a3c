import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A fault takes minutes, and longer on a busy machine. */
const TIMEOUT_MS = 30 * 60_000;

/** The faults by name, for `npm run chaos`: too long for every day. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../', import.meta.url)),
    include: ['e2e/chaos/*.chaos.ts'],
    environment: 'node',
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    fileParallelism: false,
    retry: 0,
  },
});

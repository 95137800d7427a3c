import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Mail servers take their time, and a thousand rounds a while. */
const TIMEOUT_MS = 10 * 60_000;
const POLL_TIMEOUT_MS = 60_000;

/** The tests with real mail servers, for `npm run test:mail`: few machines have them. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../../', import.meta.url)),
    include: ['server/test/mailServers/*.mail.ts'],
    environment: 'node',
    setupFiles: ['server/test/setup.ts'],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: POLL_TIMEOUT_MS } },
    fileParallelism: false,
    // Loading the code of the whole product once for all files.
    isolate: false,
    retry: 0,
  },
});

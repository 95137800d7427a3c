// npm test: all tests, with those in a browser. Arguments go to Vitest (`npm test -- --project server`).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT, requireNode, stopWithParent } from './setup.js';

const RESULTS_FILE = join(ROOT, 'node_modules/.cache/parley/tests.json');

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
stopWithParent();
const { findChromium, findHeadlessShell } = await import('../e2e/harness/chromium.js');
const { findRedis } = await import('./cluster/redis.js');

const CHROMIUM_PATH = findChromium();
const HEADLESS_SHELL_PATH = findHeadlessShell(CHROMIUM_PATH);
const REDIS_SERVER_PATH = findRedis() ?? '';
if (!REDIS_SERVER_PATH)
  console.log('The tests of several nodes will fail: they need redis-server. Install it, or set REDIS_SERVER_PATH.');

rmSync(RESULTS_FILE, { force: true });
const vitest = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${RESULTS_FILE}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH, HEADLESS_SHELL_PATH, REDIS_SERVER_PATH } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));
const [code] = await once(vitest, 'exit');
console.log(tally());
process.exitCode = code ?? 1;

/** The result in one line. A file that could not be loaded or set up counts as one failure. */
function tally() {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(RESULTS_FILE, 'utf8'),
  );
  const fails = ({ status }) => status === 'failed';
  const unready = testResults.filter((file) => fails(file) && !file.assertionResults.some(fails)).length;
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
  return `tests: ${numPassedTests} passed, ${numFailedTests + unready} failed${skipped}`;
}

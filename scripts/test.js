// npm test: all tests, with those in a browser. Arguments go to Vitest (`npm test -- --project server`). TEST_NODE is the path of
// another Node to run them with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { ensureBuilt, ensureInstalled, ROOT, requireNode, stopWithParent } from './setup.js';

const RESULTS = join(ROOT, 'node_modules/.cache/parley');
const VITEST = 'node_modules/vitest/vitest.mjs';
const { TEST_NODE } = process.env;

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

const fails = ({ status }) => status === 'failed';
const env = { ...process.env, CHROMIUM_PATH, HEADLESS_SHELL_PATH, REDIS_SERVER_PATH };

// Tests in a browser run beside the others, because they wait for other processes as long as they compute.
const args = process.argv.slice(2);
const runs =
  args.length > 0 ? [args] : [['--project=!e2e'], ['--project=e2e', `--maxWorkers=${availableParallelism()}`]];
const ended = await Promise.all(runs.map(runVitest));
for (const { output } of ended) process.stdout.write(output);
const results = ended.map((run) => run.results);
for (const failure of failures(results)) console.log(failure);
console.log(tally(results));
process.exitCode = Math.max(...ended.map(({ code }) => code));

/** Runs Vitest. What the first run prints is shown at once, and that of others is returned. */
async function runVitest(options, index) {
  const file = join(RESULTS, `tests-${index}.json`);
  rmSync(file, { force: true });
  const vitest = spawn(
    TEST_NODE ?? process.execPath,
    [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...options],
    { stdio: ['inherit', index === 0 ? 'inherit' : 'pipe', 'inherit'], env },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));
  const [[code], output] = await Promise.all([once(vitest, 'exit'), vitest.stdout ? text(vitest.stdout) : '']);
  return { code: code ?? 1, output, results: JSON.parse(readFileSync(file, 'utf8')) };
}

/** What failed and why, once more: it stands far above the end of the output, which may be all that is kept of it. */
function failures(results) {
  const files = results.flatMap(({ testResults }) => testResults);
  return files.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(fails);
    const whys = failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
    if (failed.length === 0 && message) whys.push(message);
    return whys.map((why) => `FAIL ${relative(ROOT, name)} > ${why.replace(/\n +at .*node_modules.*/g, '')}`);
  });
}

/** The result in one line. A file that could not be loaded or set up counts as one failure. */
function tally(results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const files = results.flatMap(({ testResults }) => testResults);
  const unready = files.filter((file) => fails(file) && !file.assertionResults.some(fails)).length;
  const pending = sum('numPendingTests');
  const skipped = pending > 0 ? `, ${pending} skipped` : '';
  return `${TEST_NODE ? 'tests with another Node' : 'tests'}: ${sum('numPassedTests')} passed, ${sum('numFailedTests') + unready} failed${skipped}`;
}

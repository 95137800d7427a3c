import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { makeTestFolder } from './scripts/test-folder.js';

/** Far more than any test takes on a quiet machine: a busy one is no failure. */
const TIMEOUT_MS = 240_000;
/** The same of a condition that a test waits for. */
const POLL_TIMEOUT_MS = 60_000;
/** Browsers and servers that start and stop need their time; everything else is fast. */
const E2E_TIMEOUT_MS = 600_000;
/** Tests wait for connections, disks and clocks about as long as they compute: one more than processors keeps all of them busy. */
const WORKERS = availableParallelism() + 1;

/**
 * Short files in short processes: compiling functions for speed as early as in a server that runs for months costs more than it
 * gains, and so does tidying a small heap often. Node 20 is the last whose V8 has such a budget, and no Node starts with a flag
 * that it does not know.
 */
const BRIEF = [
  '--max-semi-space-size=32',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
];
/** Newer versions of Node have a `localStorage` of their own, and Vitest would leave it in the place of jsdom's. */
const WITHOUT_STORAGE = ['--no-experimental-webstorage'].filter((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

/**
 * The server's tests first: they wait about as long as they compute, and the browser's, which run beside them, fill the pauses.
 * What only computes comes last, in short files, so that no processor rests at the end.
 */
const PROJECTS = ['e2e', 'server', 'store-giving-way', 'client', 'widget-dom', 'widget', 'scripts'];
/** They take longest, whatever their size: begun late, one of them would run on alone. */
const LONGEST =
  /\/(uploads|matrix|failures|maintenance|cost|kills|late|dropped|killed|unsentText|unsaved|field\.dom|lazyPart|accessibility|accessibility-dialogs|update|long-lists|installed-app)\.test\./;

/**
 * Orders the files by what keeps all processors busy. Those that share a server come after all others of their project: whoever
 * starts a server of its own stops the shared one.
 */
class BusiestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranks = new Map(sorted.map((file) => [file, rankOf(file)]));
    return sorted.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const shares = readFileSync(moduleId, 'utf8').includes('sharedServer()');
  return PROJECTS.indexOf(project.name) * 3 + (shares ? 2 : LONGEST.test(moduleId) ? 0 : 1);
}

// Node's tmpdir() in all test processes, and in those that they start.
process.env.TMPDIR = makeTestFolder();

export default defineConfig({
  test: {
    retry: 0,
    maxWorkers: WORKERS,
    sequence: { sequencer: BusiestOrder },
    projects: [
      {
        test: {
          name: 'server',
          // The style sheets of help centres are texts; without this, Vitest gives empty ones.
          css: true,
          execArgv: BRIEF,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          environment: 'node',
          include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts'],
          setupFiles: ['server/test/setup.ts'],
          // Each file starts a server of its own; loading the code once for all of them saves a minute.
          isolate: false,
        },
      },
      {
        test: {
          // The store once more, with slices of no length: every command gives way wherever it may.
          name: 'store-giving-way',
          execArgv: BRIEF,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          environment: 'node',
          env: { STORE_SLICE_WORK: '0' },
          include: ['server/src/store/**/*.test.ts', 'server/test/semantics/*.test.ts'],
          setupFiles: ['server/test/setup.ts'],
          exclude: ['**/durability.test.ts', '**/kills.test.ts', '**/queue.test.ts'],
          isolate: false,
        },
      },
      {
        test: {
          name: 'client',
          execArgv: [...BRIEF, ...WITHOUT_STORAGE],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          environment: 'jsdom',
          include: ['{client/src,client/test,browser}/**/*.test.{ts,tsx}'],
          setupFiles: ['client/test/setup.ts'],
          // Each test opens a page of its own; loading the code once for all files saves half a minute.
          isolate: false,
        },
      },
      {
        test: {
          name: 'widget',
          testTimeout: TIMEOUT_MS,
          environment: 'node',
          include: ['widget/src/**/*.test.ts', 'widget/test/**/*.test.ts'],
          exclude: ['**/*.dom.test.ts'],
        },
      },
      {
        test: {
          name: 'widget-dom',
          execArgv: [...BRIEF, ...WITHOUT_STORAGE],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          environment: 'jsdom',
          include: ['widget/src/**/*.dom.test.ts', 'widget/test/**/*.dom.test.ts'],
          // Each test opens a page of its own; a process for each file takes longer to start than its tests compute.
          isolate: false,
        },
      },
      { test: { name: 'scripts', testTimeout: TIMEOUT_MS, environment: 'node', include: ['scripts/**/*.test.js'] } },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          isolate: false,
        },
      },
    ],
  },
});

// npm run bench -- widget: what the widget costs its page: script time, blocking time and layout shift of a load with an empty
// cache and the processor of a mid-range phone, against the page without it and with socket.io-client alone, in turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { launchChromium } from '../e2e/harness/chromium.js';
import { ROOT } from '../scripts/setup.js';
import { startParley } from './tools/parley.js';
import { median } from './tools/statistics.js';

const ROUNDS = 9;
const CPU_SLOWDOWN = 4;
/** Blocking time is what tasks take beyond this. */
const LONG_TASK_MS = 50;
/** Long enough for everything that starts by itself after the load. */
const WATCH_MS = 2_000;
const SCRIPT_MS_GOAL = 40;
const VIEWPORT = { width: 412, height: 823 };
/** A point on the launcher, which is 20 pixels from the corner. */
const LAUNCHER = [VIEWPORT.width - 60, VIEWPORT.height - 46];
const PARAGRAPH = `<p>${'A lantern for whoever comes home late. '.repeat(12)}</p>`;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const parley = await startParley(dataDir);
const {
  outputFiles: [reference],
} = await build({
  stdin: { contents: "import { io } from 'socket.io-client'; globalThis.io = io;", resolveDir: ROOT },
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  write: false,
});
const SCRIPTS = {
  'without it': '',
  'with the widget': `<script async src="${parley.url}/widget.js" data-site-id="${await createSite()}"></script>`,
  'with socket.io-client': '<script async src="/socket.io-client.js"></script>',
};
const host = createServer(serve).listen(0, '127.0.0.1');
const browser = await launchChromium();
const rounds = Object.fromEntries(Object.keys(SCRIPTS).map((page) => [page, []]));
const openings = [];
try {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const page of Object.keys(SCRIPTS)) rounds[page].push(await load(page));
} finally {
  await browser.close();
  host.close();
  await parley.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
print();

async function createSite() {
  const password = 'blue-harbour-lantern-42';
  const owner = { name: 'Ana Oliveira', email: 'ana@example.com', password, confirmPassword: password };
  const { token } = await parley.call('POST /auth/register', { body: owner });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  return site.widgetCode;
}

function serve({ url }, response) {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const isScript = pathname === '/socket.io-client.js';
  response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
  if (isScript) return response.end(reference.contents);
  const script = SCRIPTS[searchParams.get('page')] ?? '';
  const head = '<meta charset="utf-8" /><title>Shop</title><link rel="icon" href="data:," />';
  return response.end(
    `<!doctype html><html lang="en"><head>${head}</head><body>${PARAGRAPH.repeat(20)}${script}</body></html>`,
  );
}

/** The cost of a page with an empty cache; for the widget also the cost of opening it. */
async function load(page) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await tab.goto(`http://127.0.0.1:${host.address().port}/?page=${encodeURIComponent(page)}`, { waitUntil: 'load' });
  await sleep(WATCH_MS);
  const cost = { script: await scriptMs(devtools), ...(await tab.evaluate(watched, LONG_TASK_MS)) };
  if (page === 'with the widget') openings.push(await opening(tab, devtools));
  await context.close();
  return cost;
}

/** The cost of opening the chat, by a real click, which adds no script of the test to the figures. */
async function opening(tab, devtools) {
  const before = { ...(await tab.evaluate(watched, LONG_TASK_MS)), script: await scriptMs(devtools) };
  await tab.mouse.click(...LAUNCHER);
  await sleep(WATCH_MS);
  const after = { script: await scriptMs(devtools), ...(await tab.evaluate(watched, LONG_TASK_MS)) };
  if (!(await tab.locator('parley-widget .panel').isVisible())) throw new Error('The chat has not opened.');
  return Object.fromEntries(Object.keys(before).map((what) => [what, after[what] - before[what]]));
}

/** The time that script has run in the page, in milliseconds. */
async function scriptMs(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration').value * 1_000;
}

/** Runs in the page: blocking time in milliseconds, and layout shift. */
function watched(longTaskMs) {
  const entries = (type) =>
    new Promise((done) => {
      const observer = new PerformanceObserver((list) => done(list.getEntries()));
      observer.observe({ type, buffered: true });
      // Without entries, the observer is never called.
      setTimeout(done, 100, []);
    });
  return Promise.all([entries('longtask'), entries('layout-shift')]).then(([tasks, shifts]) => ({
    blocking: tasks.reduce((sum, { duration }) => sum + duration - longTaskMs, 0),
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
  }));
}

function print() {
  const costs = Object.entries(rounds).map(([page, all]) => [page, middle(all)]);
  const [[, bare], [, widget], [, library]] = costs;
  for (const [page, { script, blocking, shift }] of [...costs, ['and opening it', middle(openings)]])
    console.log(
      `${page.padEnd(24)}script ${script.toFixed(1).padStart(6)} ms   blocking ${blocking.toFixed(0).padStart(3)} ms   shift ${shift.toFixed(3)}`,
    );
  const [ours, theirs] = [widget.script - bare.script, library.script - bare.script];
  const isFit = ours <= SCRIPT_MS_GOAL && widget.blocking <= bare.blocking && widget.shift <= bare.shift;
  console.log(
    `${isFit ? '✓' : '✗'} the widget adds ${ours.toFixed(1)} ms of script (goal ≤ ${SCRIPT_MS_GOAL}), socket.io-client alone ${theirs.toFixed(1)} ms: ${(ours / theirs).toFixed(2)} ×; blocking ${(widget.blocking - bare.blocking).toFixed(0)} ms, shift ${(widget.shift - bare.shift).toFixed(3)} (goals 0)`,
  );
}

function middle(all) {
  const of = (what) => median(all.map((each) => each[what]));
  return { script: of('script'), blocking: of('blocking'), shift: of('shift') };
}

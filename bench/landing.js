// npm run bench -- landing: the landing page's Largest Contentful Paint against the same HTML and CSS without script, from the
// same server, in turns, with the processor of a mid-range phone and a slow connection emulated.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { launchChromium } from '../e2e/harness/chromium.js';
import { ROOT } from '../scripts/setup.js';

const DIST = join(ROOT, 'client/dist');
const ROUNDS = 9;
const CPU_SLOWDOWN = 4;
const LINE = { offline: false, latency: 60, downloadThroughput: 600_000, uploadThroughput: 200_000 };
/** Long enough for late paints, after scripts and fonts. */
const WATCH_MS = 2_500;
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

const page = readFileSync(join(DIST, 'pages/index.html'), 'utf8');
const bare = page.replaceAll(/<script[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '');

const server = createServer(serve).listen(0, '127.0.0.1');
const browser = await launchChromium();
const times = { '/': [], '/bare': [] };
for (let round = 0; round < ROUNDS; round += 1)
  for (const path of Object.keys(times)) times[path].push(await largestPaint(path));
await browser.close();
server.close();

const [ours, reference] = Object.values(times).map(median);
for (const [what, ms] of [
  ['landing page', ours],
  ['without script', reference],
])
  console.log(`${what.padEnd(24)}${ms.toFixed(0).padStart(7)} ms${(ms / reference).toFixed(2).padStart(7)} ×`);

function serve({ url }, res) {
  const { pathname } = new URL(url, 'http://localhost');
  const document = { '/': page, '/bare': bare }[pathname];
  res.setHeader('Content-Type', document ? 'text/html' : (TYPES[extname(pathname)] ?? 'application/octet-stream'));
  if (document) return res.end(document);
  const file = join(DIST, pathname);
  if (!existsSync(file)) return res.writeHead(404).end();
  const packed = existsSync(`${file}.br`);
  if (packed) res.setHeader('Content-Encoding', 'br');
  return createReadStream(packed ? `${file}.br` : file).pipe(res);
}

/** Milliseconds from the start of the load to the largest paint, with an empty cache. */
async function largestPaint(path) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await tab.goto(`http://127.0.0.1:${server.address().port}${path}`, { waitUntil: 'load' });
  const ms = await tab.evaluate(lastPaint, WATCH_MS);
  await context.close();
  return ms;
}

/** Runs in the page: the last candidate after `watchMs`. */
function lastPaint(watchMs) {
  return new Promise((done) => {
    let newest = Number.NaN;
    const observer = new PerformanceObserver((list) => {
      newest = list.getEntries().at(-1).startTime;
    });
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
    setTimeout(() => done(newest), watchMs);
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

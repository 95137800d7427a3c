import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliBytes, gzipBytes } from '../build/compress.js';
import { ROOT } from '../setup.js';

const WIDGET_FOLDER = join(ROOT, 'widget/dist');
const CLIENT_FOLDER = join(ROOT, 'client/dist');
const MANIFEST = join(CLIENT_FOLDER, '.vite/manifest.json');
const ENTRY = 'index.html';

const LOADER_BYTES = 3_000;
const WIDGET_BYTES = 12_000;
/** Until the server has a visitor's first message, headers included; e2e/bytes.test.ts measures it on a real connection. */
const FIRST_MESSAGE_BYTES = 20_000;
/** The size of the headers of one answer, which server/src/platform/http/pages/widget.test.ts checks. */
const HEADERS_BYTES = 350;
/** The loader, the config, the chat, its texts, the part `live`, the session and the socket. */
const ANSWERS = 7;
const LANDING_BYTES = 89_000;
/** Why these two: docs/decisions/011-the-bundler-splits-the-dashboard.md. */
const HOME_BYTES = 230_000;
const INBOX_BYTES = 240_000;
const SCREENS = { home: 'src/features/overview/OverviewPage.tsx', inbox: 'src/features/inbox/InboxPage.tsx' };
const DASHBOARD = ['src/app/App.tsx', 'src/app/DashboardProviders.tsx', 'src/app/shell/Shell.tsx'];

/** What a browser must load stays within its budget, in bytes over the wire. */
export async function bytes() {
  const widget = await widgetSizes();
  const rows = [
    ['widget.js, brotli', widget.get('widget.js') ?? Number.NaN, LOADER_BYTES],
    ['widget until the visitor can type, brotli', firstLoad(widget), WIDGET_BYTES],
    ['widget until the first message is stored, headers included', firstMessage(widget), FIRST_MESSAGE_BYTES],
    ['script of the landing page, gzip', await routeSize('src/features/landing/LandingPage.tsx'), LANDING_BYTES],
    ['script of /dashboard, gzip', await dashboardSize('home'), HOME_BYTES],
    ['script of the inbox, gzip', await dashboardSize('inbox'), INBOX_BYTES],
  ];
  return {
    problems: overBudget(rows),
    notes: rows.map(([what, size, budget]) => `${what}: ${size} of ${budget} bytes`),
  };
}

/** A message for each row that is over its budget or was not measured. */
export function overBudget(rows) {
  const over = rows.filter(([, size, budget]) => !(size > 0 && size <= budget));
  return over.map(([what, size, budget]) => `${what}: ${size} bytes, at most ${budget}`);
}

/** The brotli size of each script of the built widget, by its name. */
export async function widgetSizes() {
  const names = existsSync(WIDGET_FOLDER) ? await readdir(WIDGET_FOLDER, { recursive: true }) : [];
  const scripts = names.filter((name) => name.endsWith('.js'));
  const sizes = scripts.map(async (name) => [name, await brotliBytes(await readFile(join(WIDGET_FOLDER, name)))]);
  return new Map(await Promise.all(sizes));
}

/** What the widget loads until a visitor can type, in the largest language: the loader, the chat and its texts. */
export function firstLoad(sizes) {
  return heaviest(sizes, /^widget\.js$/, /^chat-\w+\.js$/, /\/[a-z]{2}\.js$/);
}

/** The same until a message can be acknowledged: with the part `live`, and the headers of every answer. */
export function firstMessage(sizes) {
  return firstLoad(sizes) + heaviest(sizes, /\/live\.js$/) + ANSWERS * HEADERS_BYTES;
}

function heaviest(sizes, ...names) {
  const of = (name) => [...sizes].filter(([file]) => name.test(file)).map(([, size]) => size);
  return names.reduce((sum, name) => sum + Math.max(...of(name)), 0);
}

/** The gzip size of all scripts that a screen of the dashboard loads. */
export function dashboardSize(screen) {
  return routeSize(...DASHBOARD, SCREENS[screen]);
}

/** The gzip size of all scripts that the page and the lazy sources of one route load; NaN if a source is unknown. */
async function routeSize(...sources) {
  if (!existsSync(MANIFEST)) return Number.NaN;
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  if (sources.some((source) => !manifest[source])) return Number.NaN;
  const ofPage = readFileSync(join(CLIENT_FOLDER, ENTRY), 'utf8').matchAll(/<script[^>]* src="\/([^"]+)"/g);
  const ofRoute = [...chunksOf(manifest, [ENTRY, ...sources])].map((key) => manifest[key].file);
  const files = [...new Set([...[...ofPage].map(([, file]) => file), ...ofRoute])];
  const sizes = await Promise.all(files.map(async (file) => gzipBytes(await readFile(join(CLIENT_FOLDER, file)))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function chunksOf(manifest, keys, found = new Set()) {
  for (const key of keys) {
    if (found.has(key)) continue;
    found.add(key);
    chunksOf(manifest, manifest[key].imports ?? [], found);
  }
  return found;
}

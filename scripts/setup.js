// Makes sure that Node is new enough, packages are installed and everything is built. Stamps in node_modules/.cache hold a hash of
// what the last install and build were made from, so that nothing is done twice. This file has no dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const STAMPS = join(ROOT, 'node_modules/.cache/parley');
const BUILT_FILES = ['server/dist/main.js', 'client/dist/index.html', 'widget/dist/widget.js'];
const SOURCES = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.js',
  'scripts/build',
  'server',
  'browser',
  'client',
  'widget',
];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'data', 'test']);
const TEST_FILE = /\.test\.tsx?$/;
const PARENT_WATCH_MS = 500;

/** Ends the process with a message if this Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  fail(
    `Parley needs Node.js 20.19, 22.12, or newer; this is ${process.versions.node}. Get it from https://nodejs.org.`,
  );
}

/** Prints a message and ends the process. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Installs the locked packages if the lock file or the machine changed since the last time. */
export function ensureInstalled() {
  const { version, platform, arch } = process;
  const state = digest([`${version} ${platform} ${arch}`, readFileSync(join(ROOT, 'package-lock.json'))]);
  if (readStamp('installed') === state) return;
  console.log('Installing packages …');
  // The build needs the development packages too, whatever NODE_ENV says.
  const options = ['--include=dev', '--no-audit', '--no-fund'];
  const installed = npm(['ci', ...options]) || npm(['install', '--no-save', ...options]);
  if (!installed) fail('The packages could not be installed. See the npm error above.');
  writeStamp('installed', state);
}

/** Builds server, client and widget if any of their sources changed since the last time. */
export function ensureBuilt() {
  const state = digest(
    SOURCES.flatMap((source) => filesIn(source)).flatMap((file) => [file, readFileSync(join(ROOT, file))]),
  );
  if (readStamp('built') === state && BUILT_FILES.every((file) => existsSync(join(ROOT, file)))) return;
  console.log('Building …');
  invalidateBuild();
  const { status } = spawnSync(process.execPath, ['scripts/build.js'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) fail('The build failed. See the error above.');
  writeStamp('built', state);
}

/** Makes the next start build again. Call it before writing into a dist folder in another way. */
export function invalidateBuild() {
  rmSync(join(STAMPS, 'built'), { force: true });
}

/** Loads a `.env` file, if there is one. Variables of the environment override it. */
export function loadSettings() {
  const file = join(ROOT, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Stops this process when npm, which started it, is gone: npm's shell may end without sending a signal. */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_WATCH_MS).unref();
}

function npm(args) {
  const { status } = spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
  return status === 0;
}

function filesIn(path) {
  if (/\.\w+$/.test(path)) return [path];
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (NOT_SOURCES.has(entry.name) || TEST_FILE.test(entry.name)) return [];
    const inside = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesIn(inside) : [inside];
  });
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

function readStamp(name) {
  const file = join(STAMPS, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function writeStamp(name, state) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, name), state);
}

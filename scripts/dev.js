// npm run dev: rebuilds and restarts when files are saved. The dashboard is on port 5173 (Vite, which forwards /api, the socket and
// the widget to the server), the server on port 3000.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { copyFonts } from './build/fonts.js';
import { serverBuild } from './build/server.js';
import { ensureInstalled, invalidateBuild, loadSettings, ROOT, requireNode, stopWithParent } from './setup.js';

const children = new Set();
let builder;
let server;
let widgetBuild;
let widgetIsStale = false;
let restarting = Promise.resolve();

requireNode();
process.chdir(ROOT);
ensureInstalled();
invalidateBuild();
loadSettings();
stopWithParent();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);

buildWidget();
watch('widget/src', { recursive: true }, buildWidget);
run('client', [join(ROOT, 'node_modules/vite/bin/vite.js')]);
await copyFonts(join(ROOT, 'server/dist/fonts'));
const { context } = await import('esbuild');
builder = await context({
  ...serverBuild,
  plugins: [...serverBuild.plugins, { name: 'restart', setup: restartAfterBuild }],
});
await builder.watch();

function restartAfterBuild(build) {
  build.onEnd(({ errors }) => {
    if (errors.length === 0) restarting = restarting.then(restart);
  });
}

async function restart() {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  server = run('.', ['--enable-source-maps', 'server/dist/main.js']);
}

function buildWidget() {
  widgetIsStale = true;
  if (widgetBuild) return;
  widgetIsStale = false;
  widgetBuild = run('widget', ['build.js']).once('exit', () => {
    widgetBuild = undefined;
    if (widgetIsStale) buildWidget();
  });
}

function run(folder, args) {
  const child = spawn(process.execPath, args, { cwd: join(ROOT, folder), stdio: 'inherit' });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function stop() {
  await builder?.dispose();
  await Promise.all([...children].map((child) => child.kill('SIGTERM') && once(child, 'exit')));
  process.exit(0);
}

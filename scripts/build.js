// npm run build: builds server, widget and client into their dist folders, then compresses every text file for the browser.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compressFolder } from './build/compress.js';
import { copyFonts } from './build/fonts.js';
import { writeIcons } from './build/icons.js';
import { writePages } from './build/pages.js';
import { serverBuild } from './build/server.js';
import { ROOT } from './setup.js';

process.chdir(ROOT);
rmSync(serverBuild.outdir, { recursive: true, force: true });
await build(serverBuild);
await copyFonts(join(ROOT, 'server/dist/fonts'));
run('widget', 'build.js');
for (const what of [['--manifest'], ['--ssr', 'src/prerender.tsx', '--outDir', 'dist/.ssr']])
  run('client', join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', ...what, '--logLevel', 'warn');
const client = join(ROOT, 'client/dist');
await Promise.all([writePages(client), writeIcons(client)]);
await Promise.all([join(ROOT, 'widget/dist'), client].map(compressFolder));

function run(workspace, ...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: join(ROOT, workspace), stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

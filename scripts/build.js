// npm run build: server, widget and client into their dist folders, then every text file compressed once beside itself.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compressFolder } from './build/compress.js';
import { serverBuild } from './build/server.js';
import { ROOT } from './ready.js';

process.chdir(ROOT);
await build(serverBuild);
run('widget', 'build.js');
run('client', join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--manifest', '--logLevel', 'warn');
await Promise.all(['widget/dist', 'client/dist'].map((folder) => compressFolder(join(ROOT, folder))));

function run(workspace, ...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: join(ROOT, workspace), stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup.js';

const WORKSPACES = ['server', 'browser', 'client', 'widget', 'e2e'];

/** TypeScript finds no error in any workspace. */
export async function types() {
  const runs = WORKSPACES.map((workspace) => run('typescript/bin/tsc', ['-p', workspace]));
  return { problems: (await Promise.all(runs)).flat() };
}

/** Biome finds no problem in format, lint or order of imports. It changes nothing. */
export const biome = async () => ({
  problems: await run('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--colors=off', '.']),
});

/** knip finds no unused file, export or dependency. */
export const knip = async () => ({ problems: await run('knip/bin/knip.js', ['--no-progress']) });

/** Runs an installed tool. If it fails, its output is the problem. */
async function run(bin, args) {
  const file = join(ROOT, 'node_modules', bin);
  if (!existsSync(file)) return [`${bin} is not installed`];
  const child = spawn(process.execPath, [file, ...args], { cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return code === 0 ? [] : [output.trim() || `${bin} exited with code ${code}`];
}

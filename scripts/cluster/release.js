// Another release of Parley, built from this repository's history, to run beside the present one.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fail, ROOT } from '../setup.js';

const PACKAGES = join(ROOT, 'node_modules');
const CACHE = join(PACKAGES, '.cache/releases');
const WORKSPACES = ['server', 'browser', 'client', 'widget', 'e2e'];

/**
 * Builds the code of a commit with the packages of today, unless that is done. Its version is another than today's, as it is of
 * two releases.
 * @param {string} ref of git @returns the folder with its code and build
 */
export function builtRelease(ref) {
  const commit = run('git', ['rev-parse', '--verify', '--short=12', `${ref}^{commit}`], ROOT, 'pipe').trim();
  const folder = join(CACHE, commit);
  if (existsSync(folder)) return folder;
  const making = `${folder}.part`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(join(making, 'node_modules'), { recursive: true });
  run('git', ['archive', '--output', join(making, 'code.tar'), commit], ROOT);
  run('tar', ['-xf', 'code.tar'], making);
  // Its own workspaces, and the packages that are installed.
  for (const name of readdirSync(PACKAGES).filter((name) => !name.startsWith('.'))) {
    const target = WORKSPACES.includes(name) ? join('..', name) : join(PACKAGES, name);
    symlinkSync(target, join(making, 'node_modules', name));
  }
  for (const name of WORKSPACES) {
    const own = join(ROOT, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(making, name, 'node_modules'));
  }
  const manifest = join(making, 'server/package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": "[^"]+"/, `"version": "0.0.0-${commit}"`));
  run(process.execPath, ['scripts/build.js'], making);
  renameSync(making, folder);
  return folder;
}

/** @param {string} program @param {string[]} args @param {string} cwd @param {'inherit' | 'pipe'} output */
function run(program, args, cwd, output = 'inherit') {
  const { status, stdout } = spawnSync(program, args, { cwd, stdio: ['ignore', output, 'inherit'], encoding: 'utf8' });
  if (status !== 0) fail(`${[program, ...args].join(' ')} failed, see above.`);
  return stdout ?? '';
}

// Programs that the tests need and that npm cannot install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of an installed program.
 * @param names its names in PATH @param elsewhere paths where else it may be
 */
export function installedProgram(names, elsewhere = []) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const inPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...inPath, ...elsewhere].find((file) => existsSync(file));
}

/** Installs a package of Debian or Ubuntu, where this process may. @returns whether it is installed now */
export function installWithApt(name) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  return runInstaller('apt-get', ['update', '-q']) && runInstaller('apt-get', ['install', '-q', '-y', name]);
}

/** Runs an installer, with its output. @returns whether it succeeded */
export function runInstaller(command, args) {
  console.log(`Installing: ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup.js';

/** Every file of the project, tracked or not ignored by git: its text by its path from the root. */
export function projectFiles(matching) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const paths = listed.toString().split('\n');
  const wanted = paths.filter((path) => matching.test(path) && existsSync(join(ROOT, path)));
  return new Map(wanted.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

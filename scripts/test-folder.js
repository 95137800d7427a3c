// The folder for the temporary files of a test run.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that many Linux systems have; containers often have a small one. */
const MEMORY = '/dev/shm';
const PLENTY_BYTES = 4 * 2 ** 30;

/**
 * Makes a folder for temporary files, which is removed when this process ends: in memory if there is plenty, because waiting for
 * a disk at each commit of a store takes long, and tests end processes, never the machine.
 */
export function makeTestFolder() {
  const folder = mkdtempSync(join(hasPlenty(MEMORY) ? MEMORY : tmpdir(), 'parley-tests-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

function hasPlenty(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > PLENTY_BYTES;
  } catch {
    return false;
  }
}

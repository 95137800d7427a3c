import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A file system in memory that many Linux systems have; containers often have a small one. */
const MEMORY = '/dev/shm';
const PLENTY_BYTES = 4 * 2 ** 30;

/**
 * Where the data of a test's server is: in memory if there is plenty. Waiting for a disk at each commit took a fifth of
 * the time of these tests, and they end processes, never the machine.
 */
export const FOR_DATA = hasPlenty(MEMORY) ? MEMORY : tmpdir();

function hasPlenty(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > PLENTY_BYTES;
  } catch {
    return false;
  }
}

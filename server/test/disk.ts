import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A small disk of a test's own. */
interface SmallDisk {
  folder: string;
  /** Has somebody else fill it: `bytes` is given what is free. Gives the function that takes it away again. */
  fill(bytes: (free: number, total: number) => number): () => void;
  remove(): void;
}

/** Makes a small disk in memory; null: this user may not. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    fill(bytes) {
      const { bavail, blocks, bsize } = statfsSync(folder);
      const foreign = path.join(folder, 'of-somebody-else');
      writeFileSync(foreign, Buffer.alloc(Math.floor(bytes(bavail * bsize, blocks * bsize))));
      return () => rmSync(foreign);
    },
    remove() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { closeToOthers, ownFolder, StoreError, shownPath, storeFolder } from './folder.ts';
import { copyLmdb } from './storage/lmdb.ts';

/** How LMDB names the file that holds the data. */
const DATA_FILE = 'data.mdb';
/** Where LMDB notes who reads: made anew where it is missing. */
const LOCK_FILE = 'lock.mdb';

/**
 * Copies the store of a folder, as it is at one moment, into another folder, which can then be started on. A process
 * that runs it goes on meanwhile.
 * @throws StoreError where there is no store
 */
export async function backUpStore(dataDir: string, target: string): Promise<void> {
  await copyInto(dataDir, storeFolder(target));
}

/**
 * Makes the file of a store as small as its data, and gives its size before and after, in bytes. The new file takes the
 * old one's place only when it is whole and on the disk.
 * @throws StoreError where there is no store, or while a process runs it
 */
export async function compactStore(dataDir: string): Promise<{ before: number; after: number }> {
  requireData(dataDir);
  const { path, leave } = await ownFolder(dataDir);
  const aside = join(path, 'compact');
  try {
    const file = join(path, DATA_FILE);
    const before = (await stat(file)).size;
    await rm(aside, { recursive: true, force: true });
    await copyInto(dataDir, aside);
    await rename(join(aside, DATA_FILE), file);
    await flush(path);
    return { before, after: (await stat(file)).size };
  } finally {
    await rm(aside, { recursive: true, force: true });
    leave();
  }
}

async function copyInto(dataDir: string, folder: string): Promise<void> {
  requireData(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await untilAsked((signal) => copyLmdb(storeFolder(dataDir), folder, signal));
  await rm(join(folder, LOCK_FILE), { force: true });
  closeToOthers(folder);
  for (const path of [join(folder, DATA_FILE), folder]) await flush(path);
}

/**
 * Runs work that a signal ends in order: a process that just dies keeps its place among the readers of the file, in which no
 * room is used again until somebody looks.
 */
async function untilAsked(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort(new StoreError('The copy was ended before it was whole.'));
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    await work(ended.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function requireData(dataDir: string): void {
  if (existsSync(join(storeFolder(dataDir), DATA_FILE))) return;
  throw new StoreError(`There is no data in ${shownPath(dataDir)}. Set DATA_DIR to the folder of the server.`);
}

/** Sees to it that a file, or the names in a folder, outlive a loss of power. */
async function flush(path: string): Promise<void> {
  // Windows neither needs nor allows it for folders
  if (process.platform === 'win32' && !path.endsWith(DATA_FILE)) return;
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  await handle.sync().finally(() => handle.close());
}

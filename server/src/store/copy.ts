import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { displayPath, lockFolder, restrictAccess, StoreError, storeFolder } from './folder.ts';
import { FORMAT, FORMAT_KEY, parseFormat } from './records.ts';
import { copyLmdb, type FormatUpgrade } from './storage/copy.ts';
import { openLmdb, usedBytes } from './storage/lmdb.ts';
import { diskOf } from './storage/reserve.ts';
import { DATA_FILE } from './storage/trees.ts';
import { upgradeFrom } from './upgrade.ts';

/** What a backup leaves free, which is more than a store keeps for itself: a full disk would make it refuse new messages. */
const LEFT_FREE_BYTES = 128 * 2 ** 20;
/** LMDB's table of readers. LMDB creates it if it is missing. */
const LOCK_FILE = 'lock.mdb';

/**
 * Copies a snapshot of a folder's store into another folder, on which a store can then be started. A process that runs the
 * store continues meanwhile.
 * @throws StoreError if there is no store, or if there is no room for a copy
 */
export async function backUpStore(dataDir: string, target: string): Promise<void> {
  requireData(dataDir);
  const from = storeFolder(dataDir);
  const to = storeFolder(target);
  await mkdir(to, { recursive: true, mode: 0o700 });
  const [needed, { free }] = [(await usedBytes(from)) + LEFT_FREE_BYTES, diskOf(to)];
  if (free < needed)
    throw new StoreError(
      `The backup needs ${mb(needed)} of free disk space in ${displayPath(target)}, and only ${mb(free)} are free. Free some space, keep fewer backups, or set another folder.`,
    );
  await copyInto(from, to);
}

/**
 * Rewrites the file of a store so that it is only as large as its data.
 * @returns its size before and after, in bytes
 * @throws StoreError if there is no store, if a process runs it, or if there is no room for a second file beside the old one
 */
export async function compactStore(dataDir: string): Promise<{ before: number; after: number }> {
  requireData(dataDir);
  const { path, leave } = await lockFolder(dataDir);
  try {
    const { format, used } = await lookAt(path);
    return await rewrite(path, dataDir, used, upgradeFrom(format));
  } finally {
    leave();
  }
}

/**
 * Rewrites the file of an older version in the present format. This process must own the folder. It is safe to stop at any
 * point: the old file stays until the new one is complete, and the next start begins again.
 * @param log receives a sentence before and after
 * @throws StoreError if there is no room for a second file beside the old one
 */
export async function upgradeStore(path: string, dataDir: string, log: (sentence: string) => void): Promise<void> {
  await rm(join(path, ASIDE), { recursive: true, force: true });
  if (!existsSync(join(path, DATA_FILE))) return;
  const { format, used } = await lookAt(path);
  const renewal = upgradeFrom(format);
  if (!renewal) return;
  const began = performance.now();
  log(
    `The data (${mb(used)}) is being converted to the format of this version, which takes about a minute for each GB. Please wait: if Parley is stopped, it starts the conversion again, and nothing is lost.`,
  );
  const { after } = await rewrite(path, dataDir, used, renewal);
  log(
    `The data was converted to the format of this version (${mb(after)}) in ${Math.ceil((performance.now() - began) / 1000)} s.`,
  );
}

/** The format of the data, and how many bytes of its file are used. */
async function lookAt(path: string): Promise<{ format: number; used: number }> {
  const storage = openLmdb(path);
  try {
    const format = storage.get(FORMAT_KEY);
    const { file, unused } = storage.space();
    return { format: format ? parseFormat(format) : FORMAT, used: file - unused };
  } finally {
    await storage.close();
  }
}

/** The folder for the new file until it is complete. */
const ASIDE = 'compact';

/** Writes the file again. An atomic rename replaces the old one, only when the new file is complete and on the disk. */
async function rewrite(path: string, dataDir: string, used: number, renewal: FormatUpgrade | undefined) {
  const aside = join(path, ASIDE);
  const file = join(path, DATA_FILE);
  const before = (await stat(file)).size;
  await rm(aside, { recursive: true, force: true });
  const { free } = diskOf(path);
  if (free < used)
    throw new StoreError(
      `The data in ${displayPath(dataDir)} cannot be converted: that needs ${mb(used)} of free disk space, and only ${mb(free)} are free. Free some space and try again.`,
    );
  try {
    await copyInto(path, aside, renewal);
    // the table of readers belongs to the old file; a backup that has that file open keeps both
    await rm(join(path, LOCK_FILE), { force: true });
    await rename(join(aside, DATA_FILE), file);
    await flush(path);
    return { before, after: (await stat(file)).size };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function copyInto(from: string, folder: string, renewal?: FormatUpgrade): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await untilAsked((signal) => copyLmdb(from, folder, signal, renewal));
  await rm(join(folder, LOCK_FILE), { force: true });
  restrictAccess(folder);
  for (const path of [join(folder, DATA_FILE), folder]) await flush(path);
}

const mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

/**
 * Runs work that a signal stops in an orderly way. A process that is simply killed stays in LMDB's table of readers, and
 * until that is cleaned no free room in the file is used again.
 */
async function untilAsked(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort(new StoreError('The copy was stopped before it was complete.'));
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
  throw new StoreError(`There is no data in ${displayPath(dataDir)}. Set DATA_DIR to the folder of the server.`);
}

/** Makes a file, or the names in a folder, survive a loss of power (fsync). */
async function flush(path: string): Promise<void> {
  // Windows neither needs nor allows it for folders
  if (process.platform === 'win32' && !path.endsWith(DATA_FILE)) return;
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  await handle.sync().finally(() => handle.close());
}

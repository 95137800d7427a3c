import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { closeToOthers, ownFolder, StoreError, shownPath, storeFolder } from './folder.ts';
import { FORMAT, FORMAT_KEY, formatOf } from './records.ts';
import { copyLmdb, type Renewal } from './storage/copy.ts';
import { openLmdb } from './storage/lmdb.ts';
import { diskOf } from './storage/room.ts';
import { DATA_FILE } from './storage/trees.ts';
import { renewalOf } from './upgrade.ts';

/** Where LMDB notes who reads: made anew where it is missing. */
const LOCK_FILE = 'lock.mdb';

/**
 * Copies the store of a folder, as it is at one moment, into another folder, which can then be started on. A process
 * that runs it goes on meanwhile.
 * @throws StoreError where there is no store
 */
export async function backUpStore(dataDir: string, target: string): Promise<void> {
  requireData(dataDir);
  await copyInto(storeFolder(dataDir), storeFolder(target));
}

/**
 * Makes the file of a store as small as its data, and gives its size before and after, in bytes.
 * @throws StoreError where there is no store, while a process runs it, or without room for it beside the old one
 */
export async function compactStore(dataDir: string): Promise<{ before: number; after: number }> {
  requireData(dataDir);
  const { path, leave } = await ownFolder(dataDir);
  try {
    const { format, used } = await lookAt(path);
    return await rewrite(path, dataDir, used, renewalOf(format));
  } finally {
    leave();
  }
}

/**
 * Brings the file of an older version, in a folder that this process owns, into the present form. It may end at any point: the
 * next start does it again.
 * @param tell is given a sentence before and after
 * @throws StoreError without room for it beside the old one
 */
export async function upgradeStore(path: string, dataDir: string, tell: (sentence: string) => void): Promise<void> {
  await rm(join(path, ASIDE), { recursive: true, force: true });
  if (!existsSync(join(path, DATA_FILE))) return;
  const { format, used } = await lookAt(path);
  const renewal = renewalOf(format);
  if (!renewal) return;
  const began = performance.now();
  tell(
    `The data (${mb(used)}) is written anew in the form of this version, which takes about a minute for each GB. Let it end: a start that is cut short begins it again, and nothing is lost.`,
  );
  const { after } = await rewrite(path, dataDir, used, renewal);
  tell(
    `The data is in the form of this version (${mb(after)}), after ${Math.ceil((performance.now() - began) / 1000)} s.`,
  );
}

/** The format of the data, and how much of its file is used. */
async function lookAt(path: string): Promise<{ format: number; used: number }> {
  const storage = openLmdb(path);
  try {
    const format = storage.get(FORMAT_KEY);
    const { file, unused } = storage.space();
    return { format: format ? formatOf(format) : FORMAT, used: file - unused };
  } finally {
    await storage.close();
  }
}

/** Where the new file is written until it is whole. */
const ASIDE = 'compact';

/** Writes the file anew. It takes the old one's place only when it is whole and on the disk, in one step. */
async function rewrite(path: string, dataDir: string, used: number, renewal: Renewal | undefined) {
  const aside = join(path, ASIDE);
  const file = join(path, DATA_FILE);
  const before = (await stat(file)).size;
  await rm(aside, { recursive: true, force: true });
  const { free } = diskOf(path);
  if (free < used)
    throw new StoreError(
      `The data in ${shownPath(dataDir)} cannot be written anew: that takes ${mb(used)} of room on its disk beside the old file, and ${mb(free)} are free. Make room, and try again.`,
    );
  try {
    await copyInto(path, aside, renewal);
    // it tells of the old file; whoever makes a backup of that keeps both
    await rm(join(path, LOCK_FILE), { force: true });
    await rename(join(aside, DATA_FILE), file);
    await flush(path);
    return { before, after: (await stat(file)).size };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function copyInto(from: string, folder: string, renewal?: Renewal): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await untilAsked((signal) => copyLmdb(from, folder, signal, renewal));
  await rm(join(folder, LOCK_FILE), { force: true });
  closeToOthers(folder);
  for (const path of [join(folder, DATA_FILE), folder]) await flush(path);
}

const mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

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

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { upgradeStore } from './copy.ts';
import { displayPath, lockFolder, StoreError, storeFolder } from './folder.ts';
import { LockedError, livingOwner } from './lock.ts';
import type { Reserve } from './storage/reserve.ts';
import type { WorkerData, WorkerMessage } from './worker.ts';

export { backUpStore, compactStore } from './copy.ts';
export { openReader, type StoreReader } from './reader.ts';
export { StoreError };

export interface StoreOptions {
  /** The folder of the store's data; it is created if there is none. */
  dataDir: string;
  /** The room kept free on the disk for the writes that free room again. */
  reserve?: Reserve;
  /** A worker file other than the built one, for tests. */
  workerUrl?: URL;
  /** A slice length other than the usual one, for tests: with 0, commands give way after every step. */
  sliceWork?: number | undefined;
  /**
   * Receives a sentence before and after data of an older version is rewritten in the present format, which takes a while.
   */
  log?: (sentence: string) => void;
}

export interface Store {
  /** The address for any MongoDB driver on this machine. */
  uri: string;
  socketPath: string;
  /** The folder of the data's file. */
  path: string;
  /** How many bytes the data takes on the disk. */
  bytes(): Promise<number>;
  /** Finishes the commands that have arrived, closes the data and releases the folder. */
  stop(): Promise<void>;
  /** Resolves with the reason if the store ends without a call of `stop`. */
  failed: Promise<Error>;
}

/** A store that is open for one short command. */
interface BorrowedStore extends Pick<Store, 'uri' | 'stop'> {
  /** It belongs to another process, which continues to use it meanwhile. */
  shared: boolean;
}

/** The ending of LMDB's file names. */
const DATA_FILE_ENDING = '.mdb';

/**
 * Starts the embedded document store on a folder, in a worker thread, and resolves when clients can connect. Data of an
 * older version is rewritten in the present format first.
 * @throws StoreError if another process owns the folder, it cannot be written, or it holds data of a later version
 */
export async function startStore({ dataDir, workerUrl, reserve, sliceWork, log }: StoreOptions): Promise<Store> {
  const { path, socketPath, leave } = await lockFolder(dataDir);
  await upgradeStore(path, dataDir, log ?? (() => {})).catch((error) => {
    leave();
    throw error instanceof StoreError ? error : unopened(dataDir, error.message);
  });
  const data: WorkerData = { dataPath: path, socketPath, sliceWork, ...(reserve && { reserve }) };
  const worker = new Worker(workerUrl ?? new URL('./store-worker.js', import.meta.url), { workerData: data });
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', (code) => resolve(new Error(`The store's thread exited with code ${code}.`)));
  });
  let isStopping = false;
  const failed = new Promise<Error>((resolve) => {
    ended.then((reason) => isStopping || resolve(reason));
  });
  const answer = await Promise.race([message(worker), ended]);
  if (answer instanceof Error || answer.state !== 'ready') {
    await worker.terminate();
    leave();
    const reason =
      answer instanceof Error ? answer.message : answer.state === 'refused' ? answer.message : answer.state;
    throw unopened(dataDir, reason);
  }
  const stop = runOnce(async () => {
    isStopping = true;
    const stopped = message(worker);
    worker.postMessage('stop');
    await Promise.race([stopped, ended]);
    await worker.terminate();
    leave();
  });
  return { uri: uriOf(socketPath), socketPath, path, bytes: () => sizeOf(path), stop, failed };
}

function unopened(dataDir: string, reason: string): StoreError {
  return new StoreError(`The store in the data folder ${displayPath(dataDir)} cannot be opened: ${reason}`);
}

/**
 * The store of a folder for a short command: the one that another process runs there, or one started for this command.
 * @throws StoreError as `startStore`, and without `make` also where no store was ever started
 */
export async function openStoreForCommand(options: StoreOptions & { make?: boolean }): Promise<BorrowedStore> {
  if (!options.make && !existsSync(storeFolder(options.dataDir)))
    throw new StoreError(
      `There is no data in ${displayPath(options.dataDir)}. Set DATA_DIR to the folder of the server.`,
    );
  try {
    const { uri, stop } = await startStore(options);
    return { uri, stop, shared: false };
  } catch (error) {
    if (!(error instanceof StoreError && error.cause instanceof LockedError)) throw error;
    return { uri: uriOf(error.cause.socket), stop: async () => {}, shared: true };
  }
}

/** The address of the store that a process runs on this folder now; null if there is none. */
export async function runningStore(dataDir: string): Promise<string | null> {
  const owner = await livingOwner(storeFolder(dataDir));
  return owner && uriOf(owner.socket);
}

function uriOf(socketPath: string): string {
  return `mongodb://${encodeURIComponent(socketPath)}/parley?directConnection=true`;
}

async function sizeOf(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(DATA_FILE_ENDING));
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function message(worker: Worker): Promise<WorkerMessage> {
  return new Promise((resolve) => worker.once('message', resolve));
}

function runOnce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

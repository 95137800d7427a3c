import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { upgradeStore } from './copy.ts';
import { ownFolder, StoreError, shownPath, storeFolder } from './folder.ts';
import { LockedError, livingOwner } from './lock.ts';
import type { Reserve } from './storage/room.ts';
import type { WorkerData, WorkerMessage } from './worker.ts';

export { backUpStore, compactStore } from './copy.ts';
export { StoreError };

export interface StoreOptions {
  /** the folder that the store keeps its data in; made if there is none */
  dataDir: string;
  /** what is kept free for what undoes a full disk */
  reserve?: Reserve;
  /** another worker file than the built one, for tests */
  workerUrl?: URL;
  /** another length of a slice than the usual one, for tests: with 0 commands give way after every step */
  sliceWork?: number | undefined;
  /** is given a sentence when the data of an older version is brought into the present form, which takes a while, and when it is */
  tell?: (sentence: string) => void;
}

export interface Store {
  /** the address for any MongoDB driver on this machine */
  uri: string;
  /** How much room the data takes on the disk. */
  bytes(): Promise<number>;
  /** Finishes what has been asked, closes the data and gives the folder free. */
  stop(): Promise<void>;
  /** Resolves with the reason if the store ends without having been asked to. */
  failed: Promise<Error>;
}

/** A store for a short command. */
interface BorrowedStore extends Pick<Store, 'uri' | 'stop'> {
  /** it is another process's, which goes on using it meanwhile */
  shared: boolean;
}

/** How LMDB names its files. */
const DATA_FILE_ENDING = '.mdb';

/**
 * Starts the embedded document store on a folder, in a worker thread, and resolves when it can be connected to. Data of an
 * older version is brought into the present form before.
 * Throws a StoreError if the folder is owned by another process, cannot be written, or holds data of a later version.
 */
export async function startStore({ dataDir, workerUrl, reserve, sliceWork, tell }: StoreOptions): Promise<Store> {
  const { path, socketPath, leave } = await ownFolder(dataDir);
  await upgradeStore(path, dataDir, tell ?? (() => {})).catch((error) => {
    leave();
    throw error instanceof StoreError ? error : unopened(dataDir, error.message);
  });
  const data: WorkerData = { dataPath: path, socketPath, sliceWork, ...(reserve && { reserve }) };
  const worker = new Worker(workerUrl ?? new URL('./store-worker.js', import.meta.url), { workerData: data });
  const ended = new Promise<Error>((tell) => {
    worker.once('error', tell);
    worker.once('exit', (code) => tell(new Error(`The store's thread ended with code ${code}.`)));
  });
  let asked = false;
  const failed = new Promise<Error>((tell) => {
    ended.then((reason) => asked || tell(reason));
  });
  const answer = await Promise.race([message(worker), ended]);
  if (answer instanceof Error || answer.state !== 'ready') {
    await worker.terminate();
    leave();
    const reason =
      answer instanceof Error ? answer.message : answer.state === 'refused' ? answer.message : answer.state;
    throw unopened(dataDir, reason);
  }
  const stop = once(async () => {
    asked = true;
    const stopped = message(worker);
    worker.postMessage('stop');
    await Promise.race([stopped, ended]);
    await worker.terminate();
    leave();
  });
  return { uri: uriOf(socketPath), bytes: () => sizeOf(path), stop, failed };
}

function unopened(dataDir: string, reason: string): StoreError {
  return new StoreError(`The store in the data folder ${shownPath(dataDir)} cannot be opened: ${reason}`);
}

/**
 * The store of a folder for a short command: the one that another process runs there, or one started for the time being.
 * Throws a StoreError as `startStore`, and, unless it is to `make` one, where no store was ever started.
 */
export async function borrowStore(options: StoreOptions & { make?: boolean }): Promise<BorrowedStore> {
  if (!options.make && !existsSync(storeFolder(options.dataDir)))
    throw new StoreError(
      `There is no data in ${shownPath(options.dataDir)}. Set DATA_DIR to the folder of the server.`,
    );
  try {
    const { uri, stop } = await startStore(options);
    return { uri, stop, shared: false };
  } catch (error) {
    if (!(error instanceof StoreError && error.cause instanceof LockedError)) throw error;
    return { uri: uriOf(error.cause.socket), stop: async () => {}, shared: true };
  }
}

/** The address of the store that a process runs on this folder now; null: none does. */
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
  return new Promise((tell) => worker.once('message', tell));
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

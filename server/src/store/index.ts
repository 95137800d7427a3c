import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Lock, LockedError, takeLock } from './lock.ts';
import type { WorkerData, WorkerMessage } from './worker.ts';

export interface StoreOptions {
  /** the folder that the store keeps its data in; made if there is none */
  dataDir: string;
  /** another worker file than the built one, for tests */
  workerUrl?: URL;
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

/** The store cannot start, said in one sentence that a person can act on. */
export class StoreError extends Error {}

/** How LMDB names its files. */
const DATA_FILE_ENDING = '.mdb';
/** Unix socket paths may be this long on every system that has them (one byte of 104 ends the path). */
const SOCKET_PATH_BYTES = 103;
/** Room for the name of a socket in its folder. */
const SOCKET_NAME_BYTES = 24;

/**
 * Starts the embedded document store on a folder, in a worker thread, and resolves when it can be connected to.
 * Throws a StoreError if the folder is owned by another process, cannot be written, or holds data of a later version.
 */
export async function startStore({ dataDir, workerUrl }: StoreOptions): Promise<Store> {
  const folder = join(resolve(dataDir), 'store');
  const shown = shownPath(dataDir);
  const { sockets, lock } = await own(folder, shown);
  const socketPath = lock.socket;
  removeOldSockets(sockets);
  const data: WorkerData = { dataPath: folder, socketPath };
  const worker = new Worker(workerUrl ?? new URL('./store-worker.js', import.meta.url), { workerData: data });
  const leave = () => {
    lock.release();
    rmSync(socketPath, { force: true });
    if (sockets !== folder) rmSync(sockets, { recursive: true, force: true });
  };
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
    throw new StoreError(`The store in the data folder ${shown} cannot be opened: ${reason}`);
  }
  const stop = once(async () => {
    asked = true;
    const stopped = message(worker);
    worker.postMessage('stop');
    await Promise.race([stopped, ended]);
    await worker.terminate();
    leave();
  });
  return { uri: uriOf(socketPath), bytes: () => sizeOf(folder), stop, failed };
}

/**
 * The store of a folder for a short command: the one that another process runs there, or one started for the time being.
 * Throws a StoreError as `startStore`, and where no store was ever started.
 */
export async function borrowStore(options: StoreOptions): Promise<Pick<Store, 'uri' | 'stop'>> {
  if (!existsSync(join(resolve(options.dataDir), 'store')))
    throw new StoreError(
      `There is no data in ${shownPath(options.dataDir)}. Set DATA_DIR to the folder of the server.`,
    );
  try {
    return await startStore(options);
  } catch (error) {
    if (!(error instanceof StoreError && error.cause instanceof LockedError)) throw error;
    return { uri: uriOf(error.cause.socket), stop: async () => {} };
  }
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

function shownPath(dataDir: string): string {
  const inside = relative(process.cwd(), resolve(dataDir));
  return inside === '' || inside.startsWith('..') ? resolve(dataDir) : `./${inside}`;
}

async function own(folder: string, shown: string): Promise<{ sockets: string; lock: Lock }> {
  let sockets = folder;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    sockets = socketFolder(folder);
    return { sockets, lock: await takeLock(folder, sockets) };
  } catch (error) {
    if (sockets !== folder) rmSync(sockets, { recursive: true, force: true });
    throw explained(error, shown);
  }
}

function explained(error: unknown, shown: string): unknown {
  if (error instanceof LockedError) {
    return new StoreError(
      `The data folder ${shown} is in use by process ${error.pid} (started ${error.startedAt}). Stop it first, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StoreError(
      `The data folder ${shown} cannot be written. Give this user the right to, or set DATA_DIR to another folder.`,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StoreError(`The data folder ${shown} is not a folder. Set DATA_DIR to another path.`);
  }
  if (code === 'ENOSPC') return new StoreError(`There is no room left on the disk of the data folder ${shown}.`);
  return error;
}

/** The folder for sockets: with the data, or, where that path is too long for a socket, a private one for temporary files. */
function socketFolder(folder: string): string {
  const fits = Buffer.byteLength(folder) + 1 + SOCKET_NAME_BYTES <= SOCKET_PATH_BYTES;
  return fits ? folder : mkdtempSync(join(tmpdir(), 'parley-'));
}

/** Removes the sockets that killed processes left behind. */
function removeOldSockets(folder: string): void {
  if (process.platform === 'win32') return;
  for (const name of readdirSync(folder)) if (name.endsWith('.sock')) rmSync(join(folder, name), { force: true });
}

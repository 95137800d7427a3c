import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Lock, LockedError, takeLock } from './lock.ts';

/** The store cannot do what is asked. The message is one sentence that tells a person what to do. */
export class StoreError extends Error {}

/** A folder that this process owns until it releases it. */
interface OwnFolder {
  /** The folder of the data. */
  path: string;
  /** The path of the store's socket. */
  socketPath: string;
  leave(): void;
}

/** Unix socket paths may have this many bytes on every system (the limit is 104 with the NUL at the end). */
const SOCKET_PATH_BYTES = 103;
/** Bytes reserved for the name of a socket in its folder. */
const SOCKET_NAME_BYTES = 24;

/** The folder of the store's data inside the application's data folder. */
export function storeFolder(dataDir: string): string {
  return join(resolve(dataDir), 'store');
}

/** The path of a folder as a person would type it from the working directory of this process. */
export function displayPath(dataDir: string): string {
  const inside = relative(process.cwd(), resolve(dataDir));
  return inside === '' || inside.startsWith('..') ? resolve(dataDir) : `./${inside}`;
}

/**
 * Takes ownership of the store's folder for this process, and creates it if there is none.
 * @throws StoreError if another process owns it, or it cannot be written
 */
export async function lockFolder(dataDir: string): Promise<OwnFolder> {
  const path = storeFolder(dataDir);
  let sockets = path;
  let lock: Lock;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    restrictAccess(path);
    sockets = socketFolder(path);
    lock = await takeLock(path, sockets);
  } catch (error) {
    if (sockets !== path) rmSync(sockets, { recursive: true, force: true });
    throw explained(error, displayPath(dataDir));
  }
  removeOldSockets(sockets);
  return {
    path,
    socketPath: lock.socket,
    leave() {
      lock.release();
      rmSync(lock.socket, { force: true });
      if (sockets !== path) rmSync(sockets, { recursive: true, force: true });
    },
  };
}

/**
 * Removes the access of all other users of the machine to the data. A folder that was copied or unpacked may have a wider
 * mode. A file system without modes is left as it is.
 */
export function restrictAccess(folder: string): void {
  if (process.platform === 'win32') return;
  const files = readdirSync(folder).filter((name) => name.endsWith('.mdb'));
  try {
    chmodSync(folder, 0o700);
    for (const name of files) chmodSync(join(folder, name), 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP') throw error;
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
      `Parley cannot write to the data folder ${shown}. Give this user write permission, or set DATA_DIR to another folder.`,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StoreError(`The data folder ${shown} is not a folder. Set DATA_DIR to another path.`);
  }
  if (code === 'ENOSPC') return new StoreError(`The disk of the data folder ${shown} is full.`);
  return error;
}

/** The folder for sockets: with the data, or a private temporary one if that path is too long for a socket. */
function socketFolder(folder: string): string {
  const fits = Buffer.byteLength(folder) + 1 + SOCKET_NAME_BYTES <= SOCKET_PATH_BYTES;
  return fits ? folder : mkdtempSync(join(tmpdir(), 'parley-'));
}

/** Removes the sockets that killed processes left behind. */
function removeOldSockets(folder: string): void {
  if (process.platform === 'win32') return;
  for (const name of readdirSync(folder)) if (name.endsWith('.sock')) rmSync(join(folder, name), { force: true });
}

import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** The content of the lock file, about the process that owns the folder. */
interface Holder {
  token: string;
  pid: number;
  startedAt: string;
  /** A socket on which the owner listens while it lives. The kernel closes it however the process ends. */
  guard: string;
}

export interface Lock {
  /** The path of the owner's store socket, so that a process that finds the lock can connect to the store. */
  socket: string;
  release(): void;
}

/** The folder belongs to a process that is still running. */
export class LockedError extends Error {
  readonly pid: number;
  readonly startedAt: string;
  /** The path on which the owner's store listens, or will soon listen. */
  readonly socket: string;

  constructor({ pid, startedAt, guard }: Holder) {
    super(`in use by process ${pid}`);
    this.pid = pid;
    this.startedAt = startedAt;
    this.socket = socketBeside(guard);
  }
}

/** How often a takeover is tried: it may race with other processes that do the same. */
const MAX_ROUNDS = 20;

/**
 * Takes the folder for this process (an exclusive lock file). Whether the owner lives is found by connecting to its guard
 * socket, not by its process id: an id may be given to another process, but a socket closes with its owner.
 * @throws LockedError if the owner lives
 */
export async function takeLock(folder: string, socketFolder: string): Promise<Lock> {
  const token = randomBytes(8).toString('hex');
  const guard = guardPath(socketFolder, token);
  const server = await listen(guard);
  const holder: Holder = { token, pid: process.pid, startedAt: new Date().toISOString(), guard };
  try {
    await claim(folder, holder);
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    socket: socketBeside(guard),
    release() {
      if (readHolder(lockPath(folder))?.token === token) rmSync(lockPath(folder), { force: true });
      server.close();
    },
  };
}

/** The living owner of the folder; null if there is none. */
export async function livingOwner(folder: string): Promise<{ socket: string } | null> {
  const holder = readHolder(lockPath(folder));
  return holder && (await lives(holder)) ? { socket: socketBeside(holder.guard) } : null;
}

const lockPath = (folder: string) => join(folder, 'owner.json');

/** The path of the store's socket: that of the guard with another ending. */
const socketBeside = (guard: string) => `${guard.replace(/\.own$/, '')}.sock`;

function guardPath(folder: string, token: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\parley-${token}` : join(folder, `${token}.own`);
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

async function claim(folder: string, holder: Holder): Promise<void> {
  const path = lockPath(folder);
  const mine = `${path}.${holder.token}`;
  writeFileSync(mine, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // a link appears together with its content, and only the first attempt to make it succeeds
      if (tryLink(mine, path)) return;
      const other = readHolder(path);
      if (other && (await lives(other))) throw new LockedError(other);
      if (other) takeAway(path, `${mine}.old`, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw new Error(`The lock ${path} is taken again and again by other processes.`);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return { token: '', pid: 0, startedAt: '', guard: '' };
    throw error;
  }
}

function lives({ guard }: Holder): Promise<boolean> {
  if (!guard) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(guard);
    const answer = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', (error: NodeJS.ErrnoException) => answer(error.code === 'EAGAIN'));
  });
}

/** Removes the lock of a dead owner. If another process has replaced it meanwhile, that lock is put back. */
function takeAway(path: string, aside: string, dead: Holder): void {
  // the check whether the owner lives took some time: another process may have replaced the lock since
  if (readHolder(path)?.token !== dead.token) return;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside)?.token === dead.token) rmSync(dead.guard, { force: true });
  else tryLink(aside, path);
  rmSync(aside, { force: true });
}

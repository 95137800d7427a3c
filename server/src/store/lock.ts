import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** What the lock file says about the process that owns the folder. */
interface Holder {
  token: string;
  pid: number;
  startedAt: string;
  /** a socket on which the owner listens as long as it lives: the kernel closes it, however the process ends */
  guard: string;
}

export interface Lock {
  /** where the owner's store is to listen, so that whoever finds the lock finds the store */
  socket: string;
  release(): void;
}

/** The folder belongs to a process that lives. */
export class LockedError extends Error {
  readonly pid: number;
  readonly startedAt: string;
  /** where the owner's store listens, or is about to */
  readonly socket: string;

  constructor({ pid, startedAt, guard }: Holder) {
    super(`in use by process ${pid}`);
    this.pid = pid;
    this.startedAt = startedAt;
    this.socket = socketBeside(guard);
  }
}

/** A takeover may meet others that try the same; this many rounds are plenty. */
const MAX_ROUNDS = 20;

/**
 * Takes the folder for this process. Whether an owner lives is asked of the kernel, by connecting to its guard socket: a
 * number of a process may be given to another, a socket goes with its owner. Throws LockedError if it lives.
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

/** Who owns the folder and lives; null: nobody. */
export async function livingOwner(folder: string): Promise<{ socket: string } | null> {
  const holder = readHolder(lockPath(folder));
  return holder && (await lives(holder)) ? { socket: socketBeside(holder.guard) } : null;
}

const lockPath = (folder: string) => join(folder, 'owner.json');

/** The store's socket has its guard's name, with another ending. */
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
      // a link appears with its content, and only one can be the first
      if (tryLink(mine, path)) return;
      const other = readHolder(path);
      if (other && (await lives(other))) throw new LockedError(other);
      if (other) takeAway(path, `${mine}.old`, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw new Error(`The lock ${path} keeps changing hands.`);
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

/** Removes a dead owner's lock; if another has taken the place meanwhile, that one is put back. */
function takeAway(path: string, aside: string, dead: Holder): void {
  // whether it lives took a while to find out: another process may have taken the place since
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

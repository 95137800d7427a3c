import { open, type RootDatabase } from 'lmdb';
import { createRoom, diskOf, type Reserve, SMALL_RESERVE, type Space } from './room.ts';
import { type Entry, type KeyRange, type Storage, StorageError } from './storage.ts';

/**
 * Address space reserved for the file; the file itself grows with the data. A process of a small machine has 512 GiB of it
 * (arm64 with 39 bits), in which two of them fit beside all else.
 */
const MAP_BYTES = 128 * 2 ** 30;
/** LMDB's two pages that tell where all else is. */
const META_PAGES = 2;

type Db = RootDatabase<Buffer, Buffer>;

const OPTIONS = {
  mapSize: MAP_BYTES,
  keyEncoding: 'binary',
  encoding: 'binary',
  cache: false,
  overlappingSync: false,
  maxDbs: 1,
} as const;

/** What one transaction of a copy writes: it can be ended between two of them. */
const COPY_ENTRIES = 1_000;

/** What becomes of an entry in a copy, in the order of the keys before and after; undefined: it is left out. */
export type Renew = (entry: Entry) => Entry | undefined;

/**
 * Copies the LMDB file of the folder `from` into the folder `to`, as it is at one moment, in the order of its keys: so its pages
 * are full, and it is as small as it can be. Whoever has it open may go on reading and writing.
 * @param signal ends it, and gives free what it held
 */
export async function copyLmdb(from: string, to: string, signal: AbortSignal, renew?: Renew): Promise<void> {
  const source = open<Buffer, Buffer>({ ...OPTIONS, path: from, readOnly: true });
  const target = open<Buffer, Buffer>({ ...OPTIONS, path: to, noSync: true });
  const snapshot = source.useReadTransaction();
  const all = source.getRange({ transaction: snapshot })[Symbol.iterator]();
  try {
    for (let isOver = false; !isOver; await new Promise(setImmediate)) {
      signal.throwIfAborted();
      target.transactionSync(() => {
        for (let n = 0; n < COPY_ENTRIES && !isOver; n++) isOver = append(target, all.next(), renew);
      });
    }
  } finally {
    all.return?.();
    snapshot.done();
    await source.close();
    await target.close();
  }
}

/** Whether there was nothing more to append. */
function append(target: Db, { done, value }: IteratorResult<Entry>, renew: Renew = (entry) => entry): boolean {
  const entry = done ? undefined : renew(value);
  if (entry) target.putSync(entry.key, entry.value, { append: true });
  return done === true;
}

/** Opens (or makes) the LMDB file at `path`. A commit is on the disk when `transact` returns. */
export function openLmdb(path: string, reserve: Reserve = SMALL_RESERVE): Storage {
  const db = open<Buffer, Buffer>({ ...OPTIONS, path });
  const room = createRoom(() => spaceOf(db, path), reserve);
  let inside = false;
  let written = 0;
  let work = 0;

  const options = ({ start, end, backwards }: KeyRange, limit: number) =>
    // backwards LMDB goes down from `start`: the bounds change places, and with them which one is left out
    backwards
      ? { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true, limit, snapshot: false }
      : { start, end, limit, snapshot: false };

  return {
    room,
    space: () => spaceOf(db, path),
    get written() {
      return written;
    },
    get work() {
      return work;
    },
    get(key) {
      // lent until the next call, in a larger buffer that only says it is so long
      const lent = db.getBinaryFast(key);
      work += COST.read + (lent?.length ?? 0) / COST.bytes;
      return lent && copy(lent.subarray(0, lent.length));
    },
    put(key, value) {
      written++;
      work += COST.write + value.length / COST.bytes;
      refusable(() => db.putSync(key, value));
    },
    remove(key) {
      written++;
      work += COST.write;
      refusable(() => db.removeSync(key));
    },
    keys(range, limit) {
      const keys = Array.from(db.getKeys(options(range, limit)), copy);
      work += COST.range + keys.length * COST.key;
      return keys;
    },
    entries(range, limit) {
      const entries: Entry[] = [];
      work += COST.range;
      for (const { key, value } of db.getRange(options(range, limit))) {
        entries.push({ key: copy(key), value: copy(value) });
        work += COST.read + value.length / COST.bytes;
      }
      return entries;
    },
    count: (start, end) => db.getKeysCount({ start, end }),
    transact(run) {
      if (inside) return run();
      inside = true;
      const before = written;
      let failure: unknown;
      try {
        return db.transactionSync(() => {
          try {
            const result = run();
            if (written > before && !room.mayCommit()) throw new StorageError('no space left');
            return result;
          } catch (error) {
            failure = error;
            throw error;
          }
        });
      } catch (error) {
        // what `run` threw is its own; anything else is a commit that failed
        throw failure ?? storageError(error);
      } finally {
        inside = false;
      }
    },
    forgetDeadReaders: () => db.readerCheck(),
    close: () => db.close(),
  };
}

/** What LMDB and the disk tell about the file: in no time, and without reading it. */
function spaceOf(db: Db, folder: string): Space {
  const stats = db.getStats() as Tree & { pageSize: number; lastPageNumber: number; free: Tree };
  const pages = stats.lastPageNumber + 1;
  const used = META_PAGES + pagesOf(stats) + pagesOf(stats.free);
  const file = pages * stats.pageSize;
  const { free, taken } = diskOf(folder);
  return {
    ...{ file, taken, growth: Math.min(free, MAP_BYTES - file) },
    unused: Math.max(0, pages - used) * stats.pageSize,
  };
}

/** A tree of pages, as LMDB counts it. */
interface Tree {
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

function pagesOf({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Tree): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}

/** What each operation counts for, in units of work. */
const COST = { read: 10, write: 10, key: 1, range: 10, bytes: 256 } as const;

function refusable(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    throw storageError(error);
  }
}

function storageError(error: unknown): StorageError {
  return new StorageError(error instanceof Error ? error.message : String(error), { cause: error });
}

function copy(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

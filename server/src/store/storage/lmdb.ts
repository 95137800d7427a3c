import type { RangeOptions } from 'lmdb';
import { createRoom, diskOf, type Reserve, SMALL_RESERVE, type Space } from './reserve.ts';
import { type Entry, type KeyRange, type Storage, StorageError, spaceBytes } from './storage.ts';
import { type Db, MAP_BYTES, openFile, Trees } from './trees.ts';

/** The two meta pages of an LMDB file, from which everything else is reached. */
const META_PAGES = 2;

/** Opens (or creates) the LMDB file at `path`. A commit is on the disk when `transact` returns. */
export function openLmdb(path: string, reserve: Reserve = SMALL_RESERVE): Storage {
  const db = openFile(path);
  const trees = new Trees(db);
  const room = createRoom(() => spaceIn(trees, path), reserve);
  let inside = false;
  let written = 0;
  let work = 0;

  return {
    room,
    space: () => spaceIn(trees, path),
    get written() {
      return written;
    },
    get work() {
      return work;
    },
    get(key) {
      // the buffer is valid until the next call, and is larger than the length that it reports
      const lent = trees.of(key)?.db.getBinaryFast(inTree(key));
      work += COST.read + (lent?.length ?? 0) / COST.bytes;
      return lent && copy(lent.subarray(0, lent.length));
    },
    put(key, value) {
      written++;
      work += COST.write + value.length / COST.bytes;
      refusable(() => trees.need(key).put(inTree(key), value));
    },
    remove(key) {
      written++;
      work += COST.write;
      refusable(() => trees.of(key)?.db.removeSync(inTree(key)));
    },
    keys(range, limit) {
      const tree = trees.of(range.start);
      work += COST.range;
      if (!tree) return [];
      const space = range.start.subarray(0, spaceBytes(range.start));
      const keys = Array.from(tree.db.getKeys(boundsOf(range, space, limit)), (key) => joined(space, key));
      work += keys.length * COST.key;
      return keys;
    },
    entries(range, limit) {
      const entries: Entry[] = [];
      const tree = trees.of(range.start);
      work += COST.range;
      if (!tree) return entries;
      const space = range.start.subarray(0, spaceBytes(range.start));
      for (const { key, value } of tree.db.getRange(boundsOf(range, space, limit))) {
        entries.push({ key: joined(space, key), value: copy(value) });
        work += COST.read + value.length / COST.bytes;
      }
      return entries;
    },
    count(space) {
      const tree = trees.of(space);
      return tree ? statsOf(tree.db).entryCount : 0;
    },
    removeSpace(space) {
      written++;
      refusable(() => trees.remove(space));
    },
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
        trees.reset();
        // an error of `run` is passed on; any other is a failed commit
        throw failure ?? storageError(error);
      } finally {
        inside = false;
      }
    },
    forgetDeadReaders: () => db.readerCheck(),
    close: () => db.close(),
  };
}

/** A key without the prefix of its space, as its tree keeps it. */
function inTree(key: Buffer): Buffer {
  const bytes = spaceBytes(key);
  return bytes === 0 ? key : key.subarray(bytes);
}

/** A key of a tree with the prefix of its space, as a copy. */
function joined(space: Buffer, key: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(space.length + key.length);
  bytes.set(space, 0);
  bytes.set(key, space.length);
  return bytes;
}

/** The LMDB options for a range within the tree of a space. An edge that is that of the space itself is left out. */
function boundsOf({ start, end, backwards }: KeyRange, space: Buffer, limit: number): RangeOptions {
  const low = start.length > space.length ? start.subarray(space.length) : LOWEST;
  const isWithin = end.length > space.length && end.compare(space, 0, space.length, 0, space.length) === 0;
  const high = isWithin ? end.subarray(space.length) : undefined;
  if (!backwards) return { start: low, ...(high && { end: high }), limit, snapshot: false };
  // LMDB reads backwards from `start`: the bounds are exchanged, and so is the one that is excluded
  const from = high && { start: high, exclusiveStart: true };
  return { ...from, end: low, reverse: true, inclusiveEnd: true, limit, snapshot: false };
}

/** The lowest possible key. */
const LOWEST = Buffer.alloc(1);

/** How many bytes of a store's file are in use. Processes that have it open may continue. */
export async function usedBytes(folder: string): Promise<number> {
  const db = openFile(folder, { readOnly: true });
  try {
    const trees = new Trees(db);
    trees.openAll();
    const { file, unused } = spaceIn(trees, folder);
    return file - unused;
  } finally {
    await db.close();
  }
}

/** The size of the file and the room on its disk, from LMDB and the file system, without reading the file. */
function spaceIn(trees: Trees, folder: string): Space {
  const stats = statsOf(trees.main);
  const file = (stats.lastPageNumber + 1) * stats.pageSize;
  const { free, taken } = diskOf(folder);
  return {
    file,
    taken,
    growth: Math.min(free, MAP_BYTES - file),
    get unused() {
      const used = trees
        .all()
        .reduce((pages, tree) => pages + pagesOf(statsOf(tree.db)), META_PAGES + pagesOf(stats.free));
      return Math.max(0, file - used * stats.pageSize);
    },
  };
}

const statsOf = (db: Db) =>
  db.getStats() as Pages & { pageSize: number; entryCount: number; lastPageNumber: number; free: Pages };

/** The page counts of a tree, as LMDB reports them. */
interface Pages {
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

function pagesOf({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Pages): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}

/** The cost of each operation, in units of work. */
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

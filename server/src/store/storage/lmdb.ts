import { open } from 'lmdb';
import { createRoom } from './room.ts';
import type { KeyRange, Storage } from './storage.ts';

/** Address space reserved for the file; the file itself grows with the data. */
const MAP_BYTES = 64 * 2 ** 30;

const OPTIONS = {
  mapSize: MAP_BYTES,
  keyEncoding: 'binary',
  encoding: 'binary',
  cache: false,
  overlappingSync: false,
  maxDbs: 1,
} as const;

/**
 * Copies the LMDB file of the folder `from` into the folder `to`, as it is at one moment and without the free room in it.
 * Whoever has it open may go on reading and writing.
 */
export async function copyLmdb(from: string, to: string): Promise<void> {
  const db = open<Buffer, Buffer>({ ...OPTIONS, path: from, readOnly: true });
  try {
    await db.backup(to, true);
  } finally {
    await db.close();
  }
}

/** Opens (or makes) the LMDB file at `path`. A commit is on the disk when `transact` returns. */
export function openLmdb(path: string): Storage {
  const db = open<Buffer, Buffer>({ ...OPTIONS, path });
  const hasRoom = createRoom(path);
  let inside = false;
  let written = 0;

  const options = ({ start, end, backwards }: KeyRange, limit: number) =>
    // backwards LMDB goes down from `start`: the bounds change places, and with them which one is left out
    backwards
      ? { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true, limit, snapshot: false }
      : { start, end, limit, snapshot: false };

  return {
    get written() {
      return written;
    },
    get: (key) => db.get(key),
    put(key, value) {
      written++;
      db.putSync(key, value);
    },
    remove(key) {
      written++;
      db.removeSync(key);
    },
    keys: (range, limit) => Array.from(db.getKeys(options(range, limit)), copy),
    entries: (range, limit) =>
      Array.from(db.getRange(options(range, limit)), ({ key, value }) => ({ key: copy(key), value: copy(value) })),
    count: (start, end) => db.getKeysCount({ start, end }),
    transact(work) {
      if (inside) return work();
      inside = true;
      const before = written;
      try {
        return db.transactionSync(() => {
          const result = work();
          if (written > before && !hasRoom()) throw new Error('no space left');
          return result;
        });
      } finally {
        inside = false;
      }
    },
    close: () => db.close(),
  };
}

function copy(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

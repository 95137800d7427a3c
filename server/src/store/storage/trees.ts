import { type Database, open, type RootDatabase } from 'lmdb';
import { spaceBytes } from './storage.ts';

/** One tree (LMDB: a named database) of the file. */
export type Db = Database<Buffer, Buffer>;

const APPEND = { append: true } as const;

/** One tree of the file, with its last key. */
export class Tree {
  readonly db: Db;
  /** The last key, or a greater one if that was removed or rolled back. */
  private last: Buffer;

  /** @param last a key after which nothing is written, if that is not the last key */
  constructor(db: Db, last?: Buffer) {
    this.db = db;
    this.last = last ?? Buffer.from([...db.getKeys({ reverse: true, limit: 1 })][0] ?? []);
  }

  /** Writes an entry. A key after all others is written with LMDB's append mode, which leaves full pages behind it. */
  put(key: Buffer, value: Buffer): void {
    if (Buffer.compare(key, this.last) <= 0) {
      this.db.putSync(key, value);
    } else {
      this.db.putSync(key, value, APPEND);
      this.last = key;
    }
  }
}

/** The maximum number of spaces in a file: collections, indexes, and the rest of dropped ones. */
export const TREES_MAX = 4_000;

const OPTIONS = { keyEncoding: 'binary', encoding: 'binary', cache: false } as const;

/**
 * The address space reserved for the file, which itself grows with the data. A process on a small machine has 512 GiB of it
 * (arm64 with 39 bits), in which two such files fit beside everything else.
 */
export const MAP_BYTES = 128 * 2 ** 30;

/** LMDB's name of the file in its folder. */
export const DATA_FILE = 'data.mdb';

/** Opens (or creates) the file of a folder. */
export function openFile(
  path: string,
  how: { readOnly?: boolean; noSync?: boolean } = {},
): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    ...OPTIONS,
    ...how,
    path,
    mapSize: MAP_BYTES,
    overlappingSync: false,
    maxDbs: TREES_MAX,
  });
}

/** The prefix of tree names, which come after all keys of the catalogue. */
const NAME = 't';
const NAMES = { start: Buffer.from(NAME), end: Buffer.from('u') };

/** Whether a key of the main tree is the name of another tree. */
export const isTreeName = (key: Buffer) => key[0] === NAMES.start[0];

/** Opens the tree of a space. If there is none, it is created; undefined: the file was opened for reading only. */
export function openTree(file: RootDatabase<Buffer, Buffer>, space: Buffer): Db | undefined {
  return file.openDB<Buffer, Buffer>({ ...OPTIONS, name: NAME + space.toString('hex') });
}

/** The space whose keys a tree holds. */
export function spaceOfTree(name: Buffer): Buffer {
  // in the file, a name ends with a NUL
  const end = name.indexOf(0);
  return Buffer.from(name.toString('latin1', NAME.length, end < 0 ? name.length : end), 'hex');
}

/**
 * The trees of a file: one for each space, which keeps its keys without the space, and the main one for the catalogue and
 * the names of the others. In a tree of its own, appended keys fill its pages; where two spaces shared a page, LMDB would
 * split it in half again and again.
 */
export class Trees {
  readonly main: RootDatabase<Buffer, Buffer>;
  private readonly catalogue: Tree;
  private readonly bySpace = new Map<number, Tree>();
  /** Trees were opened or removed since `reset` was last called. */
  private changed = false;

  constructor(main: RootDatabase<Buffer, Buffer>) {
    this.main = main;
    // LMDB itself writes the names of trees into it, at the end
    this.catalogue = new Tree(main, NAMES.end);
    this.openAll();
  }

  /** Opens the existing trees that are not open yet. */
  openAll(): void {
    const names = [...this.main.getKeys(NAMES)].map((name) => Buffer.from(name));
    for (const name of names) this.open(spaceOfTree(name));
    this.changed = false;
  }

  /** Rolls back: forgets the trees that an undone transaction opened or removed. */
  reset(): void {
    if (!this.changed) return;
    this.bySpace.clear();
    this.openAll();
  }

  /** The tree that holds a key, if there is one. */
  of(key: Buffer): Tree | undefined {
    const bytes = spaceBytes(key);
    return bytes === 0 ? this.catalogue : this.bySpace.get(key.readUIntBE(0, bytes));
  }

  /** The tree that holds a key; it is created if there is none. */
  need(key: Buffer): Tree {
    return this.of(key) ?? this.open(key.subarray(0, spaceBytes(key)));
  }

  private open(space: Buffer): Tree {
    const number = space.readUIntBE(0, space.length);
    const known = this.bySpace.get(number);
    if (known) return known;
    const tree = new Tree(openTree(this.main, space) as Db);
    this.bySpace.set(number, tree);
    this.changed = true;
    return tree;
  }

  /** Removes the tree of an empty space. */
  remove(space: Buffer): void {
    this.of(space)?.db.dropSync();
    this.bySpace.delete(space.readUIntBE(0, space.length));
    this.changed = true;
  }

  all(): Tree[] {
    return [this.catalogue, ...this.bySpace.values()];
  }
}

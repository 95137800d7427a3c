import { type Database, open, type RootDatabase } from 'lmdb';
import { spaceBytes } from './spaces.ts';

/** One tree of the file, as lmdb has it. */
export type Db = Database<Buffer, Buffer>;

const APPEND = { append: true } as const;

/** One tree of the file, and what is known of its end. */
export class Tree {
  readonly db: Db;
  /** the last key, or one behind it where that has been removed or undone */
  private last: Buffer;

  /** @param last what nothing is written behind, if it is not the last key */
  constructor(db: Db, last?: Buffer) {
    this.db = db;
    this.last = last ?? Buffer.from([...db.getKeys({ reverse: true, limit: 1 })][0] ?? []);
  }

  /** Writes an entry. One that comes behind all others is told to LMDB as such, which then leaves its last page full behind it. */
  put(key: Buffer, value: Buffer): void {
    if (Buffer.compare(key, this.last) <= 0) {
      this.db.putSync(key, value);
    } else {
      this.db.putSync(key, value, APPEND);
      this.last = key;
    }
  }
}

/** How many spaces a file may have: collections and indexes together, and what is left of dropped ones. */
export const TREES_MAX = 4_000;

const OPTIONS = { keyEncoding: 'binary', encoding: 'binary', cache: false } as const;

/**
 * Address space reserved for the file; the file itself grows with the data. A process of a small machine has 512 GiB of it
 * (arm64 with 39 bits), in which two of them fit beside all else.
 */
export const MAP_BYTES = 128 * 2 ** 30;

/** How LMDB names the file of a folder. */
export const DATA_FILE = 'data.mdb';

/** Opens (or makes) the file of a folder. */
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

/** Before the names of trees, behind all keys of the catalogue. */
const NAME = 't';
const NAMES = { start: Buffer.from(NAME), end: Buffer.from('u') };

/** Whether a key of the main tree is the name of another one. */
export const isTreeName = (key: Buffer) => key[0] === NAMES.start[0];

/** The space whose keys a tree holds. */
export function spaceOfTree(name: Buffer): Buffer {
  // in the file, a name ends with a NUL
  const end = name.indexOf(0);
  return Buffer.from(name.toString('latin1', NAME.length, end < 0 ? name.length : end), 'hex');
}

/**
 * The trees of a file: one for each space, whose keys are kept in it without the space, and the main one, for the catalogue and
 * for the names of the others. In a tree of its own, what comes behind all else fills its pages; where two spaces meet
 * on a page, LMDB would halve it again and again.
 */
export class Trees {
  readonly main: RootDatabase<Buffer, Buffer>;
  private readonly catalogue: Tree;
  private readonly bySpace = new Map<number, Tree>();
  /** there are others than when `reset` was last called */
  private changed = false;

  constructor(main: RootDatabase<Buffer, Buffer>) {
    this.main = main;
    // LMDB itself writes names into it, at their end
    this.catalogue = new Tree(main, NAMES.end);
    this.openAll();
  }

  /** Opens those that there are and that are not open yet. */
  openAll(): void {
    const names = [...this.main.getKeys(NAMES)].map((name) => Buffer.from(name));
    for (const name of names) this.open(spaceOfTree(name));
    this.changed = false;
  }

  /** What a transaction has opened or removed came to nothing: all is as it was before. */
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

  /** The tree that holds a key, made if there is none. */
  need(key: Buffer): Tree {
    return this.of(key) ?? this.open(key.subarray(0, spaceBytes(key)));
  }

  private open(space: Buffer): Tree {
    const number = space.readUIntBE(0, space.length);
    const known = this.bySpace.get(number);
    if (known) return known;
    const tree = new Tree(this.main.openDB<Buffer, Buffer>({ ...OPTIONS, name: NAME + space.toString('hex') }));
    this.bySpace.set(number, tree);
    this.changed = true;
    return tree;
  }

  /** Takes away the tree of a space in which nothing is left. */
  remove(space: Buffer): void {
    this.of(space)?.db.dropSync();
    this.bySpace.delete(space.readUIntBE(0, space.length));
    this.changed = true;
  }

  all(): Tree[] {
    return [this.catalogue, ...this.bySpace.values()];
  }
}

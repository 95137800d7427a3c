import { afterPrefix } from './bson/keys.ts';
import { type Doc, decode, encode, toNumber } from './bson/values.ts';
import { Collection } from './collection.ts';
import { CommandError } from './errors.ts';
import type { Index } from './indexes.ts';
import {
  COLLECTION_SPACE,
  countEntry,
  countKey,
  FORMAT,
  FORMAT_KEY,
  indexRecord,
  parseFormat,
  readIndex,
  recordKey,
} from './records.ts';
import type { KeyRange, Storage } from './storage/storage.ts';
import { TREES_MAX } from './storage/trees.ts';

/** The prefix of the tombstones: one for the space of each dropped collection or index, kept until nothing is left in it. */
const DROPPED_SPACE = 0x04;

/**
 * The last id given to a collection or an index. An id is never used twice, so leftovers of a dropped one cannot appear in
 * another.
 */
const LAST_ID_KEY = Buffer.from('\0lastId');

/**
 * A reference to a collection that a command keeps while others run. The name alone is not enough: by then it may belong to
 * a new collection.
 */
export interface CollectionRef {
  ns: string;
  id: number;
}

/**
 * The catalogue of collections and their indexes. It is kept in memory, and its changes are written with the batch that
 * makes them.
 */
export class Catalogue {
  private readonly storage: Storage;
  private collections = new Map<string, Collection>();
  private removed: CollectionRef[] = [];
  /** Spaces of what was dropped, by their bytes as text; true if it is not in the file yet. */
  private dropped = new Map<string, boolean>();
  private lastId = 0;
  private savedLastId = 0;

  constructor(storage: Storage) {
    this.storage = storage;
    const format = storage.get(FORMAT_KEY);
    if (!format) storage.transact(() => storage.put(FORMAT_KEY, encode({ format: FORMAT })));
    const version = format ? parseFormat(format) : FORMAT;
    if (version > FORMAT)
      throw new Error(`The data was written by a newer version of Parley (format ${version}). Update Parley.`);
    if (version < FORMAT) throw new Error(`The data has the old format ${version} and has not been converted.`);
    this.load();
  }

  /** Reads everything again from the storage. This discards the changes in memory of a batch that was rolled back. */
  load(): void {
    this.collections.clear();
    this.removed = [];
    const last = this.storage.get(LAST_ID_KEY);
    this.savedLastId = (last && toNumber(decode(last).id)) ?? 0;
    this.lastId = Math.max(this.lastId, this.savedLastId);
    this.dropped = new Map(
      this.storage.keys(rangeOf(DROPPED_SPACE), ALL).map((key) => [key.toString('latin1', 1), false]),
    );
    for (const { key, value } of this.storage.entries(rangeOf(COLLECTION_SPACE), ALL)) {
      const collection = readCollection(this.storage, key.toString('utf8', 1), decode(value));
      this.collections.set(collection.ns, collection);
      this.lastId = Math.max(this.lastId, collection.id, ...collection.indexes.map(({ id }) => id));
    }
  }

  get(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  /**
   * The collection with which a command began.
   * @throws CommandError 175 if it was dropped since, even if there is a new one of its name
   */
  same({ ns, id }: CollectionRef): Collection {
    const collection = this.collections.get(ns);
    if (collection?.id !== id) throw new CommandError(175, `collection dropped: ${ns}`);
    return collection;
  }

  /** The collection of that name; it is created if there is none. */
  need(ns: string): Collection {
    return this.collections.get(ns) ?? this.create(ns);
  }

  create(ns: string): Collection {
    checkNamespace(ns);
    this.checkSpaces();
    const collection = new Collection(this.storage, ns, ++this.lastId, 0, [], false);
    collection.changed = true;
    this.collections.set(ns, collection);
    return collection;
  }

  nextIndexId(): number {
    this.checkSpaces();
    return ++this.lastId;
  }

  /** Throws if the file holds its maximum of collections and indexes. */
  private checkSpaces(): void {
    const all = [...this.collections.values()].reduce((sum, { indexes }) => sum + 1 + indexes.length, 0);
    if (all + this.dropped.size < SPACES_MAX) return;
    throw new CommandError(67, `The store is limited to ${SPACES_MAX} collections and indexes`);
  }

  /** Removes a collection from the catalogue at once; its data is removed later, step by step. */
  drop(collection: Collection): void {
    for (const index of collection.indexes) this.discard(collection.indexSpace(index));
    this.discard(collection.documentSpace());
    this.collections.delete(collection.ns);
    this.removed.push({ ns: collection.ns, id: collection.id });
  }

  /** Removes an index from the catalogue at once; its entries are removed later, step by step. */
  dropIndex(collection: Collection, index: Index): void {
    this.discard(collection.indexSpace(index));
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    collection.changed = true;
  }

  private discard(space: Buffer): void {
    this.dropped.set(space.toString('latin1'), true);
  }

  /** The space of something dropped that may still hold keys. */
  nextDropped(): Buffer | undefined {
    for (const text of this.dropped.keys()) return Buffer.from(text, 'latin1');
    return undefined;
  }

  forgetDropped(space: Buffer): void {
    this.dropped.delete(space.toString('latin1'));
    this.storage.removeSpace(space);
    this.storage.remove(droppedKey(space));
  }

  /** The collections of a database, by name. */
  list(db: string): Collection[] {
    const prefix = `${db}.`;
    return [...this.collections.values()]
      .filter(({ ns }) => ns.startsWith(prefix))
      .sort((a, b) => (a.ns < b.ns ? -1 : 1));
  }

  databases(): string[] {
    return [...new Set([...this.collections.keys()].map((ns) => ns.slice(0, ns.indexOf('.'))))].sort();
  }

  all(): Iterable<Collection> {
    return this.collections.values();
  }

  /** Writes the changes of the batch, inside its transaction. */
  save(): void {
    for (const { ns, id } of this.removed.splice(0)) {
      this.storage.remove(countKey(id));
      if (!this.collections.has(ns)) this.storage.remove(recordKey(ns));
    }
    for (const [text, isNew] of this.dropped) {
      if (!isNew) continue;
      this.storage.put(droppedKey(Buffer.from(text, 'latin1')), Buffer.alloc(0));
      this.dropped.set(text, false);
    }
    if (this.lastId !== this.savedLastId) this.storage.put(LAST_ID_KEY, encode({ id: this.lastId }));
    this.savedLastId = this.lastId;
    for (const collection of this.collections.values()) {
      if (collection.changed) this.storage.put(recordKey(collection.ns), encode(writeCollection(collection)));
      if (collection.recount) {
        const { key, value } = countEntry(collection.id, collection.count);
        this.storage.put(key, value);
      }
      collection.changed = collection.recount = false;
    }
  }
}

const MAX_NAMESPACE_BYTES = 255;
/** Less than `TREES_MAX`, because new collections may be added before dropped ones have been removed. */
const SPACES_MAX = TREES_MAX - 100;

function checkNamespace(ns: string): void {
  const dot = ns.indexOf('.');
  const [db, name] = [ns.slice(0, dot), ns.slice(dot + 1)];
  const bad = name === '' || /[$\0]/.test(name) || name.startsWith('system.') || name.startsWith('.');
  if (bad || /^$|[\0/\\ "$]/.test(db) || Buffer.byteLength(ns) > MAX_NAMESPACE_BYTES)
    throw new CommandError(73, `Invalid namespace specified '${ns}'`);
}

const ALL = Number.MAX_SAFE_INTEGER;

function rangeOf(space: number): KeyRange {
  const start = Buffer.from([space]);
  return { start, end: afterPrefix(start), backwards: false };
}

const droppedKey = (space: Buffer) => Buffer.concat([Buffer.from([DROPPED_SPACE]), space]);

function writeCollection({ id, cutIds, indexes }: Collection): Doc {
  return { id, cutIds, indexes: indexes.map(indexRecord) };
}

function readCollection(storage: Storage, ns: string, record: Doc): Collection {
  const indexes = (record.indexes as Doc[]).map(readIndex);
  const id = toNumber(record.id) ?? 0;
  const counted = storage.get(countKey(id));
  const count = (counted && toNumber(decode(counted).count)) ?? 0;
  return new Collection(storage, ns, id, count, indexes, record.cutIds === true);
}

import { afterPrefix } from './bson/keys.ts';
import { type Doc, decode, encode, isDoc, isTrue, toNumber } from './bson/values.ts';
import { Collection } from './collection.ts';
import { CommandError } from './errors.ts';
import { type Index, rootsOf } from './indexes.ts';
import { parseFilter } from './query/filter.ts';
import type { Storage } from './storage/storage.ts';

/** The version of the layout in the file. A file of a later version is refused. */
const FORMAT = 1;
const FORMAT_KEY = Buffer.from('\0format');
const COLLECTION_SPACE = 0x01;

/** What there is: collections and their indexes, kept in memory and written with each batch that changes them. */
export class Catalogue {
  private readonly storage: Storage;
  private collections = new Map<string, Collection>();
  private removed = new Set<string>();
  private lastId = 0;

  constructor(storage: Storage) {
    this.storage = storage;
    const format = storage.get(FORMAT_KEY);
    if (!format) storage.transact(() => storage.put(FORMAT_KEY, encode({ format: FORMAT })));
    const version = format ? toNumber(decode(format).format) : FORMAT;
    if (version !== FORMAT)
      throw new Error(`The data was written by a later version of the store (format ${version}).`);
    this.load();
  }

  /** Reads everything again from the storage: what memory held of an undone batch is forgotten. */
  load(): void {
    this.collections.clear();
    this.removed.clear();
    const start = Buffer.from([COLLECTION_SPACE]);
    const range = { start, end: afterPrefix(start), backwards: false };
    for (const { key, value } of this.storage.entries(range, Number.MAX_SAFE_INTEGER)) {
      const collection = readCollection(this.storage, key.toString('utf8', 1), decode(value));
      this.collections.set(collection.ns, collection);
      this.lastId = Math.max(this.lastId, collection.id, ...collection.indexes.map(({ id }) => id));
    }
  }

  get(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  /** The collection of that name, made if there is none. */
  need(ns: string): Collection {
    return this.collections.get(ns) ?? this.create(ns);
  }

  create(ns: string): Collection {
    checkNamespace(ns);
    const collection = new Collection(this.storage, ns, ++this.lastId, 0, [], false);
    collection.changed = true;
    this.collections.set(ns, collection);
    this.removed.delete(ns);
    return collection;
  }

  nextIndexId(): number {
    return ++this.lastId;
  }

  drop(collection: Collection): void {
    collection.clear();
    this.collections.delete(collection.ns);
    this.removed.add(collection.ns);
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

  /** Writes what changed in the batch, inside its transaction. */
  save(): void {
    for (const ns of this.removed) this.storage.remove(recordKey(ns));
    this.removed.clear();
    for (const collection of this.collections.values()) {
      if (collection.changed) this.storage.put(recordKey(collection.ns), encode(writeCollection(collection)));
      collection.changed = false;
    }
  }
}

const MAX_NAMESPACE_BYTES = 255;

function checkNamespace(ns: string): void {
  const dot = ns.indexOf('.');
  const [db, name] = [ns.slice(0, dot), ns.slice(dot + 1)];
  const bad = name === '' || /[$\0]/.test(name) || name.startsWith('system.') || name.startsWith('.');
  if (bad || /^$|[\0/\\ "$]/.test(db) || Buffer.byteLength(ns) > MAX_NAMESPACE_BYTES)
    throw new CommandError(73, `Invalid namespace specified '${ns}'`);
}

function recordKey(ns: string): Buffer {
  return Buffer.concat([Buffer.from([COLLECTION_SPACE]), Buffer.from(ns)]);
}

function writeCollection({ id, count, cutIds, indexes }: Collection): Doc {
  return {
    id,
    count,
    cutIds,
    indexes: indexes.map((index) => ({ id: index.id, multikey: index.multikey, cut: index.cut, spec: index.spec })),
  };
}

function readCollection(storage: Storage, ns: string, record: Doc): Collection {
  const indexes = (record.indexes as Doc[]).map((saved) => ({
    ...indexOf(saved.spec as Doc, toNumber(saved.id) ?? 0),
    multikey: saved.multikey === true,
    cut: saved.cut === true,
  }));
  const [id, count] = [toNumber(record.id) ?? 0, toNumber(record.count) ?? 0];
  return new Collection(storage, ns, id, count, indexes, record.cutIds === true);
}

/** An index from its definition, which has been checked. */
export function indexOf(spec: Doc, id: number): Index {
  const fields = Object.entries(spec.key as Doc).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    descending: (toNumber(direction) ?? 1) < 0,
  }));
  const partial = isDoc(spec.partialFilterExpression) ? parseFilter(spec.partialFilterExpression) : undefined;
  return {
    id,
    name: spec.name as string,
    fields,
    spec,
    unique: isTrue(spec.unique),
    sparse: isTrue(spec.sparse),
    partial,
    roots: rootsOf(fields, partial),
    expireAfterSeconds: toNumber(spec.expireAfterSeconds),
    multikey: false,
    cut: false,
  };
}

import { cutKey, valueKey } from './bson/keys.ts';
import type { Doc } from './bson/values.ts';
import { documentSpace, entryOf, indexSpace, uniqueKey } from './entries.ts';
import { CommandError } from './errors.ts';
import { appendedOnly, type DocKeys, ID_KEY_LIMIT, type Index, type IndexKey, isUntouched, keysOf } from './indexes.ts';
import type { Storage } from './storage/storage.ts';

/**
 * A collection's documents (raw BSON by `_id`) and index entries. A write checks everything before it changes anything, so a
 * refused write changes nothing.
 */
export class Collection {
  readonly ns: string;
  readonly id: number;
  readonly indexes: Index[];
  /** how many documents there are */
  count: number;
  /** The record in the catalogue must be written. */
  changed = false;
  /** The number of documents must be written. */
  recount = false;
  /** Some `_id` was so long that its key was cut, so the order of the keys may differ from the order of the ids. */
  cutIds: boolean;
  private readonly storage: Storage;
  private readonly space: Buffer;

  constructor(storage: Storage, ns: string, id: number, count: number, indexes: Index[], cutIds: boolean) {
    this.storage = storage;
    this.ns = ns;
    this.id = id;
    this.count = count;
    this.indexes = indexes;
    this.cutIds = cutIds;
    this.space = documentSpace(id);
  }

  get db(): string {
    return this.ns.slice(0, this.ns.indexOf('.'));
  }

  get name(): string {
    return this.ns.slice(this.ns.indexOf('.') + 1);
  }

  /** The indexes that are complete, so that queries may use them. */
  get complete(): Index[] {
    return this.indexes.filter(({ building }) => !building);
  }

  /**
   * The index with that id.
   * @throws CommandError 175 if it was dropped
   */
  index(id: number): Index {
    const index = this.indexes.find((one) => one.id === id);
    if (!index) throw new CommandError(175, `index dropped: an index of ${this.ns} that was being read`);
    return index;
  }

  /** The raw document under a key made by `idKey`. */
  read(key: Buffer): Buffer | undefined {
    return this.storage.get(Buffer.concat([this.space, key]));
  }

  /**
   * Adds a document.
   * @throws CommandError 11000 if its `_id` or a unique key is taken; then nothing is written
   */
  insert(raw: Buffer, doc: Doc): void {
    const key = idKey(doc._id);
    if (this.read(key)) throw duplicate(this.ns, '_id_', { _id: 1 }, { _id: doc._id ?? null });
    const entries = this.indexes.map((index) => keysOf(index, doc));
    this.indexes.forEach((index, i) => {
      this.checkUnique(index, (entries[i] as DocKeys).keys, key);
    });
    this.storage.room.forInsert(this.name, doc);
    this.indexes.forEach((index, i) => {
      this.addKeys(index, entries[i] as DocKeys, key);
    });
    this.storage.put(Buffer.concat([this.space, key]), raw);
    this.count++;
    this.recount = true;
    if (this.cutIds || key.length < ID_KEY_LIMIT) return;
    this.cutIds = true;
    this.changed = true;
  }

  /**
   * Replaces `old` by `doc`, which has the same `_id`.
   * @throws CommandError 11000 if a unique key is taken; then nothing is written
   */
  replace(old: Doc, doc: Doc, raw: Buffer): void {
    const key = idKey(old._id);
    const touched = this.indexes.filter((index) => !isUntouched(index, old, doc));
    const changes = touched.map((index) => {
      const appended = appendedOnly(index, old, doc);
      const before = appended ? [] : keysOf(index, old).keys;
      const after = keysOf(index, appended ?? doc);
      return { index, gone: without(before, after.keys), fresh: { ...after, keys: without(after.keys, before) } };
    });
    for (const { index, fresh: added } of changes) this.checkUnique(index, added.keys, key);
    this.storage.room.forChange();
    for (const { index, gone, fresh: added } of changes) {
      this.removeKeys(index, gone, key);
      this.addKeys(index, added, key);
    }
    this.storage.put(Buffer.concat([this.space, key]), raw);
  }

  remove(doc: Doc): void {
    this.storage.room.forChange();
    const key = idKey(doc._id);
    for (const index of this.indexes) this.removeKeys(index, keysOf(index, doc).keys, key);
    this.storage.remove(Buffer.concat([this.space, key]));
    this.count--;
    this.recount = true;
  }

  /**
   * Adds the entries of one document to indexes that are being built.
   * @throws CommandError 11000 if a unique key is taken; then nothing is written
   */
  indexDocument(indexes: Index[], doc: Doc): void {
    const key = idKey(doc._id);
    const all = indexes.map((index) => ({ index, entries: keysOf(index, doc) }));
    for (const { index, entries } of all) this.checkUnique(index, entries.keys, key);
    for (const { index, entries } of all) this.addKeys(index, entries, key);
  }

  /** The space of the documents, for scans. */
  documentSpace(): Buffer {
    return this.space;
  }

  indexSpace(index: Pick<Index, 'id'>): Buffer {
    return indexSpace(index.id);
  }

  private addKeys(index: Index, { keys, arrays, cut }: DocKeys, id: Buffer): void {
    for (const { key } of keys) {
      const entry = entryOf(index, key, id);
      this.storage.put(entry.key, entry.value);
    }
    if (hasRecorded(index, arrays, cut)) return;
    index.arrays = index.arrays.map((depths, i) => depths | (arrays[i] ?? 0));
    index.cut ||= cut;
    this.changed = true;
  }

  private removeKeys(index: Index, keys: IndexKey[], id: Buffer): void {
    for (const { key } of keys) {
      const entry = entryOf(index, key, id);
      // during a build, the key may belong to another document while this one has no entry yet
      if (index.unique && index.building && !this.storage.get(entry.key)?.equals(id)) continue;
      this.storage.remove(entry.key);
    }
  }

  private checkUnique(index: Index, keys: IndexKey[], id: Buffer): void {
    if (!index.unique) return;
    for (const { key, values } of keys) {
      const taken = this.storage.get(uniqueKey(index, key));
      if (!taken || taken.equals(id)) continue;
      throw duplicate(this.ns, index.name, index.spec.key as Doc, keyValue(index, values));
    }
  }
}

/** The key of a document by its `_id`. */
export function idKey(id: unknown): Buffer {
  return cutKey(valueKey(id), ID_KEY_LIMIT);
}

/** The smallest key that is greater than a key. */
export function keyAfter(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.from([0])]);
}

function without(keys: IndexKey[], others: IndexKey[]): IndexKey[] {
  const texts = new Set(others.map(({ key }) => key.toString('latin1')));
  return keys.filter(({ key }) => !texts.has(key.toString('latin1')));
}

/** Whether the index has recorded already that documents have arrays at these places, or (`cut`) keys that were cut. */
export function hasRecorded(index: Index, arrays: number[], cut: boolean): boolean {
  return (index.cut || !cut) && arrays.every((depths, i) => (depths & ~(index.arrays[i] ?? 0)) === 0);
}

function keyValue(index: Index, values: unknown[]): Doc {
  return Object.fromEntries(
    index.fields.map(({ path }, i) => [path, typeof values[i] === 'symbol' ? null : (values[i] ?? null)]),
  );
}

function duplicate(ns: string, name: string, keyPattern: Doc, value: Doc): CommandError {
  const shown = Object.entries(value).map(([path, item]) => `${path}: ${JSON.stringify(item)}`);
  const message = `E11000 duplicate key error collection: ${ns} index: ${name} dup key: { ${shown.join(', ')} }`;
  return new CommandError(11000, message, { keyPattern, keyValue: value });
}

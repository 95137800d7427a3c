import { afterPrefix } from '../bson/keys.ts';
import { type Doc, decode } from '../bson/values.ts';
import type { CollectionRef } from '../catalogue.ts';
import { type Collection, hasRecorded, idKey, keyAfter } from '../collection.ts';
import type { Engine } from '../engine.ts';
import { entryOf, idOf } from '../entries.ts';
import { CommandError } from '../errors.ts';
import { type Index, keysOf } from '../indexes.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { type Command, checkArguments, namespace, type Steps } from './call.ts';

/** How many keys one step checks. */
const CHUNK = 64;
/** Problems beyond this number are counted, but not described. */
const TOLD_MAX = 20;

/** What the check has found so far. */
interface Findings {
  errors: string[];
  faults: number;
  nrecords: number;
  keysPerIndex: Record<string, number>;
}

/**
 * Checks that documents, index entries and the count of a collection agree: each document has its entries, and each entry
 * leads to its document. Each piece sees one state, so that other commands may write in between.
 */
export const validate: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, ['full', 'metadata', 'repair', 'checkBSONConformance']);
    const ns = namespace(call);
    const { storage, catalogue } = call.engine;
    const collection = catalogue.get(ns);
    if (!collection) throw new CommandError(26, `Collection '${ns}' does not exist to validate.`);
    const ref = { ns, id: collection.id };
    const indexIds = collection.complete.map(({ id }) => id);
    const found: Findings = { errors: [], faults: 0, nrecords: 0, keysPerIndex: {} };
    yield* checkDocuments(call.engine, ref, found);
    found.keysPerIndex._id_ = found.nrecords;
    for (const id of indexIds) yield* checkEntries(call.engine, ref, id, found);
    const { count, space } = countedAt(catalogue.same(ref));
    const stored = storage.count(space);
    if (stored !== count) note(found, `${count} documents are counted, but ${stored} exist`);
    const { errors, faults, ...numbers } = found;
    const more = faults > errors.length ? [`and ${faults - errors.length} more`] : [];
    return {
      ns,
      ...numbers,
      nIndexes: indexIds.length + 1,
      valid: faults === 0,
      repaired: false,
      warnings: [],
      errors: [...errors, ...more],
      ok: 1,
    };
  },
};

function countedAt(collection: Collection): { count: number; space: Buffer } {
  return { count: collection.count, space: collection.documentSpace() };
}

function note(found: Findings, fault: string): void {
  found.faults++;
  if (found.errors.length < TOLD_MAX) found.errors.push(fault);
}

function* checkDocuments(engine: Engine, ref: CollectionRef, found: Findings): Steps<void> {
  const { storage, catalogue } = engine;
  const space = catalogue.same(ref).documentSpace();
  const range = { start: space, end: afterPrefix(space), backwards: false };
  for (;;) {
    const collection = catalogue.same(ref);
    const entries = storage.entries(range, CHUNK);
    for (const { key, value } of entries) checkDocument(storage, collection, key.subarray(space.length), value, found);
    found.nrecords += entries.length;
    const last = entries.at(-1);
    if (!last || entries.length < CHUNK) return;
    range.start = keyAfter(last.key);
    yield;
  }
}

function checkDocument(storage: Storage, collection: Collection, id: Buffer, raw: Buffer, found: Findings): void {
  const doc = readable(raw);
  if (!doc || !idKey(doc._id).equals(id)) {
    note(found, `a document cannot be read under its key ${id.toString('hex')}`);
    return;
  }
  for (const index of collection.complete) {
    const { keys, arrays, cut } = keysOf(index, doc);
    const isThere = ({ key, value }: Entry) => storage.get(key)?.equals(value) === true;
    if (!keys.every(({ key }) => isThere(entryOf(index, key, id))))
      note(found, `${index.name} has no entry of the document ${shown(doc)}`);
    if (!hasRecorded(index, arrays, cut))
      note(found, `${index.name} does not record the arrays or long values of the document ${shown(doc)}`);
  }
}

function* checkEntries({ storage, catalogue }: Engine, ref: CollectionRef, id: number, found: Findings): Steps<void> {
  const space = catalogue.same(ref).indexSpace({ id });
  const range = { start: space, end: afterPrefix(space), backwards: false };
  let n = 0;
  for (;;) {
    const collection = catalogue.same(ref);
    const index = collection.index(id);
    const entries = storage.entries(range, CHUNK);
    for (const entry of entries) checkEntry(collection, index, entry, found);
    n += entries.length;
    found.keysPerIndex[index.name] = n;
    const last = entries.at(-1);
    if (!last || entries.length < CHUNK) return;
    range.start = keyAfter(last.key);
    yield;
  }
}

function checkEntry(collection: Collection, index: Index, entry: Entry, found: Findings): void {
  const id = idOf(index, entry.key, entry.value);
  const raw = collection.read(id);
  const doc = raw && readable(raw);
  const belongs = doc && keysOf(index, doc).keys.some(({ key }) => entryOf(index, key, id).key.equals(entry.key));
  if (!belongs) note(found, `${index.name} has an entry without a document`);
}

function readable(raw: Buffer): Doc | undefined {
  try {
    return decode(raw);
  } catch {
    return undefined;
  }
}

const shown = ({ _id }: Doc) => JSON.stringify(_id);

import { afterPrefix } from '../bson/keys.ts';
import { type Doc, decode } from '../bson/values.ts';
import type { CollectionRef } from '../catalogue.ts';
import { behind, type Collection, entryId, entryKey, entryValue, idKey, knows, SPACE_BYTES } from '../collection.ts';
import type { Engine } from '../engine.ts';
import { CommandError } from '../errors.ts';
import { type Index, keysOf } from '../indexes.ts';
import type { Storage } from '../storage/storage.ts';
import { accept, type Command, namespace, type Steps } from './call.ts';

/** Keys that one step looks at. */
const CHUNK = 64;
/** More faults than these are counted, but not told one by one. */
const TOLD_MAX = 20;

/** What has been found so far. */
interface Findings {
  errors: string[];
  faults: number;
  nrecords: number;
  keysPerIndex: Record<string, number>;
}

/**
 * Whether documents, index entries and the count of a collection agree. Every document is asked for its entries, and every
 * entry for its document; each piece of that sees one state, so that others may write between.
 */
export const validate: Command = {
  writes: false,
  *run(call) {
    accept(call, ['full', 'metadata', 'repair', 'checkBSONConformance']);
    const ns = namespace(call);
    const { storage, catalogue } = call.engine;
    const known = catalogue.get(ns);
    if (!known) throw new CommandError(26, `Collection '${ns}' does not exist to validate.`);
    const ref = { ns, id: known.id };
    const indexIds = known.complete.map(({ id }) => id);
    const found: Findings = { errors: [], faults: 0, nrecords: 0, keysPerIndex: {} };
    yield* checkDocuments(call.engine, ref, found);
    found.keysPerIndex._id_ = found.nrecords;
    for (const id of indexIds) yield* checkEntries(call.engine, ref, id, found);
    const { count, space } = countedAt(catalogue.same(ref));
    const stored = storage.count(space, afterPrefix(space));
    if (stored !== count) note(found, `${count} documents are counted, ${stored} are there`);
    const { errors, faults, ...numbers } = found;
    const more = faults > errors.length ? [`and ${faults - errors.length} more`] : [];
    return {
      ...{ ns, ...numbers, nIndexes: indexIds.length + 1, valid: faults === 0, repaired: false },
      ...{ warnings: [], errors: [...errors, ...more], ok: 1 },
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
    for (const { key, value } of entries) checkDocument(storage, collection, key.subarray(SPACE_BYTES), value, found);
    found.nrecords += entries.length;
    const last = entries.at(-1);
    if (!last || entries.length < CHUNK) return;
    range.start = behind(last.key);
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
    const missing = keys.filter(({ key }) => storage.get(entryKey(index, key, id)) === undefined);
    if (missing.length > 0) note(found, `${index.name} has no entry of the document ${shown(doc)}`);
    if (!knows(index, arrays, cut))
      note(found, `${index.name} does not know of the arrays or long values of the document ${shown(doc)}`);
  }
}

function* checkEntries({ storage, catalogue }: Engine, ref: CollectionRef, id: number, found: Findings): Steps<void> {
  const space = catalogue.same(ref).indexSpace({ id });
  const range = { start: space, end: afterPrefix(space), backwards: false };
  let before: Buffer | undefined;
  let n = 0;
  for (;;) {
    const collection = catalogue.same(ref);
    const index = collection.index(id);
    const keys = storage.keys(range, CHUNK);
    for (const key of keys) {
      checkEntry(collection, index, key, found);
      // whoever had the key may have given it away since
      const twice = index.unique && before && entryValue(before).equals(entryValue(key)) && storage.get(before);
      if (twice) note(found, `${index.name} holds the same key twice`);
      before = key;
    }
    n += keys.length;
    found.keysPerIndex[index.name] = n;
    const last = keys.at(-1);
    if (!last || keys.length < CHUNK) return;
    range.start = behind(last);
    yield;
  }
}

function checkEntry(collection: Collection, index: Index, entry: Buffer, found: Findings): void {
  const id = entryId(entry);
  const raw = collection.read(id);
  const doc = raw && readable(raw);
  const belongs = doc && keysOf(index, doc).keys.some(({ key }) => entryKey(index, key, id).equals(entry));
  if (!belongs) note(found, `${index.name} has an entry that no document stands for`);
}

function readable(raw: Buffer): Doc | undefined {
  try {
    return decode(raw);
  } catch {
    return undefined;
  }
}

const shown = ({ _id }: Doc) => JSON.stringify(_id);

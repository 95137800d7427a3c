import { equal } from '../bson/keys.ts';
import { type Doc, decode } from '../bson/values.ts';
import { type Collection, idKey } from '../collection.ts';
import { checkStorable } from '../documents.ts';
import { CommandError } from '../errors.ts';
import type { Filter } from '../query/filter.ts';
import { Finder, type Query } from '../query/find.ts';
import { matches, noPosition } from '../query/match.ts';
import type { Row } from '../query/scan.ts';
import { applyToBytes, applyUpdate, encodeIdFirst, equalities, type Update, upsertDoc } from '../update/update.ts';
import type { Call, Steps } from './call.ts';

/** One refused document of a batch, in the format of the driver. */
export interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

/** The refusal of one document. Any error but a CommandError ends the whole command and is thrown again. */
export function writeError(error: unknown, index: number): WriteError {
  if (!(error instanceof CommandError)) throw error;
  return { index, code: error.code, errmsg: error.message, ...error.details };
}

export function isOrdered(body: Doc): boolean {
  return body.ordered !== false;
}

/** A document with its bytes. */
export interface Stored {
  doc: Doc;
  raw: Buffer;
}

/** A change of a document that was found, in the collection as it is at that moment. */
type Change<T> = (collection: Collection, found: Stored) => T;

/**
 * Finds the first document of a query and changes it in one step, so no other command runs in between. If there is no such
 * document, `none` runs in the same step in which that is known.
 */
export function* changeFirst<T>(call: Call, ns: string, query: Query, change: Change<T>, none: () => T): Steps<T> {
  for (;;) {
    const found = yield* firstRow(call, ns, query);
    const collection = call.engine.catalogue.get(ns);
    if (!found || !collection) return none();
    const { row, isSorted } = found;
    const now = isSorted ? current(collection, row, query) : stored(row);
    if (now) return change(collection, now);
    // sorting took several steps, and the first document was changed meanwhile
  }
}

/** The first row of a query, returned in the same step in which it is found or known to be missing. */
function* firstRow(call: Call, ns: string, query: Query): Steps<{ row: Row; isSorted: boolean } | undefined> {
  const collection = call.engine.catalogue.get(ns);
  if (!collection) return undefined;
  const finder = new Finder(call.engine, collection, { ...query, limit: 1 });
  for (;;) {
    const [row] = finder.pull();
    if (row) return { row, isSorted: !finder.plan.sorted };
    if (finder.ended) return undefined;
    yield;
  }
}

/**
 * Changes every document of a query, each in one step in which it is matched again. No document is changed twice, even if a
 * change moves it ahead in the index that is being read. Gives way after each document.
 */
export function* changeAll(call: Call, ns: string, query: Query, change: Change<void>): Steps<void> {
  const collection = call.engine.catalogue.get(ns);
  if (!collection) return;
  const { id } = collection;
  const finder = new Finder(call.engine, collection, query);
  // in the order of their `_id`s documents do not move
  const changed = finder.plan.index || finder.plan.union ? new Set<string>() : undefined;
  while (!finder.ended) {
    const rows = finder.pull();
    for (const [i, row] of rows.entries()) {
      const same = call.engine.catalogue.same({ ns, id });
      const now = current(same, row, query);
      if (now && isFirst(changed, now.doc)) change(same, now);
      if (i < rows.length - 1) yield;
    }
    if (!finder.ended) yield;
  }
}

function isFirst(changed: Set<string> | undefined, doc: Doc): boolean {
  const key = changed && idKey(doc._id).toString('latin1');
  if (key === undefined || !changed) return true;
  if (changed.has(key)) return false;
  changed.add(key);
  return true;
}

/** The document as it is now, if it still exists and matches: other commands may have run since it was read. */
function current(collection: Collection, row: Row, query: Query): Stored | undefined {
  const found = stored(row);
  const raw = collection.read(idKey(found.doc._id));
  if (!raw || raw.equals(found.raw)) return raw && found;
  const now = stored({ raw });
  return matches(query.filter, now.doc) ? now : undefined;
}

function stored({ raw, doc = decode(raw) }: Row): Stored {
  return { raw, doc };
}

/** The result of an update on a document, not written yet; undefined if it changes nothing. */
export function updated(old: Stored, update: Update, query: Query): Stored | undefined {
  const position = noPosition();
  if (update.positional) matches(query.filter, old.doc, position);
  const doc = applyUpdate(update, old.doc, position);
  const raw = applyToBytes(old.raw, doc, update);
  if (raw.equals(old.raw)) return undefined;
  checkStorable(doc, raw);
  return { doc, raw };
}

/** The document that an upsert inserts when its filter found none. */
export function upserted(update: Update, query: Query): Stored {
  const doc = upsertDoc(update, query.filter);
  const raw = encodeIdFirst(doc);
  checkStorable(doc, raw);
  return { doc, raw };
}

/** How often an upsert searches again for the document that has its key. */
const UPSERT_TRIES = 10;

/**
 * Runs an upsert, and repeats it if a key that its own filter asks for is taken: another command inserted that document
 * meanwhile, so it is found now.
 */
export function* upserting<T>(filter: Filter, run: () => Steps<T>): Steps<T> {
  for (let tries = 1; ; tries++) {
    try {
      return yield* run();
    } catch (error) {
      if (tries === UPSERT_TRIES || !isOwnKey(error, filter)) throw error;
    }
    yield;
  }
}

function isOwnKey(error: unknown, filter: Filter): boolean {
  if (!(error instanceof CommandError) || error.code !== 11000) return false;
  const wanted = new Map(equalities(filter).map(({ path, value }) => [path, value]));
  const taken = Object.entries(error.details.keyValue as Doc);
  return taken.every(([path, value]) => wanted.has(path) && equal(wanted.get(path), value));
}

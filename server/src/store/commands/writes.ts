import { type Doc, decode, encode } from '../bson/values.ts';
import { type Collection, idKey } from '../collection.ts';
import { checkStorable } from '../documents.ts';
import { CommandError } from '../errors.ts';
import { Finder, type Query } from '../query/find.ts';
import { matches, noPosition } from '../query/match.ts';
import type { Row } from '../query/scan.ts';
import { applyUpdate, type Update, upsertDoc } from '../update/update.ts';
import type { Call, Steps } from './call.ts';

/** One document of a batch that was refused, as the driver reads it. */
export interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

/** The refusal of one document; anything but a CommandError undoes the whole batch and is thrown on. */
export function writeError(error: unknown, index: number): WriteError {
  if (!(error instanceof CommandError)) throw error;
  return { index, code: error.code, errmsg: error.message, ...error.details };
}

export function isOrdered(body: Doc): boolean {
  return body.ordered !== false;
}

/** The documents that a write is about, with all their keys known before the first is changed. */
export function* targets(call: Call, collection: Collection, query: Query): Steps<Row[]> {
  const finder = new Finder(call.engine.storage, collection, query);
  const found: Row[] = [];
  for (let rows = finder.pull(); rows; rows = finder.pull()) {
    found.push(...rows);
    yield;
  }
  return found;
}

/** Updates a document in its collection. Gives the new one, or undefined if nothing changed. */
export function updateDocument(collection: Collection, doc: Doc, update: Update, query: Query): Doc | undefined {
  const position = noPosition();
  if (update.positional) matches(query.filter, doc, position);
  const next = applyUpdate(update, doc, position);
  const raw = encode(next);
  if (raw.equals(encode(doc))) return undefined;
  checkStorable(next, raw);
  collection.replace(doc, next, raw);
  return next;
}

/** Inserts what an upsert comes to when its filter found nothing. */
export function upsertDocument(collection: Collection, update: Update, query: Query): Doc {
  const doc = upsertDoc(update, query.filter);
  const raw = encode(doc);
  checkStorable(doc, raw);
  collection.insert(raw, doc);
  return doc;
}

/** The document as it is now, if it still is there and passes: others may have been served since it was found. */
export function current(collection: Collection, found: Row, query: Query): Doc | undefined {
  const doc = found.doc ?? decode(found.raw);
  const raw = collection.read(idKey(doc._id));
  if (raw?.equals(found.raw)) return doc;
  const now = raw && decode(raw);
  return now && matches(query.filter, now) ? now : undefined;
}

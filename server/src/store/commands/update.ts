import { type Doc, isTrue } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { failedToParse } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import type { Query } from '../query/find.ts';
import { parseUpdate, type Update } from '../update/update.ts';
import { accept, acceptPart, type Call, type Command, docs, namespace, refuseCollation, type Steps } from './call.ts';
import { hintOf } from './find.ts';
import { current, isOrdered, targets, updateDocument, upsertDocument, type WriteError, writeError } from './writes.ts';

interface Outcome {
  n: number;
  nModified: number;
  upserted?: unknown;
}

export const update: Command = {
  writes: true,
  *run(call) {
    accept(call, ['updates', 'ordered', 'bypassDocumentValidation']);
    const ns = namespace(call);
    const total = { n: 0, nModified: 0 };
    const upserted: Doc[] = [];
    const writeErrors: WriteError[] = [];
    for (const [index, one] of docs(call.body, 'updates').entries()) {
      try {
        const outcome = yield* updateOne(call, ns, one);
        total.n += outcome.n;
        total.nModified += outcome.nModified;
        if (outcome.upserted !== undefined) upserted.push({ index, _id: outcome.upserted });
      } catch (error) {
        writeErrors.push(writeError(error, index));
        if (isOrdered(call.body)) break;
      }
    }
    return {
      ...total,
      ...(upserted.length > 0 ? { upserted } : {}),
      ...(writeErrors.length > 0 ? { writeErrors } : {}),
      ok: 1,
    };
  },
};

function* updateOne(call: Call, ns: string, one: Doc): Steps<Outcome> {
  acceptPart('update.updates', one, ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation']);
  refuseCollation(one);
  const { catalogue, now } = call.engine;
  const known = catalogue.get(ns);
  const query = writeQuery(one.q, one.hint, isTrue(one.multi) ? 0 : 1, known);
  const change = parseUpdate(one.u, one.arrayFilters, now());
  if (change.replacement && isTrue(one.multi))
    throw failedToParse('multi update is not supported for replacement-style update');
  const outcome = known ? yield* updateFound(call, known, query, change) : { n: 0, nModified: 0 };
  if (outcome.n > 0 || !isTrue(one.upsert)) return outcome;
  const doc = upsertDocument(catalogue.need(ns), change, query);
  return { n: 1, nModified: 0, upserted: doc._id };
}

function* updateFound(call: Call, collection: Collection, query: Query, change: Update): Steps<Outcome> {
  const outcome = { n: 0, nModified: 0 };
  const found = yield* targets(call, collection, query);
  for (const row of found) {
    const now = current(collection, row, query);
    if (!now) continue;
    outcome.n++;
    if (updateDocument(collection, now, change, query)) outcome.nModified++;
    if (query.limit === 0) yield;
  }
  return outcome;
}

/** The query of an update or delete. `limit` 1: the first document only. */
export function writeQuery(filter: unknown, hint: unknown, limit: number, collection: Collection | undefined): Query {
  const parsed = parseFilter(filterDoc(filter, 'q'));
  return { filter: parsed, sort: [], natural: undefined, skip: 0, limit, hint: hintOf(hint, collection) };
}

export const remove: Command = {
  writes: true,
  *run(call) {
    accept(call, ['deletes', 'ordered']);
    const collection = call.engine.catalogue.get(namespace(call));
    const writeErrors: WriteError[] = [];
    let n = 0;
    for (const [index, one] of docs(call.body, 'deletes').entries()) {
      try {
        acceptPart('delete.deletes', one, ['q', 'limit', 'hint', 'collation']);
        refuseCollation(one);
        const limit = isTrue(one.limit) ? 1 : 0;
        if (collection) n += yield* removeFound(call, collection, writeQuery(one.q, one.hint, limit, collection));
      } catch (error) {
        writeErrors.push(writeError(error, index));
        if (isOrdered(call.body)) break;
      }
    }
    return { n, ...(writeErrors.length > 0 ? { writeErrors } : {}), ok: 1 };
  },
};

function* removeFound(call: Call, collection: Collection, query: Query): Steps<number> {
  let removed = 0;
  const found = yield* targets(call, collection, query);
  for (const row of found) {
    const now = current(collection, row, query);
    if (!now) continue;
    collection.remove(now);
    removed++;
    if (query.limit === 0) yield;
  }
  return removed;
}

import { type Doc, isTrue } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { failedToParse } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import type { Query } from '../query/find.ts';
import { parseUpdate, type Update } from '../update/update.ts';
import {
  type Call,
  type Command,
  checkArguments,
  checkFields,
  docs,
  namespace,
  refuseCollation,
  refuseOptions,
  type Steps,
} from './call.ts';
import { hintOf } from './find.ts';
import {
  changeAll,
  changeFirst,
  isOrdered,
  type Stored,
  updated,
  upserted,
  upserting,
  type WriteError,
  writeError,
} from './writes.ts';

interface Outcome {
  n: number;
  nModified: number;
  upserted?: unknown;
}

export const update: Command = {
  writes: true,
  *run(call) {
    checkArguments(call, ['updates', 'ordered', 'bypassDocumentValidation']);
    const ns = namespace(call);
    const total = { n: 0, nModified: 0 };
    const upserted: Doc[] = [];
    const writeErrors: WriteError[] = [];
    for (const [index, one] of docs(call.body, 'updates').entries()) {
      if (index > 0) yield;
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
  checkFields('update.updates', one, ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation']);
  refuseCollation(one);
  refuseOptions(one, ['arrayFilters']);
  const { catalogue, now } = call.engine;
  const isMulti = isTrue(one.multi);
  const query = writeQuery(one.q, one.hint, catalogue.get(ns));
  const change = parseUpdate(one.u, now());
  if (change.replacement && isMulti) throw failedToParse('multi update is not supported for replacement-style update');
  const none = () => (isTrue(one.upsert) ? upsert(call, ns, query, change) : { n: 0, nModified: 0 });
  return yield* upserting(query.filter, () =>
    isMulti ? updateAll(call, ns, query, change, none) : updateFirst(call, ns, query, change, none),
  );
}

function updateFirst(call: Call, ns: string, query: Query, change: Update, none: () => Outcome): Steps<Outcome> {
  return changeFirst(
    call,
    ns,
    query,
    (collection, found) => ({ n: 1, nModified: changeOne(collection, found, change, query) }),
    none,
  );
}

function* updateAll(call: Call, ns: string, query: Query, change: Update, none: () => Outcome): Steps<Outcome> {
  const outcome = { n: 0, nModified: 0 };
  yield* changeAll(call, ns, query, (collection, found) => {
    outcome.nModified += changeOne(collection, found, change, query);
    outcome.n++;
  });
  return outcome.n > 0 ? outcome : none();
}

/**
 * Changes one document.
 * @returns how many documents changed: one or none
 */
function changeOne(collection: Collection, found: Stored, change: Update, query: Query): number {
  const next = updated(found, change, query);
  if (next) collection.replace(found.doc, next.doc, next.raw);
  return next ? 1 : 0;
}

function upsert(call: Call, ns: string, query: Query, change: Update): Outcome {
  const { doc, raw } = upserted(change, query);
  call.engine.catalogue.need(ns).insert(raw, doc);
  return { n: 1, nModified: 0, upserted: doc._id };
}

/** The query of an update or delete. */
export function writeQuery(filter: unknown, hint: unknown, collection: Collection | undefined): Query {
  const parsed = parseFilter(filterDoc(filter, 'q'));
  return { filter: parsed, sort: [], natural: undefined, skip: 0, limit: 0, hint: hintOf(hint, collection) };
}

export const remove: Command = {
  writes: true,
  *run(call) {
    checkArguments(call, ['deletes', 'ordered']);
    const ns = namespace(call);
    const writeErrors: WriteError[] = [];
    let n = 0;
    for (const [index, one] of docs(call.body, 'deletes').entries()) {
      if (index > 0) yield;
      try {
        checkFields('delete.deletes', one, ['q', 'limit', 'hint', 'collation']);
        refuseCollation(one);
        const query = writeQuery(one.q, one.hint, call.engine.catalogue.get(ns));
        n += yield* isTrue(one.limit) ? removeFirst(call, ns, query) : removeAll(call, ns, query);
      } catch (error) {
        writeErrors.push(writeError(error, index));
        if (isOrdered(call.body)) break;
      }
    }
    return { n, ...(writeErrors.length > 0 ? { writeErrors } : {}), ok: 1 };
  },
};

function removeFirst(call: Call, ns: string, query: Query): Steps<number> {
  const change = (collection: Collection, { doc }: Stored) => {
    collection.remove(doc);
    return 1;
  };
  return changeFirst(call, ns, query, change, () => 0);
}

function* removeAll(call: Call, ns: string, query: Query): Steps<number> {
  let removed = 0;
  yield* changeAll(call, ns, query, (collection, { doc }) => {
    collection.remove(doc);
    removed++;
  });
  return removed;
}

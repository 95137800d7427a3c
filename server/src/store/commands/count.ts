import { valueKey } from '../bson/keys.ts';
import { type Doc, decode } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import type { Engine } from '../engine.ts';
import { failedToParse } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import { Finder, type Query } from '../query/find.ts';
import { conjuncts } from '../query/implies.ts';
import { someAt } from '../query/paths.ts';
import { type Plan, planQuery } from '../query/planner.ts';
import { Scan } from '../query/scan.ts';
import { accept, type Call, type Command, namespace, count as numberOf, refuseCollation, type Steps } from './call.ts';
import { hintOf } from './find.ts';

export const count: Command = {
  writes: false,
  *run(call) {
    accept(call, ['query', 'limit', 'skip', 'hint', 'collation', 'fields']);
    refuseCollation(call.body);
    const collection = call.engine.catalogue.get(namespace(call));
    if (!collection) return { n: 0, ok: 1 };
    const { n } = yield* countQuery(call, collection, parseCount(call.body, collection));
    return { n, ok: 1 };
  },
};

/** The query of a count command, or of an explained one. */
export function parseCount(body: Doc, collection: Collection): Query {
  return {
    filter: parseFilter(filterDoc(body.query, 'query')),
    sort: [],
    natural: undefined,
    skip: numberOf(body, 'skip', 0),
    limit: numberOf(body, 'limit', 0),
    hint: hintOf(body.hint, collection),
  };
}

/** A count, and how it was found. */
export interface CountRun {
  n: number;
  /** undefined: the number of all documents is known */
  plan: Plan | undefined;
  keyOnly: boolean;
  keys: number;
  docs: number;
}

/** How many documents a query finds: known for all of them, by keys alone where those suffice, else by reading. */
export function* countQuery({ engine }: Call, collection: Collection, query: Query): Steps<CountRun> {
  if (conjuncts(query.filter).length === 0) {
    return { n: within(collection.count, query), plan: undefined, keyOnly: true, keys: 0, docs: 0 };
  }
  const plan = planQuery(collection, query.filter, [], 0, query.hint);
  if (plan.exact && plan.index) return yield* countKeys(engine, collection, query, plan);
  const finder = new Finder(engine.storage, collection, query);
  let n = 0;
  for (let rows = finder.pull(); rows; rows = finder.pull()) {
    n += rows.length;
    yield;
  }
  return { n, plan: finder.plan, keyOnly: false, ...finder.scan.stats };
}

function* countKeys({ storage }: Engine, collection: Collection, query: Query, plan: Plan): Steps<CountRun> {
  const scan = new Scan(storage, collection, plan, query.filter);
  const enough = query.limit > 0 ? query.limit + query.skip : Number.POSITIVE_INFINITY;
  let n = 0;
  for (let keys = scan.pullCount(); keys !== null && n < enough; keys = scan.pullCount()) {
    n += keys;
    yield;
  }
  return { n: within(n, query), plan, keyOnly: true, ...scan.stats };
}

function within(n: number, { skip, limit }: Query): number {
  const left = Math.max(0, n - skip);
  return limit > 0 ? Math.min(left, limit) : left;
}

export const distinct: Command = {
  writes: false,
  *run(call) {
    accept(call, ['key', 'query', 'hint', 'collation']);
    refuseCollation(call.body);
    const { key } = call.body;
    if (typeof key !== 'string') throw failedToParse('distinct needs a key');
    const collection = call.engine.catalogue.get(namespace(call));
    if (!collection) return { values: [], ok: 1 };
    const filter = parseFilter(filterDoc(call.body.query, 'query'));
    const hint = hintOf(call.body.hint, collection);
    const finder = new Finder(call.engine.storage, collection, {
      filter,
      sort: [],
      natural: undefined,
      skip: 0,
      limit: 0,
      hint,
    });
    const values = new Map<string, unknown>();
    for (let rows = finder.pull(); rows; rows = finder.pull()) {
      for (const row of rows) collectValues(row.doc ?? decode(row.raw), key.split('.'), values);
      yield;
    }
    return { values: [...values.values()], ok: 1 };
  },
};

/** The values at a path, an array standing for its elements. */
function collectValues(doc: Doc, parts: string[], values: Map<string, unknown>): void {
  someAt(doc, parts, false, (value) => {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) values.set(valueKey(one).toString('latin1'), one);
    }
    return false;
  });
}

import type { Doc } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import type { Engine } from '../engine.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import { Finder, type Query } from '../query/find.ts';
import { conjuncts } from '../query/implies.ts';
import { type Plan, planQuery } from '../query/planner.ts';
import { Scan } from '../query/scan.ts';
import {
  type Call,
  type Command,
  checkArguments,
  namespace,
  count as numberOf,
  refuseCollation,
  type Steps,
} from './call.ts';
import { hintOf } from './find.ts';

export const count: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, ['query', 'limit', 'skip', 'hint', 'collation', 'fields']);
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

/** The result of a count, and how it was found. */
export interface CountRun {
  n: number;
  /** The plan; undefined if all documents were counted, whose number is known. */
  plan: Plan | undefined;
  keyOnly: boolean;
  keys: number;
  docs: number;
}

/**
 * Counts the documents of a query: the stored number for all of them, the keys alone where that is enough, else by reading
 * documents.
 */
export function* countQuery({ engine }: Call, collection: Collection, query: Query): Steps<CountRun> {
  if (conjuncts(query.filter).length === 0) {
    return { n: within(collection.count, query), plan: undefined, keyOnly: true, keys: 0, docs: 0 };
  }
  const plan = planQuery(collection, query.filter, [], 0, query.hint);
  const scan = new Scan(engine, collection, plan, query.filter);
  const keys = scan.countsByKeys ? yield* countKeys(scan, query) : undefined;
  if (keys !== undefined) return { n: within(keys, query), plan, keyOnly: true, ...scan.stats };
  return yield* countDocuments(engine, collection.ns, query);
}

/**
 * Counts by keys alone; undefined if an array came into the index meanwhile, because then a document may have several keys.
 */
function* countKeys(scan: Scan, { skip, limit }: Query): Steps<number | undefined> {
  const enough = limit > 0 ? limit + skip : Number.POSITIVE_INFINITY;
  let n = 0;
  for (;;) {
    n += scan.pullCount();
    if (scan.ended || n >= enough) return n;
    yield;
    if (!scan.countsByKeys) return undefined;
  }
}

function* countDocuments(engine: Engine, ns: string, query: Query): Steps<CountRun> {
  const collection = engine.catalogue.get(ns);
  if (!collection) return { n: 0, plan: undefined, keyOnly: true, keys: 0, docs: 0 };
  const finder = new Finder(engine, collection, query);
  let n = 0;
  for (;;) {
    n += finder.pull().length;
    if (finder.ended) return { n, plan: finder.plan, keyOnly: false, ...finder.scan.stats };
    yield;
  }
}

function within(n: number, { skip, limit }: Query): number {
  const left = Math.max(0, n - skip);
  return limit > 0 ? Math.min(left, limit) : left;
}

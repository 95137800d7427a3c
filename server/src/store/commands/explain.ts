import { type Doc, isDoc } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { failedToParse, unsupported } from '../errors.ts';
import { hasArrays } from '../indexes.ts';
import { Finder, type Query } from '../query/find.ts';
import type { Plan } from '../query/planner.ts';
import { parseCounting } from './aggregate.ts';
import { type Call, type Command, checkArguments, type Steps } from './call.ts';
import { type CountRun, countQuery, parseCount } from './count.ts';
import { parseFind } from './find.ts';

/** Explains find, count and counting aggregates: which index is read, and how many keys and documents that takes. */
export const explain: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, ['verbosity']);
    const inner = call.body.explain;
    if (!isDoc(inner)) throw failedToParse('explain needs a command');
    const [name] = Object.keys(inner);
    if (name !== 'find' && name !== 'count' && name !== 'aggregate') throw unsupported(`Explaining ${name}`);
    const namespace = `${call.db}.${String(inner[name])}`;
    const collection = call.engine.catalogue.get(namespace);
    if (!collection) return { queryPlanner: { namespace, winningPlan: { stage: 'EOF' }, rejectedPlans: [] }, ok: 1 };
    const { query, counts } = queryOf(name, inner, collection);
    const explained = counts ? explainCount(call, collection, query) : explainFind(call, collection, query);
    const { winningPlan, ...stats } = yield* explained;
    const planner = { queryPlanner: { namespace, winningPlan, rejectedPlans: [] } };
    if (call.body.verbosity === 'queryPlanner') return { ...planner, ok: 1 };
    return { ...planner, executionStats: { executionSuccess: true, ...stats }, ok: 1 };
  },
};

interface Explained {
  winningPlan: Doc;
  nReturned: number;
  totalKeysExamined: number;
  totalDocsExamined: number;
}

function queryOf(name: string, body: Doc, collection: Collection): { query: Query; counts: boolean } {
  if (name === 'find') return { query: parseFind(body, collection).query, counts: false };
  if (name === 'count') return { query: parseCount(body, collection), counts: true };
  return { query: parseCounting(body, collection).query, counts: true };
}

function* explainFind({ engine }: Call, collection: Collection, query: Query): Steps<Explained> {
  const finder = new Finder(engine, collection, query);
  let nReturned = 0;
  for (;;) {
    nReturned += finder.pull().length;
    if (finder.ended) break;
    yield;
  }
  const { keys, docs } = finder.scan.stats;
  return { winningPlan: findStages(finder.plan, query), nReturned, totalKeysExamined: keys, totalDocsExamined: docs };
}

function* explainCount(call: Call, collection: Collection, query: Query): Steps<Explained> {
  const run: CountRun = yield* countQuery(call, collection, query);
  const input = run.plan && (run.keyOnly ? scanStage(run.plan, 'COUNT_SCAN') : fetchStage(run.plan));
  const winningPlan = input ? { stage: 'COUNT', inputStage: input } : { stage: 'RECORD_STORE_FAST_COUNT' };
  return { winningPlan, nReturned: 0, totalKeysExamined: run.keys, totalDocsExamined: run.docs };
}

function findStages(plan: Plan, { limit, skip, sort }: Query): Doc {
  let stage = fetchStage(plan);
  if (!plan.sorted) stage = { stage: 'SORT', sortPattern: patternOf(sort), inputStage: stage };
  if (skip > 0) stage = { stage: 'SKIP', skipAmount: skip, inputStage: stage };
  return limit > 0 ? { stage: 'LIMIT', limitAmount: limit, inputStage: stage } : stage;
}

function patternOf(sort: Query['sort']): Doc {
  return Object.fromEntries(sort.map(({ path, descending }) => [path, descending ? -1 : 1]));
}

function fetchStage(plan: Plan): Doc {
  if (plan.union) return { stage: 'OR', inputStages: plan.union.map(fetchStage) };
  if (!plan.index) return documentStage(plan);
  if (!plan.merge) return { stage: 'FETCH', inputStage: scanStage(plan, 'IXSCAN') };
  return {
    stage: 'FETCH',
    inputStage: { stage: 'SORT_MERGE', inputStages: plan.ranges.map(() => scanStage(plan, 'IXSCAN')) },
  };
}

function documentStage(plan: Plan): Doc {
  if (plan.bounded) return { stage: 'IXSCAN', indexName: '_id_', keyPattern: { _id: 1 } };
  return { stage: 'COLLSCAN', direction: plan.backwards ? 'backward' : 'forward' };
}

function scanStage({ index, backwards }: Plan, stage: string): Doc {
  if (!index) return { stage, indexName: '_id_', keyPattern: { _id: 1 } };
  return {
    stage,
    indexName: index.name,
    keyPattern: index.spec.key,
    isMultiKey: hasArrays(index),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    direction: backwards === index?.turned ? 'forward' : 'backward',
  };
}

import { parseStages, runStages } from '../aggregate/pipeline.ts';
import { countField, readStage, type Stage, wholeNumber } from '../aggregate/stage.ts';
import { type Doc, decode, isDoc, toNumber } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { CommandError, failedToParse } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import { Finder, type Query } from '../query/find.ts';
import { parseSort } from '../query/sort.ts';
import { accept, type Call, type Command, namespace, refuse, refuseCollation, type Steps } from './call.ts';
import { countQuery } from './count.ts';
import { hintOf } from './find.ts';
import { listAnswer } from './indexes.ts';

export const aggregate: Command = {
  writes: false,
  *run(call) {
    accept(call, [
      'pipeline',
      'cursor',
      'allowDiskUse',
      'hint',
      'collation',
      'explain',
      'let',
      'bypassDocumentValidation',
    ]);
    refuseCollation(call.body);
    refuse(call.body, ['explain', 'let']);
    const { pipeline } = call.body;
    if (!Array.isArray(pipeline)) throw failedToParse("'pipeline' option must be specified as an array");
    const stages = pipeline.map(readStage);
    if (stages[0]?.name === '$changeStream') {
      throw new CommandError(40573, 'The $changeStream stage is only supported on replica sets');
    }
    const ns = namespace(call);
    const collection = call.engine.catalogue.get(ns);
    const { query, rest } = leadingQuery(stages, call.body.hint, collection);
    return yield* listAnswer(call, ns, yield* results(call, collection, query, rest));
  },
};

/** What an aggregate command begins with, as a query, and whether it only counts. For explain. */
export function explainedQuery(body: Doc, collection: Collection): { query: Query; counts: boolean } {
  const stages = Array.isArray(body.pipeline) ? body.pipeline.map(readStage) : [];
  const { query, rest } = leadingQuery(stages, body.hint, collection);
  return { query, counts: countStage(rest) !== undefined };
}

/** The stages that the query planner can carry (match, sort, skip, limit at the start), and the others. */
function leadingQuery(
  stages: Stage[],
  hint: unknown,
  collection: Collection | undefined,
): { query: Query; rest: Stage[] } {
  const filters: Doc[] = [];
  let at = 0;
  for (; stages[at]?.name === '$match'; at++) filters.push(filterDoc(stages[at]?.operand, '$match'));
  const filter = parseFilter(filters.length === 1 ? (filters[0] as Doc) : filters.length > 1 ? { $and: filters } : {});
  const query: Query = { filter, sort: [], natural: undefined, skip: 0, limit: 0, hint: hintOf(hint, collection) };
  if (stages[at]?.name === '$sort') query.sort = parseSort(stages[at++]?.operand).fields;
  if (stages[at]?.name === '$skip') query.skip = wholeNumber(stages[at++] as Stage, 0);
  if (stages[at]?.name === '$limit') query.limit = wholeNumber(stages[at++] as Stage, 1);
  return { query, rest: stages.slice(at) };
}

function* results(call: Call, collection: Collection | undefined, query: Query, rest: Stage[]): Steps<Doc[]> {
  const counted = countStage(rest);
  if (counted) {
    const n = collection ? (yield* countQuery(call, collection, query)).n : 0;
    return n === 0 ? [] : [counted(n)];
  }
  const ready = parseStages(rest);
  const found: Doc[] = [];
  if (collection) {
    const finder = new Finder(call.engine.storage, collection, query);
    for (let rows = finder.pull(); rows; rows = finder.pull()) {
      for (const row of rows) found.push(row.doc ?? decode(row.raw));
      yield;
    }
  }
  return yield* runStages(call, found, ready);
}

/** Recognizes a pipeline that only counts: `$count`, or the `$group` that countDocuments sends. */
function countStage(rest: Stage[]): ((n: number) => Doc) | undefined {
  const [stage, other] = rest;
  if (!stage || other) return undefined;
  if (stage.name === '$count') {
    const field = countField(stage.operand);
    return (n) => ({ [field]: n });
  }
  if (stage.name !== '$group' || !isDoc(stage.operand)) return undefined;
  const { _id: id, ...fields } = stage.operand;
  const [field, second] = Object.keys(fields);
  const sum = field === undefined ? undefined : fields[field];
  const isConstant = id === null || toNumber(id) !== undefined;
  if (field === undefined || second !== undefined || !isConstant || !isDoc(sum)) return undefined;
  return Object.keys(sum).join() === '$sum' && toNumber(sum.$sum) === 1 ? (n) => ({ _id: id, [field]: n }) : undefined;
}

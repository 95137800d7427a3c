import { type Doc, isDoc, toNumber } from '../bson/values.ts';
import type { Collection } from '../collection.ts';
import { CommandError, failedToParse, unsupported } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import type { Query } from '../query/find.ts';
import { type Command, checkArguments, namespace, refuseCollation, refuseOptions } from './call.ts';
import { countQuery } from './count.ts';
import { hintOf } from './find.ts';
import { listAnswer } from './indexes.ts';

const KNOWN = ['pipeline', 'cursor', 'allowDiskUse', 'hint', 'collation', 'explain', 'let', 'bypassDocumentValidation'];

/** Counting pipelines, the only ones that drivers send on their own (`countDocuments`). Every other pipeline is refused. */
export const aggregate: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, KNOWN);
    refuseCollation(call.body);
    refuseOptions(call.body, ['explain', 'let']);
    const ns = namespace(call);
    const collection = call.engine.catalogue.get(ns);
    const { query, counted } = parseCounting(call.body, collection);
    const n = collection ? (yield* countQuery(call, collection, query)).n : 0;
    return yield* listAnswer(call, ns, n === 0 ? [] : [counted(n)]);
  },
};

/**
 * What a pipeline counts, and the document that it returns.
 * @throws CommandError 115 for stages that this store does not support
 */
export function parseCounting(
  { pipeline, hint }: Doc,
  collection: Collection | undefined,
): { query: Query; counted: (n: number) => Doc } {
  if (!Array.isArray(pipeline)) throw failedToParse("'pipeline' option must be specified as an array");
  const stages = pipeline.map(readStage);
  const query: Query = {
    filter: parseFilter({}),
    sort: [],
    natural: undefined,
    skip: 0,
    limit: 0,
    hint: hintOf(hint, collection),
  };
  const operand = (name: string) => (stages[0]?.name === name ? stages.shift()?.operand : undefined);
  const filter = operand('$match');
  if (filter !== undefined) query.filter = parseFilter(filterDoc(filter, '$match'));
  query.skip = wholeNumber('$skip', operand('$skip') ?? 0, 0);
  const limit = operand('$limit');
  if (limit !== undefined) query.limit = wholeNumber('$limit', limit, 1);
  const [stage, other] = stages;
  if (stage?.name === '$changeStream')
    throw new CommandError(40573, 'The $changeStream stage is only supported on replica sets');
  const refused = stage?.name === '$group' ? other : (stage ?? { name: '' });
  if (!stage || refused) throw unsupported(`A pipeline that does more than count (${refused?.name ?? ''})`);
  return { query, counted: parseCount(stage.operand) };
}

function readStage(stage: unknown): { name: string; operand: unknown } {
  if (!isDoc(stage)) throw new CommandError(14, "Each element of the 'pipeline' array must be an object");
  const [name, second] = Object.keys(stage);
  if (name === undefined || second !== undefined) {
    throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  return { name, operand: stage[name] };
}

function wholeNumber(name: string, operand: unknown, least: number): number {
  const number = toNumber(operand);
  if (number === undefined || !Number.isInteger(number) || number < least) {
    const isLimit = name === '$limit' && number !== undefined && number <= 0;
    throw new CommandError(isLimit ? 15958 : 2, `the argument to ${name} must be a whole number of at least ${least}`);
  }
  return number;
}

/** `{ _id: a constant, n: { $sum: 1 } }`, with any name for n. */
function parseCount(operand: unknown): (n: number) => Doc {
  const { _id: id, ...fields } = isDoc(operand) ? operand : { _id: undefined };
  const [name, second] = Object.keys(fields);
  const sum = name === undefined ? undefined : (fields as Doc)[name];
  const isConstant = id === null || toNumber(id) !== undefined;
  const counts = isDoc(sum) && Object.keys(sum).join() === '$sum' && toNumber(sum.$sum) === 1;
  if (name === undefined || second !== undefined || !isConstant || !counts)
    throw unsupported('A $group that does more than count');
  return (n) => ({ _id: id, [name]: n });
}

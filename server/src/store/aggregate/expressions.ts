import { Double, Int32, Long } from 'bson';
import { Context, evalExpr, ProcessingMode } from 'mingo/core';
import * as mingo from 'mingo/operators/expression';
import { compare, equal } from '../bson/compare.ts';
import { bsonClass, type Doc, getOwn, isDoc, setOwn } from '../bson/values.ts';
import { CommandError, unsupported } from '../errors.ts';

type MingoOperator = (typeof mingo)['$add'];
type Options = Parameters<MingoOperator>[2];

/** Operators of mingo that do with adapted values what MongoDB does; the list grows with the app's needs. */
const TAKEN = [
  '$abs $add $ceil $divide $floor $mod $multiply $subtract',
  '$arrayElemAt $concatArrays $filter $isArray $map $size $slice',
  '$and $or $not $cond $ifNull $switch',
  '$dateToString $year $month $dayOfMonth $dayOfWeek $dayOfYear $hour $minute $second $millisecond',
  '$concat $toLower $toUpper $substrCP $strLenCP',
  '$mergeObjects $objectToArray $literal $let',
].flatMap((line) => line.split(' '));

/** Missing sorts before null in expressions, and equals only itself. */
function order(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return compare(a, b);
}

const comparison =
  (answer: (order: number) => unknown) =>
  (obj: unknown, operands: unknown, options: Options): unknown => {
    const [a, b] = evalExpr(obj as Doc, operands as Doc, options) as unknown[];
    return answer(order(a, b));
  };

/** Comparing is the store's own: by its one definition of order. */
const OWN: Record<string, (obj: unknown, operands: unknown, options: Options) => unknown> = {
  $cmp: comparison((result) => result),
  $eq: comparison((result) => result === 0),
  $ne: comparison((result) => result !== 0),
  $gt: comparison((result) => result > 0),
  $gte: comparison((result) => result >= 0),
  $lt: comparison((result) => result < 0),
  $lte: comparison((result) => result <= 0),
  $in(obj, operands, options) {
    const [value, list] = evalExpr(obj as Doc, operands as Doc, options) as unknown[];
    if (!Array.isArray(list)) throw new CommandError(40081, '$in requires an array as a second argument');
    return value !== undefined && list.some((item) => equal(item, value));
  },
};

const operators = mingo as unknown as Record<string, MingoOperator>;
const known: Doc = { ...Object.fromEntries(TAKEN.map((name) => [name, operators[name]])), ...OWN };
const context = Context.init({ expression: known as never });

/** Computes an expression for a document. */
export type Expression = (doc: Doc) => unknown;

/** Checks an expression and makes it ready. Throws for operators and paths that are not done here. */
export function parseExpression(expression: unknown): Expression {
  check(expression);
  if (typeof expression === 'string' && /^\$[^$]/.test(expression)) return fieldExpression(expression);
  if (!isDoc(expression) && !Array.isArray(expression) && typeof expression !== 'string') return () => expression;
  return mingoExpression(expression);
}

/** The value at a path, with its own type; only where arrays stand on the way mingo has to collect. */
function fieldExpression(expression: string): Expression {
  const parts = expression.slice(1).split('.');
  const collected = mingoExpression(expression);
  return (doc) => {
    let value: unknown = doc;
    for (const part of parts) {
      if (Array.isArray(value)) return collected(doc);
      value = isDoc(value) ? getOwn(value, part) : undefined;
    }
    return value;
  };
}

function mingoExpression(expression: unknown): Expression {
  const adapted = adapt(expression);
  return (doc) => {
    const options = { context, processingMode: ProcessingMode.CLONE_OFF, idKey: '_id' } as unknown as Options;
    try {
      return restore(evalExpr(adapt(doc) as Doc, adapted as Doc, options));
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new CommandError(2, `an expression failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function check(expression: unknown): void {
  if (typeof expression === 'string' && expression.startsWith('$')) checkPath(expression);
  else if (Array.isArray(expression)) expression.forEach(check);
  else if (isDoc(expression)) {
    for (const [name, operand] of Object.entries(expression)) {
      if (name.startsWith('$') && !Object.hasOwn(known, name)) {
        throw new CommandError(
          168,
          `Unrecognized expression operator '${name}', or one that the embedded store does not do`,
        );
      }
      if (name !== '$literal') check(operand);
    }
  }
}

function checkPath(path: string): void {
  if (path.split('.').some((part) => /^\d+$/.test(part))) throw unsupported('A number in the path of an expression');
}

/** Values as mingo calculates with them: numbers are plain ones. */
function adapt(value: unknown): unknown {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) {
    const number = value.toNumber();
    if (!Number.isSafeInteger(number)) throw unsupported('Calculating with whole numbers beyond 2^53');
    return number;
  }
  if (bsonClass(value) === 'Decimal128') throw unsupported('Calculating with a Decimal128');
  if (Array.isArray(value)) return value.map(adapt);
  if (!isDoc(value)) return value;
  const result: Doc = {};
  for (const key of Object.keys(value)) setOwn(result, key, adapt(value[key]));
  return result;
}

/** Numbers get a BSON type again, so that later stages can tell whole numbers from others. */
function restore(value: unknown): unknown {
  if (typeof value === 'number') return (value | 0) === value ? new Int32(value) : new Double(value);
  if (Array.isArray(value)) return value.map(restore);
  if (!isDoc(value)) return value;
  const result: Doc = {};
  for (const key of Object.keys(value)) if (value[key] !== undefined) setOwn(result, key, restore(value[key]));
  return result;
}

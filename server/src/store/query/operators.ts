import { compare, equal, valueKey } from '../bson/keys.ts';
import { bsonClass, isDoc, TYPE, toNumber, typeOf } from '../bson/values.ts';
import { badValue, CommandError } from '../errors.ts';

/** Whether one value (undefined: missing) satisfies an operator. */
export type ValueTest = (value: unknown) => boolean;

export type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte';

/** With more values than this, `$in` looks up keys in a set. */
const LINEAR_IN = 8;

const isNaNValue = (value: unknown) => Number.isNaN(toNumber(value));

export function equalTest(operand: unknown): ValueTest {
  return (value) => equal(value, operand);
}

/**
 * The test of `$gt`, `$gte`, `$lt` or `$lte`. Values compare within one type; null equals missing; NaN equals only itself.
 */
export function rangeTest(operator: RangeOperator, operand: unknown): ValueTest {
  const type = typeOf(operand);
  if (bsonClass(operand) === 'BSONRegExp') throw badValue("Can't have RegEx as arg to predicate over field.");
  const anyType = type === TYPE.minKey || type === TYPE.maxKey;
  const orEqual = operator === 'gte' || operator === 'lte';
  if (type === TYPE.null) return (value) => orEqual && typeOf(value) === TYPE.null;
  if (isNaNValue(operand)) return (value) => orEqual && isNaNValue(value);
  const above = operator === 'gt' || operator === 'gte';
  return (value) => {
    if (value === undefined || (!anyType && typeOf(value) !== type) || isNaNValue(value)) return false;
    const order = compare(value, operand);
    return order === 0 ? orEqual : above ? order > 0 : order < 0;
  };
}

export function inTest(values: unknown[]): ValueTest {
  if (values.length <= LINEAR_IN) return (value) => values.some((item) => equal(value, item));
  const keys = new Set(values.map(keyText));
  return (value) => keys.has(keyText(value));
}

const keyText = (value: unknown) => valueKey(value ?? null).toString('latin1');

/** Whether a filter value is a set of operators (`{ $gt: 1 }`) and not a document to compare with. */
export function isOperators(value: unknown): value is Record<string, unknown> {
  if (!isDoc(value)) return false;
  const [first] = Object.keys(value);
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
}

export function arrayOperand(operator: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badValue(`${operator} needs an array`);
  if (operator !== '$all' && value.some(isOperators)) throw new CommandError(2, `cannot nest $ under ${operator}`);
  return value;
}

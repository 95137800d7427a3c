import { BSONRegExp, type BSONSymbol } from 'bson';
import { compare, equal } from '../bson/compare.ts';
import { valueKey } from '../bson/keys.ts';
import { bsonClass, isDoc, isNumber, TYPE, toNumber, typeName, typeOf } from '../bson/values.ts';
import { badValue, CommandError, failedToParse } from '../errors.ts';

/** Whether one value (undefined: missing) satisfies an operator. */
export type ValueTest = (value: unknown) => boolean;

export type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte';

/** Above this many values `$in` looks keys up in a set. */
const LINEAR_IN = 8;

const isNaNValue = (value: unknown) => Number.isNaN(toNumber(value));

export function equalTest(operand: unknown): ValueTest {
  return (value) => equal(value, operand);
}

/** `$gt`, `$gte`, `$lt`, `$lte`: within one type; null equals missing; NaN equals only itself. */
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
  const patterns = values.filter((value) => value instanceof BSONRegExp).map((value) => regexTest(value));
  const plain = values.filter((value) => !(value instanceof BSONRegExp));
  if (plain.length <= LINEAR_IN) {
    return (value) => plain.some((item) => equal(value, item)) || patterns.some((test) => test(value));
  }
  const keys = new Set(plain.map(keyText));
  return (value) => keys.has(keyText(value)) || patterns.some((test) => test(value));
}

const keyText = (value: unknown) => valueKey(value ?? null).toString('latin1');

/** A regular expression on texts; it also equals a stored expression that is the same. */
export function regexTest(regex: BSONRegExp): ValueTest {
  const pattern = compileRegex(regex);
  return (value) => {
    if (typeof value === 'string') return pattern.test(value);
    const name = bsonClass(value);
    return name === 'BSONSymbol'
      ? pattern.test((value as BSONSymbol).value)
      : name === 'BSONRegExp' && equal(value, regex);
  };
}

function compileRegex({ pattern, options }: BSONRegExp): RegExp {
  const flags = [...new Set(options)].filter((flag) => flag !== 'u').join('');
  if (/[^ims]/.test(flags)) throw badValue(`invalid flag in regex options: ${options}`);
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(pattern, flags + unicode);
    } catch {
      // an escape that only the older syntax allows
    }
  }
  throw new CommandError(51091, `Regular expression is invalid: ${pattern}`);
}

const TYPE_NUMBERS: Record<number, string> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  13: 'javascript',
  14: 'symbol',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  [-1]: 'minKey',
  127: 'maxKey',
};
const TYPE_NAMES = new Set(Object.values(TYPE_NUMBERS));
const NUMBER_NAMES = ['int', 'long', 'double', 'decimal'];

export function typeTest(operand: unknown): ValueTest {
  const wanted = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(typeNames));
  if (wanted.size === 0) throw failedToParse('$type must match at least one type');
  return (value) => value !== undefined && wanted.has(typeName(value));
}

function typeNames(alias: unknown): string[] {
  if (alias === 'number') return NUMBER_NAMES;
  if (typeof alias === 'string') {
    if (TYPE_NAMES.has(alias)) return [alias];
    throw badValue(`Unknown type name alias: ${alias}`);
  }
  const name = TYPE_NUMBERS[toNumber(alias) ?? Number.NaN];
  if (name === undefined) throw badValue(`Invalid numerical type code: ${String(alias)}`);
  return [name];
}

export function sizeTest(operand: unknown): ValueTest {
  const size = toNumber(operand);
  if (size === undefined)
    throw failedToParse(`Failed to parse $size. Expected a number in: $size: ${typeName(operand)}`);
  if (!Number.isInteger(size)) throw failedToParse('Failed to parse $size. Expected an integer');
  if (size < 0) throw failedToParse('Failed to parse $size. Expected a non-negative number');
  return (value) => Array.isArray(value) && value.length === size;
}

export function modTest(operand: unknown): ValueTest {
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumber)) {
    throw badValue('malformed mod, needs to be an array of two numbers');
  }
  const [divisor, remainder] = operand.map((item) => Math.trunc(toNumber(item) ?? 0)) as [number, number];
  if (divisor === 0) throw badValue('divisor cannot be 0');
  return (value) => {
    const number = toNumber(value);
    return number !== undefined && Number.isFinite(number) && Math.trunc(number) % divisor === remainder;
  };
}

/** Whether a filter value is a set of operators (`{ $gt: 1 }`) and not a document to be equal to. */
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

import { compare, equal } from '../bson/keys.ts';
import { bsonClass, clone, type Doc, isDoc, toNumber, typeName } from '../bson/values.ts';
import { badValue, typeMismatch } from '../errors.ts';
import { sortKey } from '../indexes.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { matches, valueMatches } from '../query/match.ts';
import { isOperators } from '../query/operators.ts';
import { parseSort } from '../query/sort.ts';

/**
 * Changes an array (undefined: missing).
 * @returns the new array; undefined leaves the field as it is
 */
export type ArrayChange = (array: unknown[] | undefined) => unknown[] | undefined;

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$position', '$sort']);

export function push(operand: unknown): ArrayChange {
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) return (array) => [...(array ?? []), clone(operand)];
  const unknown = Object.keys(operand).find((name) => !PUSH_MODIFIERS.has(name));
  if (unknown) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  const items = eachOf('$push', operand.$each);
  const position = wholeNumber(operand.$position, '$position');
  const slice = wholeNumber(operand.$slice, '$slice');
  const order = operand.$sort === undefined ? undefined : elementOrder(operand.$sort);
  return (array) => {
    const result = [...(array ?? [])];
    const at = position === undefined ? result.length : position < 0 ? Math.max(0, result.length + position) : position;
    result.splice(at, 0, ...items.map(clone));
    if (order) result.sort(order);
    if (slice === undefined) return result;
    return slice < 0 ? result.slice(slice) : result.slice(0, slice);
  };
}

function eachOf(operator: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    throw typeMismatch(`The argument to $each in ${operator} must be an array but it was of type: ${typeName(value)}`);
  }
  return value;
}

function wholeNumber(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  const number = toNumber(value);
  if (number === undefined || !Number.isInteger(number))
    throw badValue(`The value for ${name} must be an integer value`);
  return number;
}

function elementOrder(sort: unknown): (a: unknown, b: unknown) => number {
  if (!isDoc(sort)) {
    const direction = toNumber(sort);
    if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
    return (a, b) => direction * compare(a, b);
  }
  const { fields } = parseSort(sort);
  const keyOf = (value: unknown) => sortKey(fields, isDoc(value) ? value : {});
  return (a, b) => Buffer.compare(keyOf(a), keyOf(b));
}

export function addToSet(operand: unknown): ArrayChange {
  const each = isDoc(operand) && Object.hasOwn(operand, '$each');
  if (each && Object.keys(operand).length > 1) throw badValue('Found unexpected fields after $each in $addToSet');
  const items = each ? eachOf('$addToSet', operand.$each) : [operand];
  return (array) => {
    const result = [...(array ?? [])];
    for (const item of items) if (!result.some((present) => equal(present, item))) result.push(clone(item));
    return result;
  };
}

export function pull(operand: unknown): ArrayChange {
  const test = pullTest(operand);
  return (array) => array?.filter((element) => !test(element));
}

function pullTest(operand: unknown): (element: unknown) => boolean {
  if (isOperators(operand) || bsonClass(operand) === 'BSONRegExp') {
    const filter: Filter = parseFilter({ element: operand });
    return (element) => valueMatches(filter, element);
  }
  if (!isDoc(operand)) return (element) => equal(element, operand);
  const filter = parseFilter(operand);
  return (element) => isDoc(element) && matches(filter, element);
}

/** The array at a path, for a change. Other values are refused with MongoDB's message. */
export function arrayAt(value: unknown, path: string, operator: string, doc: Doc): unknown[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  if (operator === '$push') {
    const id = JSON.stringify(doc._id);
    throw badValue(`The field '${path}' must be an array but is of type ${typeName(value)} in document {_id: ${id}}`);
  }
  throw badValue(`Cannot apply ${operator} to a non-array value`);
}

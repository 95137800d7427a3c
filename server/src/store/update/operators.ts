import { Double, Int32, Long, Timestamp } from 'bson';
import { compare } from '../bson/keys.ts';
import { bsonClass, clone, type Doc, isDoc, isNumber, isTrue, toNumber, typeName } from '../bson/values.ts';
import { badValue, failedToParse, typeMismatch, unsupported } from '../errors.ts';
import { type ArrayChange, addToSet, arrayAt, pull, push } from './arrays.ts';
import { erase, read, spotOf, write } from './paths.ts';

/** Changes a document at one path, in which positional parts were replaced already. */
export type Change = (doc: Doc, path: string[]) => void;

/**
 * The change that an operator makes with its operand.
 * @param now the time of the update
 */
export function changeOf(operator: string, path: string, operand: unknown, now: Date): Change {
  switch (operator) {
    case '$set':
    case '$setOnInsert':
      return replaceWith(() => clone(operand));
    case '$unset':
      return (doc, at) => {
        const spot = spotOf(doc, at, false);
        if (spot) erase(spot);
      };
    case '$inc':
      return replaceWith((value) => increased(path, value, operand));
    case '$min':
      return replaceWith((value) => (value === undefined || compare(operand, value) < 0 ? clone(operand) : value));
    case '$max':
      return replaceWith((value) => (value === undefined || compare(operand, value) > 0 ? clone(operand) : value));
    case '$currentDate': {
      const value = currentDate(operand, now);
      return replaceWith(() => value);
    }
    case '$push':
      return arrayChange(operator, path, push(operand));
    case '$addToSet':
      return arrayChange(operator, path, addToSet(operand));
    case '$pull':
      return arrayChange(operator, path, pull(operand));
    case '$bit':
    case '$mul':
    case '$pop':
    case '$pullAll':
    case '$rename':
      throw unsupported(`The update operator ${operator}`);
  }
  throw failedToParse(
    `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
  );
}

function replaceWith(next: (value: unknown) => unknown): Change {
  return (doc, path) => {
    const spot = spotOf(doc, path, true);
    if (spot) write(spot, next(read(spot)), path);
  };
}

/**
 * Applies a change to an array. Operators that add create a missing array; those that only remove leave a missing field as
 * it is.
 */
function arrayChange(operator: string, path: string, change: ArrayChange): Change {
  const makes = operator === '$push' || operator === '$addToSet';
  return (doc, at) => {
    const spot = spotOf(doc, at, makes);
    const next = spot && change(arrayAt(read(spot), path, operator, doc));
    if (spot && next) write(spot, next, at);
  };
}

function currentDate(operand: unknown, now: Date): unknown {
  if (operand === true || (isDoc(operand) && operand.$type === 'date')) return now;
  if (typeof operand === 'boolean' && !isTrue(operand)) return now;
  if (isDoc(operand) && operand.$type === 'timestamp') {
    return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
  }
  throw badValue("$currentDate needs true, or a $type of 'date' or 'timestamp'");
}

/** Adds as MongoDB's `$inc`: int stays int, overflows to long, and becomes double with a double. */
function increased(path: string, current: unknown, operand: unknown): unknown {
  for (const value of [current, operand]) {
    if (bsonClass(value) === 'Decimal128') throw unsupported('$inc with a Decimal128');
  }
  if (!isNumber(operand)) {
    throw typeMismatch(`Cannot increment with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`);
  }
  if (current === undefined) return operand;
  if (!isNumber(current)) {
    throw typeMismatch(
      `Cannot apply $inc to a value of non-numeric type. The field '${path}' has non-numeric type ${typeName(current)}`,
    );
  }
  if (isDouble(current) || isDouble(operand)) return new Double((toNumber(current) ?? 0) + (toNumber(operand) ?? 0));
  const before = BigInt(String(current));
  const result = before + BigInt(String(operand));
  if (BigInt.asIntN(32, result) === result && current instanceof Int32 && operand instanceof Int32) {
    return new Int32(Number(result));
  }
  if (BigInt.asIntN(64, result) === result) return Long.fromBigInt(result);
  throw badValue(`Failed to apply $inc operations to current value (${before}) for field '${path}'`);
}

const isDouble = (value: unknown) => typeof value === 'number' || value instanceof Double;

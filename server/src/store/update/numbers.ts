import { Double, Int32, Long } from 'bson';
import { bsonClass, isNumber, toNumber, typeName } from '../bson/values.ts';
import { badValue, typeMismatch, unsupported } from '../errors.ts';

/** Adds as MongoDB's `$inc`: int stays int, overflows to long, and becomes double with a double. */
export function increased(path: string, current: unknown, operand: unknown): unknown {
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

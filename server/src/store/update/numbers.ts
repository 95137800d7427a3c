import { Double, Int32, Long } from 'bson';
import { bsonClass, isNumber, toNumber, typeName } from '../bson/values.ts';
import { badValue, typeMismatch, unsupported } from '../errors.ts';

type Operator = '$inc' | '$mul';

/** `$inc` and `$mul` as MongoDB calculates: int stays int, grows to long, and becomes double with a double. */
export function calculate(operator: Operator, path: string, current: unknown, operand: unknown): unknown {
  for (const value of [current, operand]) {
    if (bsonClass(value) === 'Decimal128') throw unsupported(`${operator} with a Decimal128`);
  }
  if (!isNumber(operand)) {
    throw typeMismatch(
      `Cannot ${operator === '$inc' ? 'increment' : 'multiply'} with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`,
    );
  }
  if (current === undefined) return operator === '$inc' ? operand : zeroLike(operand);
  if (!isNumber(current)) {
    throw typeMismatch(
      `Cannot apply ${operator} to a value of non-numeric type. The field '${path}' has non-numeric type ${typeName(current)}`,
    );
  }
  if (isDouble(current) || isDouble(operand)) {
    const [a, b] = [toNumber(current) ?? 0, toNumber(operand) ?? 0];
    return new Double(operator === '$inc' ? a + b : a * b);
  }
  const [a, b] = [BigInt(String(current)), BigInt(String(operand))];
  const result = operator === '$inc' ? a + b : a * b;
  if (BigInt.asIntN(32, result) === result && current instanceof Int32 && operand instanceof Int32) {
    return new Int32(Number(result));
  }
  if (BigInt.asIntN(64, result) === result) return Long.fromBigInt(result);
  throw badValue(`Failed to apply ${operator} operations to current value (${a}) for field '${path}'`);
}

const isDouble = (value: unknown) => typeof value === 'number' || value instanceof Double;

function zeroLike(operand: unknown): unknown {
  if (operand instanceof Int32) return new Int32(0);
  return operand instanceof Long ? Long.ZERO : new Double(0);
}

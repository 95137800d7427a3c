import { Double, Int32 } from 'bson';
import { compare } from '../bson/compare.ts';
import { valueKey } from '../bson/keys.ts';
import { type Doc, isDoc, toNumber } from '../bson/values.ts';
import { CommandError, failedToParse } from '../errors.ts';
import { type Expression, parseExpression } from './expressions.ts';

/** Takes in the values of a group one by one. */
interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum() {
    let total = 0;
    return {
      add: (value) => {
        total += toNumber(value) ?? 0;
      },
      result: () => numeric(total),
    };
  },
  $count() {
    let total = 0;
    return {
      add: () => {
        total++;
      },
      result: () => numeric(total),
    };
  },
  $avg() {
    const numbers: number[] = [];
    const add = (value: unknown) => {
      const number = toNumber(value);
      if (number !== undefined) numbers.push(number);
    };
    const result = () => (numbers.length ? new Double(numbers.reduce((a, b) => a + b, 0) / numbers.length) : null);
    return { add, result };
  },
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first() {
    let first: { value: unknown } | undefined;
    return {
      add: (value) => {
        first ??= { value };
      },
      result: () => first?.value ?? null,
    };
  },
  $last() {
    let last: unknown;
    return {
      add: (value) => {
        last = value;
      },
      result: () => last ?? null,
    };
  },
  $push() {
    const values: unknown[] = [];
    return {
      add: (value) => {
        if (value !== undefined) values.push(value);
      },
      result: () => values,
    };
  },
  $addToSet() {
    const values = new Map<string, unknown>();
    const add = (value: unknown) => {
      if (value !== undefined) values.set(valueKey(value).toString('latin1'), value);
    };
    return { add, result: () => [...values.values()] };
  },
};

function extreme(sign: number): Accumulator {
  let best: unknown;
  const add = (value: unknown) => {
    if (value !== undefined && value !== null && (best === undefined || compare(value, best) * sign > 0)) best = value;
  };
  return { add, result: () => best ?? null };
}

function numeric(value: number): Int32 | Double {
  return (value | 0) === value ? new Int32(value) : new Double(value);
}

interface Field {
  name: string;
  make: () => Accumulator;
  value: Expression;
}

/** `$group`: documents by the value of an expression, each group with its accumulated fields. */
export function parseGroup(operand: unknown): (docs: Doc[]) => Doc[] {
  if (!isDoc(operand)) throw failedToParse("a group's fields must be specified in an object");
  if (!Object.hasOwn(operand, '_id')) throw new CommandError(2, 'a group specification must include an _id');
  const id = parseExpression(operand._id);
  const fields = Object.entries(operand)
    .filter(([name]) => name !== '_id')
    .map(([name, spec]) => parseField(name, spec));
  return (docs) => {
    const groups = new Map<string, { _id: unknown; accumulators: Accumulator[] }>();
    for (const doc of docs) {
      const value = id(doc) ?? null;
      const key = valueKey(value).toString('latin1');
      const group = groups.get(key) ?? { _id: value, accumulators: fields.map(({ make }) => make()) };
      groups.set(key, group);
      fields.forEach((field, i) => {
        group.accumulators[i]?.add(field.value(doc));
      });
    }
    return [...groups.values()].map(({ _id, accumulators }) => ({
      _id,
      ...Object.fromEntries(fields.map(({ name }, i) => [name, accumulators[i]?.result()])),
    }));
  };
}

function parseField(name: string, spec: unknown): Field {
  const [operator, other] = isDoc(spec) ? Object.keys(spec) : [];
  if (!isDoc(spec) || operator === undefined || other !== undefined) {
    throw new CommandError(2, `The field '${name}' must specify one accumulator`);
  }
  const make = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (!make)
    throw new CommandError(2, `unknown group operator '${operator}', or one that the embedded store does not do`);
  return { name, make, value: parseExpression(operator === '$count' ? null : spec[operator]) };
}

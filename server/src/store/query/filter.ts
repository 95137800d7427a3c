import { bsonClass, type Doc, isDoc, isTrue } from '../bson/values.ts';
import { badValue, type CommandError, failedToParse, unsupported } from '../errors.ts';
import {
  arrayOperand,
  equalTest,
  inTest,
  isOperators,
  type RangeOperator,
  rangeTest,
  type ValueTest,
} from './operators.ts';

/** A parsed filter. The planner reads the leaves, and the matcher runs their tests. */
export type Filter =
  | Leaf
  | ElemMatch
  | { kind: 'and' | 'or' | 'nor'; filters: Filter[] }
  | { kind: 'not'; filter: Filter }
  | { kind: 'never' };

export interface Leaf {
  kind: 'leaf';
  path: string;
  parts: string[];
  operator: 'eq' | RangeOperator | 'in' | 'exists';
  operand: unknown;
  test: ValueTest;
}

export interface ElemMatch {
  kind: 'elemMatch';
  path: string;
  parts: string[];
  /** Tests the fields of an element that is a document, or (`whole`) the element itself. */
  filter: Filter;
  whole: boolean;
}

/**
 * Parses a filter.
 * @throws CommandError MongoDB's error for a malformed filter, and 115 for what this store does not support
 */
export function parseFilter(filter: Doc): Filter {
  return every(Object.entries(filter).map(([key, value]) => parseEntry(key, value)));
}

function every(filters: Filter[]): Filter {
  const [only] = filters;
  return only && filters.length === 1 ? only : { kind: 'and', filters };
}

function parseEntry(key: string, value: unknown): Filter {
  if (!key.startsWith('$')) return parseField(key, value);
  switch (key) {
    case '$and':
      return every(parseList(key, value));
    case '$or': {
      const filters = parseList(key, value);
      return filters.length === 1 ? every(filters) : { kind: 'or', filters };
    }
    case '$nor':
      return { kind: 'nor', filters: parseList(key, value) };
    case '$comment':
      return { kind: 'and', filters: [] };
    case '$expr':
    case '$where':
    case '$text':
    case '$jsonSchema':
      throw unsupported(`The filter operator ${key}`);
  }
  throw badValue(
    `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
}

function parseList(key: string, value: unknown): Filter[] {
  if (!Array.isArray(value)) throw badValue(`${key} must be an array`);
  if (value.length === 0) throw badValue(`${key} argument must be a non-empty array`);
  return value.map((item) => {
    if (!isDoc(item)) throw badValue(`${key} argument's entries must be objects`);
    return parseFilter(item);
  });
}

function parseField(path: string, value: unknown): Filter {
  refusePattern(value);
  if (!isOperators(value)) return leaf(path, 'eq', value ?? null, equalTest(value ?? null));
  return parseOperators(path, value);
}

function parseOperators(path: string, operators: Doc): Filter {
  const filters: Filter[] = [];
  for (const [name, operand] of Object.entries(operators)) {
    if (!name.startsWith('$')) throw unknownOperator(name);
    filters.push(parseOperator(path, name, operand));
  }
  return every(filters);
}

/** Refuses regular expressions: JavaScript's differ from MongoDB's, and their running time has no limit. */
function refusePattern(value: unknown): void {
  if (bsonClass(value) === 'BSONRegExp') throw unsupported('A regular expression in a filter');
}

function unknownOperator(name: string): CommandError {
  return badValue(`unknown operator: ${name}`);
}

function parseOperator(path: string, name: string, operand: unknown): Filter {
  switch (name) {
    case '$eq':
      refusePattern(operand);
      return leaf(path, 'eq', operand, equalTest(operand));
    case '$ne':
      refusePattern(operand);
      return not(leaf(path, 'eq', operand, equalTest(operand)));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte': {
      const operator = name.slice(1) as RangeOperator;
      return leaf(path, operator, operand, rangeTest(operator, operand));
    }
    case '$in':
      return inLeaf(path, arrayOperand(name, operand));
    case '$nin':
      return not(inLeaf(path, arrayOperand(name, operand)));
    case '$not':
      return not(parseNot(path, operand));
    case '$exists': {
      const wanted = isTrue(operand);
      const exists = leaf(path, 'exists', true, (value) => value !== undefined);
      return wanted ? exists : not(exists);
    }
    case '$all':
      return parseAll(path, arrayOperand(name, operand));
    case '$elemMatch':
      return parseElemMatch(path, operand);
    case '$regex':
    case '$options':
    case '$type':
    case '$size':
    case '$mod':
    case '$geoWithin':
    case '$geoIntersects':
    case '$near':
    case '$nearSphere':
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      throw unsupported(`The filter operator ${name}`);
  }
  throw unknownOperator(name);
}

function leaf(path: string, operator: Leaf['operator'], operand: unknown, test: ValueTest): Leaf {
  return { kind: 'leaf', path, parts: path.split('.'), operator, operand, test };
}

function not(filter: Filter): Filter {
  return { kind: 'not', filter };
}

function inLeaf(path: string, values: unknown[]): Leaf {
  values.forEach(refusePattern);
  return leaf(path, 'in', values, inTest(values));
}

function parseNot(path: string, operand: unknown): Filter {
  refusePattern(operand);
  if (!isDoc(operand)) throw badValue('$not needs a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  return parseOperators(path, operand);
}

function parseAll(path: string, values: unknown[]): Filter {
  if (values.length === 0) return { kind: 'never' };
  const [first] = values;
  if (isDoc(first) && Object.keys(first)[0] === '$elemMatch') {
    return every(values.map((value) => parseAllElemMatch(path, value)));
  }
  return every(
    values.map((value) => {
      if (isOperators(value)) throw badValue('no $ expressions in $all');
      refusePattern(value);
      return leaf(path, 'eq', value, equalTest(value));
    }),
  );
}

function parseAllElemMatch(path: string, value: unknown): Filter {
  if (!isDoc(value) || Object.keys(value)[0] !== '$elemMatch') throw badValue('$all/$elemMatch has to be consistent');
  return parseElemMatch(path, value.$elemMatch);
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$where', '$expr']);

function parseElemMatch(path: string, operand: unknown): Filter {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  const [first] = Object.keys(operand);
  const whole = first?.startsWith('$') === true && !LOGICAL.has(first);
  const filter = whole ? parseOperators('', operand) : parseFilter(operand);
  return { kind: 'elemMatch', path, parts: path.split('.'), filter, whole };
}

/** Refuses a filter that is not a document, with MongoDB's message. */
export function filterDoc(value: unknown, name: string): Doc {
  if (value === undefined || value === null) return {};
  if (!isDoc(value)) throw failedToParse(`Expected field ${name} to be of type object`);
  return value;
}

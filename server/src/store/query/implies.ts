import { equal } from '../bson/keys.ts';
import { TYPE, typeOf } from '../bson/values.ts';
import type { Index } from '../indexes.ts';
import type { Filter, Leaf } from './filter.ts';

/** The conditions that must all hold, taken out of nested `$and`s. */
export function conjuncts(filter: Filter): Filter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(conjuncts) : [filter];
}

/** Whether an index contains every document that passes the filter. Only sparse and partial indexes may not. */
export function covers(index: Index, conditions: Filter[]): boolean {
  if (index.partial && !conjuncts(index.partial).every((needed) => implied(needed, conditions))) return false;
  if (!index.sparse) return true;
  return index.fields.some(({ path }) => conditions.some((one) => isLeafOf(one, path) && excludesMissing(one)));
}

function isLeafOf(filter: Filter, path: string): filter is Leaf {
  return filter.kind === 'leaf' && filter.path === path;
}

/** Whether no document without the field passes the leaf. */
function excludesMissing({ test }: Leaf): boolean {
  return !test(undefined);
}

function implied(needed: Filter, conditions: Filter[]): boolean {
  if (needed.kind === 'and') return needed.filters.every((part) => implied(part, conditions));
  if (needed.kind === 'or') return needed.filters.some((part) => implied(part, conditions));
  return needed.kind === 'leaf' && conditions.some((one) => isLeafOf(one, needed.path) && leafImplies(one, needed));
}

function leafImplies(given: Leaf, needed: Leaf): boolean {
  if (needed.operator === 'exists') return excludesMissing(given);
  switch (given.operator) {
    case 'eq':
      return isPlain(given.operand) && needed.test(given.operand);
    case 'in':
      return (given.operand as unknown[]).every((value) => isPlain(value) && needed.test(value));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return rangeImplies(given, needed);
  }
  return false;
}

/** Whether only the value itself equals it: it is not null (which equals missing, too), an array or a pattern. */
function isPlain(value: unknown): boolean {
  const type = typeOf(value);
  return type !== TYPE.null && type !== TYPE.array && type !== TYPE.regex;
}

function rangeImplies(given: Leaf, needed: Leaf): boolean {
  if (!isPlain(given.operand) || given.operator[0] !== needed.operator[0]) return false;
  if (needed.operator !== 'gt' && needed.operator !== 'gte' && needed.operator !== 'lt' && needed.operator !== 'lte') {
    return false;
  }
  // identical edges: `> 5` implies `> 5`, though 5 itself passes neither
  return needed.test(given.operand) || (given.operator === needed.operator && equal(given.operand, needed.operand));
}

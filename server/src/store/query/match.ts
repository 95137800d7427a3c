import { type Doc, isDoc } from '../bson/values.ts';
import type { ElemMatch, Filter, Leaf } from './filter.ts';
import { NO_INDEX, someAt } from './paths.ts';

/** Where the matcher records which array element a filter matched, for the positional `$`. */
export interface Position {
  index: number;
}

export function noPosition(): Position {
  return { index: NO_INDEX };
}

/** Whether a document passes a filter. */
export function matches(filter: Filter, doc: Doc, position?: Position): boolean {
  switch (filter.kind) {
    case 'leaf':
      return matchesLeaf(filter, doc, position);
    case 'elemMatch':
      return matchesElement(filter, doc, position);
    case 'and':
      return filter.filters.every((part) => matches(part, doc, position));
    case 'or':
      return filter.filters.some((part) => matches(part, doc, position));
    case 'nor':
      return !filter.filters.some((part) => matches(part, doc));
    case 'not':
      return !matches(filter.filter, doc);
    case 'never':
      return false;
  }
}

function matchesLeaf(leaf: Leaf, doc: Doc, position?: Position): boolean {
  return someAt(doc, leaf.parts, true, (value, index) => {
    if (!leaf.test(value)) return false;
    if (position && index !== NO_INDEX) position.index = index;
    return true;
  });
}

function matchesElement(filter: ElemMatch, doc: Doc, position?: Position): boolean {
  return someAt(doc, filter.parts, false, (value, outer) => {
    if (!Array.isArray(value)) return false;
    const inner = value.findIndex((element) => elementMatches(filter, element));
    if (inner < 0) return false;
    if (position) position.index = outer === NO_INDEX ? inner : outer;
    return true;
  });
}

function elementMatches(filter: ElemMatch, element: unknown): boolean {
  if (filter.whole) return valueMatches(filter.filter, element);
  if (isDoc(element)) return matches(filter.filter, element);
  return Array.isArray(element) && matches(filter.filter, { ...element });
}

/** Whether a value on its own, without a path, passes operators. */
export function valueMatches(filter: Filter, value: unknown): boolean {
  switch (filter.kind) {
    case 'leaf':
      return filter.test(value);
    case 'elemMatch':
      return Array.isArray(value) && value.some((element) => elementMatches(filter, element));
    case 'and':
      return filter.filters.every((part) => valueMatches(part, value));
    case 'or':
      return filter.filters.some((part) => valueMatches(part, value));
    case 'nor':
      return !filter.filters.some((part) => valueMatches(part, value));
    case 'not':
      return !valueMatches(filter.filter, value);
    case 'never':
      return false;
  }
}

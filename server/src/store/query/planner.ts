import { afterPrefix, invertKey, valueKey } from '../bson/keys.ts';
import type { Collection } from '../collection.ts';
import { badValue } from '../errors.ts';
import { fieldLimit, ID_KEY_LIMIT, type Index, type IndexField, shareArray } from '../indexes.ts';
import { type Bounds, boundsOf, intersect, intervalKeys } from './bounds.ts';
import type { Filter, Leaf } from './filter.ts';
import { conjuncts, covers } from './implies.ts';

/** A part of an index (or of the documents) to read. All keys of one range share their first `prefix` bytes. */
export interface PlanRange {
  start: Buffer;
  end: Buffer;
  prefix: number;
  /** The start is the complete key of a document, or of an entry of a unique index, so the range has at most one key. */
  whole: boolean;
}

/** What plans are made of: the indexes of a collection, and where its keys begin. */
export type Planned = Pick<Collection, 'complete' | 'cutIds' | 'documentSpace' | 'indexSpace'>;

/** The index to be read: its name, or `ids` for the documents themselves in the order of their `_id`s. */
export type Hint = { name: string } | 'ids';

/** A query plan: how to find the documents of a filter. */
export interface Plan {
  /** Undefined: the documents themselves, in the order of their `_id`s. */
  index: Index | undefined;
  ranges: PlanRange[];
  backwards: boolean;
  /** The documents come in the requested order; with `merge`, only if the ranges are merged. */
  sorted: boolean;
  merge: boolean;
  /** Each key within the ranges is exactly one matching document, so documents need not be read to count them. */
  exact: boolean;
  /** Where the index had arrays when this was planned. */
  arrays: number[];
  /** The ranges are smaller than the whole index. */
  bounded: boolean;
  /** To be read instead: one plan for each branch of an `$or`, one after the other, each document once. */
  union?: Plan[];
}

/** With more ranges than this, documents are sorted instead of merged, and later fields are not looked up. */
const MAX_RANGES = 1000;

/** The best possible score: at most one document is read. */
const ONE_DOCUMENT = 1000;

interface Candidate extends Plan {
  score: number;
}

/**
 * Chooses the plan that reads least: an index (or `hint`) whose first fields are in the filter or the sort, else all
 * documents.
 */
export function planQuery(collection: Planned, filter: Filter, sort: IndexField[], limit: number, hint?: Hint): Plan {
  const conditions = conjuncts(filter);
  if (hint === 'ids') return candidate(collection, undefined, conditions, sort, limit);
  if (hint) return candidate(collection, hinted(collection, hint.name, conditions), conditions, sort, limit);
  const one = planOfId(collection, conditions);
  if (one) return one;
  const best = bestCandidate(collection, conditions, sort, limit);
  const readsInOrder = best.sorted && sort.length > 0 && limit > 0;
  if (best.bounded || readsInOrder) return best;
  const union = unionOf(collection, conditions);
  return union ? { ...best, union, sorted: sort.length === 0, exact: false, bounded: true } : best;
}

/** The plan of a filter that names one `_id`, which is what most queries do: no other reads less, so none is compared with it. */
function planOfId(collection: Planned, conditions: Filter[]): Plan | undefined {
  const id = conditions.find((one) => one.kind === 'leaf' && one.path === '_id');
  const bounds = id && boundsOf(id as Leaf, ID_KEY_LIMIT);
  const [point, other] = bounds?.points ?? [];
  if (!point || other) return undefined;
  const start = Buffer.concat([collection.documentSpace(), point]);
  const range = { start, end: afterPrefix(start), prefix: start.length, whole: true };
  const exact = conditions.length === 1 && bounds?.exact === true;
  const how = { backwards: false, sorted: true, merge: false, exact, bounded: true };
  return { index: undefined, ranges: [range], arrays: [], ...how };
}

function hinted(collection: Planned, name: string, conditions: Filter[]): Index {
  const index = collection.complete.find((one) => one.name === name);
  if (!index) throw badValue('error processing query: hint provided does not correspond to an existing index');
  if (index.partial && !covers(index, conditions))
    throw badValue('error processing query: planner returned error: the hinted index leaves documents out');
  return index;
}

function bestCandidate(collection: Planned, conditions: Filter[], sort: IndexField[], limit: number): Candidate {
  let best = candidate(collection, undefined, conditions, sort, limit);
  const named = new Set([...conditions, ...sort].map((one) => ('path' in one ? one.path : undefined)));
  for (const index of collection.complete) {
    if (best.score === ONE_DOCUMENT) return best;
    if (!named.has(index.fields[0]?.path) || !covers(index, conditions)) continue;
    const other = candidate(collection, index, conditions, sort, limit);
    if ((other.bounded || other.sorted) && other.score > best.score) best = other;
  }
  return best;
}

/** Plans for the branches of an `$or`, if each of them has an index that bounds it; else undefined. */
function unionOf(collection: Planned, conditions: Filter[]): Plan[] | undefined {
  for (const one of conditions) {
    if (one.kind !== 'or') continue;
    const rest = conditions.filter((other) => other !== one);
    const plans = one.filters.map((branch) => bestCandidate(collection, [...conjuncts(branch), ...rest], [], 0));
    if (plans.every(({ bounded }) => bounded)) return plans.map((plan) => ({ ...plan, exact: false }));
  }
  return undefined;
}

const NULL_KEY = valueKey(null);
const ID_FIELDS: IndexField[] = [{ path: '_id', parts: ['_id'], descending: false }];

/**
 * The fields by which a plan is ordered: those of the index, then the `_id` that ends every non-unique entry, if its keys
 * keep its order.
 */
function fieldsOf(collection: Planned, index: Index | undefined): IndexField[] {
  if (!index) return ID_FIELDS;
  if (index.unique || collection.cutIds || index.fields.some(({ path }) => path === '_id')) return index.fields;
  return [...index.fields, ...ID_FIELDS];
}

/** The combined bounds of an index's first fields. */
interface Walk {
  prefixes: Buffer[];
  /** For each field, how many values it is bound to; undefined from the first unbound field on. */
  points: number[];
  /** The fields that are bound to null, which one document with arrays may match by several keys. */
  nulls: Set<number>;
  interval: Bounds['interval'];
  used: Set<Leaf>;
  exact: boolean;
}

function candidate(
  collection: Planned,
  index: Index | undefined,
  conditions: Filter[],
  sort: IndexField[],
  limit: number,
): Candidate {
  const fields = fieldsOf(collection, index);
  const walk = walkFields(collection, index, fields, conditions);
  const order = orderOf(collection, index, fields, walk, sort);
  const next = fields[walk.points.length];
  const whole = (!index || index.unique) && !next;
  const ranges = walk.prefixes.map((prefix) => ({
    ...(walk.interval && next
      ? intervalKeys(prefix, walk.interval, next.descending)
      : { start: prefix, end: afterPrefix(prefix) }),
    prefix: prefix.length,
    whole,
  }));
  const plan = {
    index,
    ranges: ranges.filter(({ start, end }) => Buffer.compare(start, end) < 0),
    backwards: order?.backwards ?? index?.turned ?? false,
    sorted: order !== undefined,
    merge: order?.merge ?? false,
    exact: walk.exact && isOncePerDocument(index, walk) && conditions.every((one) => walk.used.has(one as Leaf)),
    arrays: index?.arrays ?? [],
    bounded: walk.points.length > 0 || walk.interval !== undefined,
  };
  return { ...plan, score: score(plan, walk, index?.fields ?? ID_FIELDS, sort, limit) };
}

/**
 * Whether each document has at most one key within the ranges: each field that has arrays is bound to one value other than
 * null.
 */
function isOncePerDocument(index: Index | undefined, { points, nulls }: Walk): boolean {
  return index?.arrays.every((depths, i) => depths === 0 || (points[i] === 1 && !nulls.has(i))) ?? true;
}

/**
 * The score of a plan. Bound fields count most, then a range; an order that saves a sort counts more if only the first
 * documents are wanted.
 */
function score(plan: Plan, walk: Walk, fields: IndexField[], sort: IndexField[], limit: number): number {
  const unique = plan.index ? plan.index.unique : true;
  if (unique && walk.points.length >= fields.length && walk.prefixes.length <= 1) return ONE_DOCUMENT;
  const bound = walk.points.reduce((sum, count) => sum + (count === 1 ? 10 : 8), 0);
  const ordered = plan.sorted && sort.length > 0 ? (limit > 0 ? 12 : 6) : 0;
  const merged = plan.merge ? -1 : 0;
  return bound + (walk.interval ? 5 : 0) + ordered + merged + (plan.exact ? 1 : 0);
}

function walkFields(collection: Planned, index: Index | undefined, fields: IndexField[], conditions: Filter[]): Walk {
  const space = index ? collection.indexSpace(index) : collection.documentSpace();
  const walk: Walk = {
    prefixes: [space],
    points: [],
    nulls: new Set(),
    interval: undefined,
    used: new Set(),
    exact: true,
  };
  for (const [i, field] of fields.entries()) {
    // an entry holds the values of one array element, but two conditions may be met by two elements
    if (index && walk.points.some((_, before) => shareArray(index, before, i))) break;
    const limit = index?.fields[i] ? fieldLimit(index) : ID_KEY_LIMIT;
    const bounds = fieldBounds(field, conditions, limit, !index?.arrays[i], walk);
    if (!bounds) break;
    if (!bounds.points) {
      walk.interval = bounds.interval;
      break;
    }
    const points = field.descending ? bounds.points.map(invertKey).reverse() : bounds.points;
    if (walk.points.length > 0 && walk.prefixes.length * points.length > MAX_RANGES) break;
    walk.prefixes = walk.prefixes.flatMap((prefix) => points.map((point) => Buffer.concat([prefix, point])));
    walk.points.push(points.length);
    if (bounds.points.some((point) => point.equals(NULL_KEY))) walk.nulls.add(i);
  }
  return walk;
}

function fieldBounds(field: IndexField, conditions: Filter[], limit: number, single: boolean, walk: Walk) {
  const leaves = new Map<Bounds, Leaf>();
  for (const one of conditions) {
    if (one.kind !== 'leaf' || one.path !== field.path) continue;
    const bounds = boundsOf(one, limit);
    if (bounds) leaves.set(bounds, one);
  }
  const elements = conditions.flatMap((one) => elementBounds(one, field, limit));
  const found = intersect([...elements, ...leaves.keys()], single);
  if (!found) return undefined;
  for (const bounds of found.used) {
    const leaf = leaves.get(bounds);
    if (leaf) walk.used.add(leaf);
  }
  if (!found.bounds.exact) walk.exact = false;
  return found.bounds;
}

/** The bounds that one element of an array has to be within, from both sides; the documents still have to be looked at. */
function elementBounds(one: Filter, { path }: IndexField, limit: number): Bounds[] {
  if (one.kind !== 'elemMatch' || !one.whole || one.path !== path) return [];
  const leaves = conjuncts(one.filter).filter((part) => part.kind === 'leaf');
  const all = leaves.map((leaf) => boundsOf(leaf, limit)).filter((bounds) => bounds !== undefined);
  const found = intersect(all, true);
  return found ? [{ ...found.bounds, exact: false }] : [];
}

/** Whether reading the ranges gives the requested order, and how. */
function orderOf(
  collection: Planned,
  index: Index | undefined,
  fields: IndexField[],
  walk: Walk,
  sort: IndexField[],
): { backwards: boolean; merge: boolean } | undefined {
  // without a requested order, an index returns the order of its definition
  const natural = index?.turned ?? false;
  if (sort.length === 0) return { backwards: natural, merge: false };
  if (index ? index.cut : collection.cutIds) return undefined;
  const isSingle = (i: number) => !index?.arrays[i];
  const fixed = new Set(fields.filter((_, i) => walk.points[i] === 1 && isSingle(i)).map(({ path }) => path));
  const wanted = sort.filter(({ path }) => !fixed.has(path));
  let backwards: boolean | undefined;
  let merge = false;
  let at = 0;
  for (const [i, field] of fields.entries()) {
    const next = wanted[at];
    if (!next) break;
    const points = walk.points[i];
    if (points === 1) continue;
    const turned = next.descending !== field.descending;
    if (
      next.path === field.path &&
      isSingle(i) &&
      (backwards === undefined || backwards === turned) &&
      !(merge && points !== undefined)
    ) {
      backwards = turned;
      at++;
    } else if (points !== undefined && at === 0) merge = true;
    else return undefined;
  }
  // no two documents are equal in all fields of a unique index, so later sort fields have no effect
  const isDecided = index?.unique === true && !merge;
  if ((at < wanted.length && !isDecided) || (merge && walk.prefixes.length > MAX_RANGES)) return undefined;
  return { backwards: backwards ?? natural, merge };
}

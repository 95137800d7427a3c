import { BSONRegExp } from 'bson';
import { afterPrefix, certainBytes, cutKey, invertKey, valueKey } from '../bson/keys.ts';
import { TYPE, toNumber, typeOf } from '../bson/values.ts';
import type { Leaf } from './filter.ts';

/** An edge of an interval in key order: before all keys that begin with `bytes`, or after all of them. */
interface Edge {
  bytes: Buffer;
  after: boolean;
}

/** What a filter says about one indexed field: a set of exact values, or one interval. */
export interface Bounds {
  points?: Buffer[];
  interval?: { low: Edge; high: Edge };
  /** Every value within the bounds passes the leaf, so the document need not be checked. */
  exact: boolean;
}

const typeEdge = (type: number, after: boolean): Edge => ({ bytes: Buffer.from([type]), after });
/** The first key of all numbers. Other numbers do not compare with NaN, so their intervals begin after it. */
const NAN_KEY = valueKey(Number.NaN);

/** The bounds that a leaf sets for the keys of its field; undefined if it sets none. */
export function boundsOf(leaf: Leaf, limit: number): Bounds | undefined {
  switch (leaf.operator) {
    case 'eq':
      return pointBounds([leaf.operand], limit);
    case 'in':
      return pointBounds(leaf.operand as unknown[], limit);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return rangeBounds(leaf, limit);
  }
  return undefined;
}

function pointBounds(values: unknown[], limit: number): Bounds | undefined {
  // an array is indexed by its elements, and a pattern matches many values
  if (values.some((value) => Array.isArray(value) || value instanceof BSONRegExp)) return undefined;
  const points = new Map<string, Buffer>();
  let exact = true;
  for (const value of values) {
    const key = valueKey(value);
    if (key.length > limit) exact = false;
    const point = cutKey(key, limit);
    points.set(point.toString('latin1'), point);
  }
  return { points: [...points.values()].sort(Buffer.compare), exact };
}

function rangeBounds({ operator, operand }: Leaf, limit: number): Bounds | undefined {
  const type = typeOf(operand);
  if (type === TYPE.minKey || type === TYPE.maxKey || type === TYPE.array) return undefined;
  const orEqual = operator === 'gte' || operator === 'lte';
  if (type === TYPE.null || Number.isNaN(toNumber(operand))) {
    return orEqual ? pointBounds([operand], limit) : { points: [], exact: true };
  }
  const above = operator === 'gt' || operator === 'gte';
  const key = valueKey(operand);
  // the part after the certain bytes may be a hash: include all keys with the same beginning, and check the documents
  const long = key.length > certainBytes(limit);
  const bytes = long ? key.subarray(0, certainBytes(limit)) : key;
  const edge = { bytes, after: long ? !above : above !== orEqual };
  const first = type === TYPE.number ? { bytes: NAN_KEY, after: true } : typeEdge(type, false);
  const interval = above ? { low: edge, high: typeEdge(type, true) } : { low: first, high: edge };
  return { interval, exact: !long };
}

/**
 * The intersection of the bounds of several leaves of one field.
 * @param single no document has more than one value in the field
 */
export function intersect(all: Bounds[], single: boolean): { bounds: Bounds; used: Bounds[] } | undefined {
  const [points] = all
    .filter((bounds) => bounds.points)
    .sort((a, b) => (a.points?.length ?? 0) - (b.points?.length ?? 0));
  if (points) return { bounds: points, used: [points] };
  const [first, ...others] = all;
  if (!first?.interval) return undefined;
  if (!single) return { bounds: first, used: [first] };
  let { low, high } = first.interval;
  for (const { interval } of others) {
    if (!interval) continue;
    if (compareEdges(interval.low, low) > 0) low = interval.low;
    if (compareEdges(interval.high, high) < 0) high = interval.high;
  }
  return { bounds: { interval: { low, high }, exact: all.every(({ exact }) => exact) }, used: all };
}

function compareEdges(a: Edge, b: Edge): number {
  return Buffer.compare(edgeKey(a), edgeKey(b));
}

function edgeKey({ bytes, after }: Edge): Buffer {
  return after ? afterPrefix(bytes) : bytes;
}

/** The keys of an interval after a prefix, in the field's direction: the start is included, the end is not. */
export function intervalKeys(prefix: Buffer, interval: { low: Edge; high: Edge }, descending: boolean) {
  const { low, high } = descending ? invertInterval(interval) : interval;
  const at = (edge: Edge) => edgeKey({ bytes: Buffer.concat([prefix, edge.bytes]), after: edge.after });
  return { start: at(low), end: at(high) };
}

function invertInterval({ low, high }: { low: Edge; high: Edge }): { low: Edge; high: Edge } {
  const invert = ({ bytes, after }: Edge) => ({ bytes: invertKey(bytes), after: !after });
  return { low: invert(high), high: invert(low) };
}

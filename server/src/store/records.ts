import { type Doc, decode, encode, isDoc, isTrue, toNumber } from './bson/values.ts';
import { indexSpace } from './entries.ts';
import { type Index, rootsOf } from './indexes.ts';
import { parseFilter } from './query/filter.ts';
import type { Entry } from './storage/storage.ts';

/** The version of the layout in the file. A file of a later version is refused, one of an earlier is written anew at the start. */
export const FORMAT = 3;
export const FORMAT_KEY = Buffer.from('\0format');
/** Before the record of a collection. */
export const COLLECTION_SPACE = 0x01;

/** Before the number of a collection's documents, by the collection's own: it changes more often than its record. */
const COUNT_SPACE = 0x05;

/** Where the number of a collection's documents is kept, and how. */
export function countEntry(collection: number, count: number): Entry {
  return { key: countKey(collection), value: encode({ count }) };
}

export function countKey(collection: number): Buffer {
  const key = Buffer.from([COUNT_SPACE, 0, 0, 0, 0]);
  key.writeUInt32BE(collection, 1);
  return key;
}

/** What the value of `FORMAT_KEY` says. */
export function formatOf(value: Buffer): number {
  return toNumber(decode(value).format) ?? 0;
}

/** What is kept of an index in the record of its collection. */
export function indexRecord({ id, arrays, cut, building, spec }: Index): Doc {
  return { id, arrays, cut, building, spec };
}

/** An index by its record, of whatever format. */
export function readIndex(saved: Doc): Index {
  const index = indexOf(saved.spec as Doc, toNumber(saved.id) ?? 0);
  const arrays = (savedArrays(saved) ?? index.arrays).slice(0, index.fields.length);
  return { ...index, arrays, cut: saved.cut === true, building: saved.building === true };
}

/** Records of earlier versions only say whether there are arrays: it may be everywhere. */
function savedArrays({ arrays, multikey, spec }: Doc): number[] | undefined {
  if (Array.isArray(arrays)) return arrays.map((depths) => toNumber(depths) ?? 0);
  return multikey === true ? Object.keys((spec as Doc).key as Doc).map(() => ANYWHERE) : undefined;
}

const ANYWHERE = -1;

/** An index from its definition, which has been checked. */
export function indexOf(spec: Doc, id: number): Index {
  const named = Object.entries(spec.key as Doc).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    descending: (toNumber(direction) ?? 1) < 0,
  }));
  const last = named.at(-1);
  // a unique index leads to a document's `_id` instead of ending with it
  const endsInId = last?.path === '_id' && named.length > 1 && !isTrue(spec.unique);
  // What is written later mostly comes behind: there, pages fill up. So `_id`s run upwards in the file, and an index is read from its end.
  const turned = endsInId && last.descending;
  const fields = (endsInId ? named.slice(0, -1) : named).map((field) => ({
    ...field,
    descending: field.descending !== turned,
  }));
  const partial = isDoc(spec.partialFilterExpression) ? parseFilter(spec.partialFilterExpression) : undefined;
  return {
    id,
    name: spec.name as string,
    fields,
    turned,
    hasId: named.some(({ path }) => path === '_id'),
    space: indexSpace(id),
    spec,
    unique: isTrue(spec.unique),
    sparse: isTrue(spec.sparse),
    partial,
    roots: rootsOf(fields, partial),
    expireAfterSeconds: toNumber(spec.expireAfterSeconds),
    arrays: fields.map(() => 0),
    cut: false,
    building: false,
  };
}

import { type Doc, decode, encode, isDoc, isTrue, toNumber } from './bson/values.ts';
import { indexSpace } from './entries.ts';
import { type Index, rootsOf } from './indexes.ts';
import { parseFilter } from './query/filter.ts';
import type { Entry } from './storage/storage.ts';

/**
 * The version of the file's layout. A file of a later version is refused; one of an earlier version is rewritten at the
 * start.
 */
export const FORMAT = 3;
export const FORMAT_KEY = Buffer.from('\0format');
/** The prefix of the records of collections. */
export const COLLECTION_SPACE = 0x01;

/**
 * The prefix of the document counts, by collection id. They are kept apart from the records because they change more often.
 */
const COUNT_SPACE = 0x05;

/** The key of a collection's record, by its name with that of its database in front. */
export function recordKey(ns: string): Buffer {
  return Buffer.concat([Buffer.from([COLLECTION_SPACE]), Buffer.from(ns)]);
}

/** The id of a collection; undefined: there is none of that name. @param get reads an entry of the catalogue */
export function collectionId(ns: string, get: (key: Buffer) => Buffer | undefined): number | undefined {
  const record = get(recordKey(ns));
  return record && toNumber(decode(record).id);
}

/** The entry that stores the number of a collection's documents. */
export function countEntry(collection: number, count: number): Entry {
  return { key: countKey(collection), value: encode({ count }) };
}

export function countKey(collection: number): Buffer {
  const key = Buffer.from([COUNT_SPACE, 0, 0, 0, 0]);
  key.writeUInt32BE(collection, 1);
  return key;
}

/** The format that the value of `FORMAT_KEY` names. */
export function parseFormat(value: Buffer): number {
  return toNumber(decode(value).format) ?? 0;
}

/** The part of a collection's record that describes one index. */
export function indexRecord({ id, arrays, cut, building, spec }: Index): Doc {
  return { id, arrays, cut, building, spec };
}

/** Reads an index from its record, of any format. */
export function readIndex(saved: Doc): Index {
  const index = indexOf(saved.spec as Doc, toNumber(saved.id) ?? 0);
  const arrays = (savedArrays(saved) ?? index.arrays).slice(0, index.fields.length);
  return { ...index, arrays, cut: saved.cut === true, building: saved.building === true };
}

/** Records of earlier formats only say whether there are arrays, so they may be in every field. */
function savedArrays({ arrays, multikey, spec }: Doc): number[] | undefined {
  if (Array.isArray(arrays)) return arrays.map((depths) => toNumber(depths) ?? 0);
  return multikey === true ? Object.keys((spec as Doc).key as Doc).map(() => ANYWHERE) : undefined;
}

const ANYWHERE = -1;

/** Makes an index from a definition that has been validated. */
export function indexOf(spec: Doc, id: number): Index {
  const named = Object.entries(spec.key as Doc).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    descending: (toNumber(direction) ?? 1) < 0,
  }));
  const last = named.at(-1);
  // an entry of a unique index leads to a document's `_id` instead of ending with it
  const endsInId = last?.path === '_id' && named.length > 1 && !isTrue(spec.unique);
  // New documents mostly have the greatest `_id`s, and appending fills pages best. So `_id`s ascend in the file, and such an
  // index is read from its end.
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

import { ID_KEY_LIMIT, type Index } from './indexes.ts';
import { DOCUMENT_SPACE, type Entry, INDEX_SPACE, spaceOf } from './storage/storage.ts';

/** A non-unique entry ends with the length of the document's key, which comes just before it. */
const LENGTH_BYTES = 1;

/** The prefix of the keys of a collection's documents. */
export const documentSpace = (collection: number) => spaceOf(DOCUMENT_SPACE, collection);

/** The prefix of the keys of an index. */
export const indexSpace = (index: number) => spaceOf(INDEX_SPACE, index);

const EMPTY = Buffer.alloc(0);

/**
 * The file's entry for a document in an index, from the key of the fields and the key of the document. A unique entry maps
 * the fields to the document. Any other entry is a key without a value, ordered by the fields and then by the documents.
 */
export function entryOf(index: Index, key: Buffer, id: Buffer): Entry {
  if (index.unique) return { key: uniqueKey(index, key), value: id };
  const { space } = index;
  const bytes = Buffer.allocUnsafe(space.length + key.length + id.length + LENGTH_BYTES);
  bytes.set(space, 0);
  bytes.set(key, space.length);
  bytes.set(id, space.length + key.length);
  // the maximum length is written as zero, which is not a possible length
  bytes[bytes.length - 1] = id.length % ID_KEY_LIMIT;
  return { key: bytes, value: EMPTY };
}

/** The key under which a unique index keeps the document with these fields. */
export function uniqueKey({ space }: Index, key: Buffer): Buffer {
  return Buffer.concat([space, key]);
}

/** The key of the document to which an entry leads. `value` is only used for unique entries. */
export function idOf(index: Index, key: Buffer, value: Buffer): Buffer {
  if (index.unique) return value;
  const end = key.length - LENGTH_BYTES;
  return key.subarray(end - (key[end] || ID_KEY_LIMIT), end);
}

import { ID_KEY_LIMIT, type Index } from './indexes.ts';
import { DOCUMENT_SPACE, INDEX_SPACE, spaceOf } from './storage/spaces.ts';
import type { Entry } from './storage/storage.ts';

/** An entry that is not unique ends with the length of the document's key that stands before it. */
const LENGTH_BYTES = 1;

/** The beginning of the keys of a collection's documents. */
export const documentSpace = (collection: number) => spaceOf(DOCUMENT_SPACE, collection);

/** The beginning of the keys of an index. */
export const indexSpace = (index: number) => spaceOf(INDEX_SPACE, index);

const EMPTY = Buffer.alloc(0);

/**
 * What the file holds for an entry of an index, by the fields' key and the document's. A unique one leads from the fields to the
 * document; any other is a key alone, in the order of the fields and then of the documents.
 */
export function entryOf(index: Index, key: Buffer, id: Buffer): Entry {
  if (index.unique) return { key: uniqueKey(index, key), value: id };
  const { space } = index;
  const bytes = Buffer.allocUnsafe(space.length + key.length + id.length + LENGTH_BYTES);
  bytes.set(space, 0);
  bytes.set(key, space.length);
  bytes.set(id, space.length + key.length);
  // the longest is written as zero, which no length is
  bytes[bytes.length - 1] = id.length % ID_KEY_LIMIT;
  return { key: bytes, value: EMPTY };
}

/** Where a unique index has the document of these fields. */
export function uniqueKey({ space }: Index, key: Buffer): Buffer {
  return Buffer.concat([space, key]);
}

/** The key of the document that an entry leads to. `value` is needed of unique ones only. */
export function idOf(index: Index, key: Buffer, value: Buffer): Buffer {
  if (index.unique) return value;
  const end = key.length - LENGTH_BYTES;
  return key.subarray(end - (key[end] || ID_KEY_LIMIT), end);
}

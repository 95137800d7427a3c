import { type Doc, decode, encode, toNumber } from './bson/values.ts';
import { documentSpace, entryOf } from './entries.ts';
import type { Index } from './indexes.ts';
import { COLLECTION_SPACE, FORMAT, FORMAT_KEY, indexRecord, readIndex } from './records.ts';
import type { Renew } from './storage/lmdb.ts';
import type { Entry } from './storage/storage.ts';

/** How a file of this format becomes one of the present format, entry by entry; undefined: it is one, or of a later version. */
export function renewalOf(format: number): Renew | undefined {
  return format === 1 ? fromFormat1() : undefined;
}

/** Spaces of format 1 took five bytes, and every entry ended with the document's key and two bytes of its length. */
const OLD_SPACE_BYTES = 5;
const OLD_LENGTH_BYTES = 2;
const DOCUMENTS = 0x02;
const INDEX_ENTRIES = 0x03;
const DROPPED = 0x04;

/**
 * From format 1: numbers of collections and indexes get shorter, unique indexes lead to the document, and an index with `_id` at its end
 * holds it once. Where keys had been cut, their new ones cannot be told from the old: the index is built anew after the start,
 * and so is one that was being built. What had been dropped stays behind.
 */
function fromFormat1(): Renew {
  const collections = new Set<number>();
  const indexes = new Map<number, Index>();
  const renewed = (key: Buffer): Buffer | undefined => {
    const number = key.readUInt32BE(1);
    return collections.has(number) ? Buffer.concat([documentSpace(number), key.subarray(OLD_SPACE_BYTES)]) : undefined;
  };
  return (entry) => {
    const { key, value } = entry;
    if (key.equals(FORMAT_KEY)) return { key, value: encode({ format: FORMAT }) };
    switch (key[0]) {
      case COLLECTION_SPACE:
        return { key, value: encode(renewRecord(decode(value), collections, indexes)) };
      case DOCUMENTS: {
        const documentKey = renewed(key);
        return documentKey && { key: documentKey, value };
      }
      case INDEX_ENTRIES: {
        const index = indexes.get(key.readUInt32BE(1));
        return index && renewEntry(index, key);
      }
      case DROPPED:
        return undefined;
    }
    return entry;
  };
}

/** Notes which collections there are, and which indexes have entries that are taken over. */
function renewRecord(record: Doc, collections: Set<number>, indexes: Map<number, Index>): Doc {
  collections.add(toNumber(record.id) ?? 0);
  const all = (record.indexes as Doc[]).map((saved) => {
    const index = readIndex(saved);
    index.building ||= index.cut || (index.hasId && record.cutIds === true);
    if (!index.building) indexes.set(index.id, index);
    return index;
  });
  return { ...record, indexes: all.map(indexRecord) };
}

/** From the space, the fields with an `_id` at their end, the document's key, and its length: nothing of it is cut. */
function renewEntry(index: Index, key: Buffer): Entry {
  const end = key.length - OLD_LENGTH_BYTES;
  const id = key.subarray(end - key.readUInt16BE(end), end);
  const endOfFields = end - id.length - (index.hasId && !index.fields.some(isId) ? id.length : 0);
  return entryOf(index, key.subarray(OLD_SPACE_BYTES, endOfFields), id);
}

const isId = ({ path }: { path: string }) => path === '_id';

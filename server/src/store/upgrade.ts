import { afterPrefix, invertKey } from './bson/keys.ts';
import { type Doc, decode, encode, toNumber } from './bson/values.ts';
import { documentSpace, entryOf, indexSpace } from './entries.ts';
import type { Index } from './indexes.ts';
import { COLLECTION_SPACE, countEntry, FORMAT, FORMAT_KEY, indexRecord, readIndex } from './records.ts';
import type { FormatUpgrade, UpgradedPart } from './storage/copy.ts';
import { DOCUMENT_SPACE, type Entry, INDEX_SPACE } from './storage/storage.ts';

/** How to bring a file of this format into the present one; undefined if it has the present format, or a later one. */
export function upgradeFrom(format: number): FormatUpgrade | undefined {
  if (format >= FORMAT) return undefined;
  return renewalFrom(format === 1 ? FORMAT_1 : FORMAT_2);
}

/** How an older format differs from the present one. */
interface OldFormat {
  space(kind: number, number: number): Buffer;
  /** Whether the entries of an index of a collection must be made again from the documents. */
  isBuiltAnew(index: Index, record: Doc): boolean;
  entry(index: Index, old: Entry): Entry;
}

/**
 * Format 1: spaces took five bytes, unique indexes were stored like all others, and every entry ended with the document's
 * key and two bytes of its length, whatever stood before. Where keys were cut, the present keys cannot be made from the old
 * ones.
 */
const FORMAT_1: OldFormat = {
  space(kind, number) {
    const bytes = Buffer.from([kind, 0, 0, 0, 0]);
    bytes.writeUInt32BE(number, 1);
    return bytes;
  },
  isBuiltAnew: (index, record) => index.cut || (index.hasId && record.cutIds === true),
  entry(index, { key }) {
    const end = key.length - 2;
    const id = key.subarray(end - key.readUInt16BE(end), end);
    const endOfFields = end - id.length - (index.hasId && !index.fields.some(isId) ? id.length : 0);
    const fields = key.subarray(5, endOfFields);
    return entryOf(index, index.turned ? invertKey(fields) : fields, id);
  },
};

const isId = ({ path }: { path: string }) => path === '_id';

/**
 * Format 2: everything was in one tree, the count of a collection was in its record, and entries had the order of their
 * index's definition.
 */
const FORMAT_2: OldFormat = {
  space: (kind, number) => (kind === DOCUMENT_SPACE ? documentSpace(number) : indexSpace(number)),
  isBuiltAnew: () => false,
  entry(index, { key, value }) {
    if (!index.turned) return { key, value };
    const end = key.length - 1;
    const renewed = Buffer.from(key);
    renewed.set(invertKey(key.subarray(index.space.length, end)), index.space.length);
    return { key: renewed, value };
  },
};

/** Data of what was dropped is not copied. Indexes that were being built are built again after the start. */
function renewalFrom(old: OldFormat): FormatUpgrade {
  const parts: UpgradedPart[] = [];
  const part = (kind: number, number: number, backwards: boolean, renew: (entry: Entry) => Entry) => {
    const start = old.space(kind, number);
    parts.push({ start, end: afterPrefix(start), backwards, renew });
    return start.length;
  };
  return {
    record(entry) {
      const { key, value } = entry;
      if (key.equals(FORMAT_KEY)) return [{ key, value: encode({ format: FORMAT }) }];
      if (key[0] !== COLLECTION_SPACE) return [entry];
      const { count, ...record } = decode(value);
      const number = toNumber(record.id) ?? 0;
      const skip = part(DOCUMENT_SPACE, number, false, (doc) => ({
        key: Buffer.concat([documentSpace(number), doc.key.subarray(skip)]),
        value: doc.value,
      }));
      const indexes = (record.indexes as Doc[]).map((saved) => {
        const index = readIndex(saved);
        index.building ||= old.isBuiltAnew(index, record);
        if (!index.building) part(INDEX_SPACE, index.id, index.turned, (one) => old.entry(index, one));
        return indexRecord(index);
      });
      return [{ key, value: encode({ ...record, indexes }) }, countEntry(number, toNumber(count) ?? 0)];
    },
    parts: () => parts,
  };
}

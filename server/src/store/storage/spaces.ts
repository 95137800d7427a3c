/** The first byte of the keys of documents, and of the keys of index entries. */
export const DOCUMENT_SPACE = 0x02;
export const INDEX_SPACE = 0x03;

/** Ids of collections and indexes below this take two bytes, all others four. */
const SHORT_NUMBERS = 0x8000;
const LONG_MARK = 0x80;

/** The prefix of the keys of a collection's documents, or of an index. */
export function spaceOf(kind: number, number: number): Buffer {
  const bytes = Buffer.alloc(number < SHORT_NUMBERS ? 3 : 5);
  bytes[0] = kind;
  if (number < SHORT_NUMBERS) bytes.writeUInt16BE(number, 1);
  else bytes.writeUInt32BE((number | (LONG_MARK << 24)) >>> 0, 1);
  return bytes;
}

/** The length of a key's space prefix; 0 for keys of the catalogue. */
export function spaceBytes(key: Buffer): number {
  if (key[0] !== DOCUMENT_SPACE && key[0] !== INDEX_SPACE) return 0;
  return ((key[1] as number) & LONG_MARK) === 0 ? 3 : 5;
}

/** Before the documents of a collection, and before the entries of an index. */
export const DOCUMENT_SPACE = 0x02;
export const INDEX_SPACE = 0x03;

/** Numbers of collections and indexes below this take two bytes, all others four. */
const SHORT_NUMBERS = 0x8000;
const LONG_MARK = 0x80;

/** The beginning of the keys of a collection's documents, or of an index. */
export function spaceOf(kind: number, number: number): Buffer {
  const bytes = Buffer.alloc(number < SHORT_NUMBERS ? 3 : 5);
  bytes[0] = kind;
  if (number < SHORT_NUMBERS) bytes.writeUInt16BE(number, 1);
  else bytes.writeUInt32BE((number | (LONG_MARK << 24)) >>> 0, 1);
  return bytes;
}

/** How many bytes of a key are its space: none of the keys of the catalogue. */
export function spaceBytes(key: Buffer): number {
  if (key[0] !== DOCUMENT_SPACE && key[0] !== INDEX_SPACE) return 0;
  return ((key[1] as number) & LONG_MARK) === 0 ? 3 : 5;
}

import { onDemand } from 'bson';

const BSON = { double: 1, object: 3, array: 4, objectId: 7, long: 18 } as const;

/** One field of a BSON document, by its offsets in the bytes. */
interface RawField {
  name: string;
  start: number;
  end: number;
}

const NAME_BYTES = 1;

/**
 * The top-level fields of a BSON document, in order.
 * @throws if the bytes are not well formed at the top level
 */
export function rawFields(bytes: Buffer): RawField[] {
  const fields: RawField[] = [];
  for (const [, nameOffset, nameLength, offset, length] of onDemand.parseToElements(bytes)) {
    const name = bytes.toString('utf8', nameOffset, nameOffset + nameLength);
    fields.push({ name, start: nameOffset - NAME_BYTES, end: offset + length });
  }
  return fields;
}

/** Makes a BSON document from complete fields of other documents, without decoding them. */
export function joinFields(pieces: Uint8Array[]): Buffer {
  let size = 5;
  for (const piece of pieces) size += piece.length;
  const bytes = Buffer.allocUnsafe(size);
  let offset = bytes.writeInt32LE(size, 0);
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  bytes[offset] = 0;
  return bytes;
}

/** The fields of a BSON document without its length and its end. */
export function fieldBytes(bytes: Buffer): Buffer {
  return bytes.subarray(4, bytes.length - 1);
}

function named(type: number, name: string, value: Uint8Array): Buffer {
  const size = Buffer.byteLength(name);
  const bytes = Buffer.allocUnsafe(2 + size + value.length);
  bytes[0] = type;
  bytes.write(name, 1, size, 'utf8');
  bytes[1 + size] = 0;
  bytes.set(value, 2 + size);
  return bytes;
}

/** A field that holds an ObjectId. */
export function objectIdField(name: string, id: Uint8Array): Buffer {
  return named(BSON.objectId, name, id);
}

/** A field that holds a document that is BSON already. */
export function docField(name: string, doc: Uint8Array): Buffer {
  return named(BSON.object, name, doc);
}

/** A field that holds an array of documents that are BSON already; they are copied unchanged. */
export function docsField(name: string, docs: Uint8Array[]): Buffer {
  return named(BSON.array, name, joinFields(docs.map((doc, i) => docField(String(i), doc))));
}

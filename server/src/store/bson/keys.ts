import { createHash } from 'node:crypto';
import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  type DBRef,
  Double,
  Int32,
  Long,
  type ObjectId,
  type Timestamp,
} from 'bson';
import { unsupported } from '../errors.ts';
import { bsonClass, type Doc, TYPE, typeOf } from './values.ts';

/**
 * The one definition of order and equality: a value becomes bytes whose order is MongoDB's order of values. A type byte,
 * then the value; texts end with 0x00 0x00 and write a NUL as 0x00 0xff; containers end with 0x00. The encoding is
 * prefix-free, so encodings can be concatenated.
 */
class KeyWriter {
  private bytes = Buffer.allocUnsafe(512);
  private length = 0;

  reset(): void {
    this.length = 0;
  }

  take(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  byte(value: number): void {
    this.room(1);
    this.bytes[this.length++] = value;
  }

  uint32(value: number): void {
    this.room(4);
    this.length = this.bytes.writeUInt32BE(value >>> 0, this.length);
  }

  raw(value: Uint8Array): void {
    this.room(value.length);
    this.bytes.set(value, this.length);
    this.length += value.length;
  }

  text(value: string): void {
    if (value.includes('\0')) {
      for (const byte of Buffer.from(value)) {
        this.byte(byte);
        if (byte === 0) this.byte(0xff);
      }
    } else {
      const size = Buffer.byteLength(value);
      this.room(size);
      this.length += this.bytes.write(value, this.length, size, 'utf8');
    }
    this.byte(0);
    this.byte(0);
  }

  private room(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + size));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

const scratch = new DataView(new ArrayBuffer(8));
const SAFE = 2 ** 53;

function writeDouble(out: KeyWriter, value: number): void {
  if (Number.isNaN(value)) {
    out.uint32(0);
    out.uint32(0);
    return;
  }
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const high = scratch.getUint32(0);
  const low = scratch.getUint32(4);
  const negative = high >>> 31 === 1;
  out.uint32(negative ? ~high : high ^ 0x80000000);
  out.uint32(negative ? ~low : low);
}

/** Numbers beyond 2^53 carry two more bytes: how far the exact value is above the double written before them. */
function writeResidual(out: KeyWriter, residual: number): void {
  out.byte(residual >>> 8);
  out.byte(residual & 0xff);
}

function writeLong(out: KeyWriter, value: Long): void {
  const near = value.toNumber();
  if (Math.abs(near) < SAFE) {
    writeDouble(out, near);
    return;
  }
  const exact = value.toBigInt();
  const below = BigInt(near) > exact ? previousDouble(near) : near;
  writeDouble(out, below);
  writeResidual(out, Number(exact - BigInt(below)));
}

function previousDouble(value: number): number {
  scratch.setFloat64(0, value);
  scratch.setBigUint64(0, scratch.getBigUint64(0) + (value > 0 ? -1n : 1n));
  return scratch.getFloat64(0);
}

function writeNumber(out: KeyWriter, value: unknown): void {
  if (value instanceof Long) {
    writeLong(out, value);
    return;
  }
  const number = value instanceof Int32 || value instanceof Double ? value.value : value;
  if (typeof number !== 'number') throw unsupported('Comparing, sorting or indexing a Decimal128');
  writeDouble(out, number);
  if (Math.abs(number) >= SAFE && Number.isFinite(number)) writeResidual(out, 0);
}

function writeDoc(out: KeyWriter, doc: Doc): void {
  for (const name of Object.keys(doc)) {
    const value = doc[name];
    out.byte(typeOf(value));
    out.text(name);
    writePayload(out, value);
  }
  out.byte(0);
}

function writeArray(out: KeyWriter, values: unknown[]): void {
  for (const value of values) writeValue(out, value);
  out.byte(0);
}

function writeBinary(out: KeyWriter, value: Binary): void {
  const bytes = value.buffer.subarray(0, value.position);
  out.uint32(bytes.length);
  out.byte(value.sub_type);
  out.raw(bytes);
}

function writeDate(out: KeyWriter, value: Date): void {
  const time = value.getTime();
  out.uint32(Math.floor(time / 2 ** 32) ^ 0x80000000);
  out.uint32(time % 2 ** 32);
}

function writeTimestamp(out: KeyWriter, value: Timestamp): void {
  out.uint32(value.high);
  out.uint32(value.low);
}

function writeRegex(out: KeyWriter, { pattern, options }: BSONRegExp): void {
  out.text(pattern);
  out.text(options);
}

function writeCode(out: KeyWriter, value: Code): void {
  if (value.scope) throw unsupported('Comparing, sorting or indexing code with a scope');
  out.text(value.code);
}

function isRef(value: Doc | DBRef): value is DBRef {
  return bsonClass(value) === 'DBRef';
}

/** A reference is a document of the fields $ref, $id and $db. */
function refFields(value: DBRef): Doc {
  return {
    $ref: value.collection,
    $id: value.oid,
    ...(value.db === undefined ? {} : { $db: value.db }),
    ...value.fields,
  };
}

/** The encoder of each type; types without an entry have only one value. */
const WRITERS: Record<number, (out: KeyWriter, value: never) => void> = {
  [TYPE.number]: writeNumber,
  [TYPE.string]: (out, value: string | BSONSymbol) => out.text(typeof value === 'string' ? value : value.value),
  [TYPE.object]: (out, value: Doc | DBRef) => writeDoc(out, isRef(value) ? refFields(value) : value),
  [TYPE.array]: writeArray,
  [TYPE.binary]: writeBinary,
  [TYPE.objectId]: (out, value: ObjectId) => out.raw(value.id),
  [TYPE.boolean]: (out, value: boolean) => out.byte(value ? 1 : 0),
  [TYPE.date]: writeDate,
  [TYPE.timestamp]: writeTimestamp,
  [TYPE.regex]: writeRegex,
  [TYPE.code]: writeCode,
};

function writePayload(out: KeyWriter, value: unknown): void {
  WRITERS[typeOf(value)]?.(out, value as never);
}

function writeValue(out: KeyWriter, value: unknown): void {
  out.byte(typeOf(value));
  writePayload(out, value);
}

const writer = new KeyWriter();

/**
 * The complete key of one value.
 * @throws for the few types that have no order here (Decimal128, code with scope)
 */
export function valueKey(value: unknown): Buffer {
  writer.reset();
  writeValue(writer, value);
  return writer.take();
}

/** The key of the content of an empty array. It sorts before null, and no value equals it. */
export const EMPTY_ARRAY_KEY = Buffer.from([TYPE.emptyArray]);

const HASH_BYTES = 32;

/** How many bytes of a key with this limit are not hashed: the rest may be a hash. */
export function certainBytes(limit: number): number {
  return limit - HASH_BYTES;
}

/** Shortens a key to `limit` bytes: its beginning, then a hash of the whole. Equality is kept, order only up to the cut. */
export function cutKey(key: Buffer, limit: number): Buffer {
  if (key.length <= limit) return key;
  return Buffer.concat([key.subarray(0, certainBytes(limit)), createHash('sha256').update(key).digest()]);
}

/** Reverses the order of a key, for descending index fields. */
export function invertKey(key: Buffer): Buffer {
  const inverted = Buffer.allocUnsafe(key.length);
  for (let i = 0; i < key.length; i++) inverted[i] = ~(key[i] as number);
  return inverted;
}

/** The first key after all keys that begin with `prefix`. */
export function afterPrefix(prefix: Buffer): Buffer {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  const after = Buffer.from(prefix.subarray(0, end));
  if (end > 0) after[end - 1] = (after[end - 1] as number) + 1;
  return after;
}

/**
 * Compares two values in MongoDB's order. The result equals that of comparing their keys, with faster paths for the common
 * types.
 */
export function compare(a: unknown, b: unknown): number {
  if (a instanceof Int32 && b instanceof Int32) return Math.sign(a.value - b.value);
  if (a instanceof Date && b instanceof Date) return Math.sign(a.getTime() - b.getTime());
  const typeA = typeOf(a);
  const typeB = typeOf(b);
  if (typeA !== typeB) return typeA < typeB ? -1 : 1;
  if (typeA === TYPE.null) return 0;
  if (typeof a === 'string' && a === b) return 0;
  if (typeof a === 'boolean') return Number(a) - Number(b);
  return Buffer.compare(valueKey(a), valueKey(b));
}

/**
 * Whether two values are equal for a filter or a unique index: 1 and 1.0 are, documents with another order of fields are
 * not.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  if (typeof a === 'boolean' || a === null || a === undefined) return (a ?? null) === (b ?? null);
  return typeOf(a) === typeOf(b) && compare(a, b) === 0;
}

import { Double, deserialize, Int32, Long, serialize } from 'bson';

/** A decoded document. Numbers keep their BSON type (Int32, Double, Long), so that encoding it again changes nothing. */
export type Doc = Record<string, unknown>;

/** The rank of each BSON type in MongoDB's comparison order. Types that compare with each other have the same rank. */
export const TYPE = {
  minKey: 0x01,
  emptyArray: 0x05,
  null: 0x0a,
  number: 0x10,
  string: 0x18,
  object: 0x20,
  array: 0x28,
  binary: 0x30,
  objectId: 0x38,
  boolean: 0x40,
  date: 0x48,
  timestamp: 0x50,
  regex: 0x58,
  code: 0x60,
  maxKey: 0xf0,
} as const;

const BSON_TYPES: Record<string, number> = {
  Int32: TYPE.number,
  Double: TYPE.number,
  Long: TYPE.number,
  Decimal128: TYPE.number,
  ObjectId: TYPE.objectId,
  Binary: TYPE.binary,
  BSONRegExp: TYPE.regex,
  Timestamp: TYPE.timestamp,
  BSONSymbol: TYPE.string,
  Code: TYPE.code,
  MinKey: TYPE.minKey,
  MaxKey: TYPE.maxKey,
  DBRef: TYPE.object,
};

const VERSION = Symbol.for('@@mdb.bson.version');

/**
 * The name of a BSON class ('ObjectId', 'Int32', …), or undefined for plain values. A stored field named `_bsontype` is not
 * mistaken for it.
 */
export function bsonClass(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(VERSION in value)) return undefined;
  return (value as { _bsontype?: string })._bsontype;
}

/** The rank of a value's type in the comparison order. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return TYPE.string;
    case 'number':
      return TYPE.number;
    case 'boolean':
      return TYPE.boolean;
    case 'undefined':
      return TYPE.null;
  }
  if (value === null) return TYPE.null;
  if (Array.isArray(value)) return TYPE.array;
  if (value instanceof Date) return TYPE.date;
  const name = bsonClass(value);
  return name === undefined ? TYPE.object : (BSON_TYPES[name] ?? TYPE.object);
}

/** Whether a value is an embedded document (not an array, not a BSON class). */
export function isDoc(value: unknown): value is Doc {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    bsonClass(value) === undefined
  );
}

const NUMBER_CLASSES = new Set(['Int32', 'Double', 'Long']);

/** Whether a value is one of the number types that this store calculates with. */
export function isNumber(value: unknown): value is Int32 | Double | Long | number {
  return typeof value === 'number' || NUMBER_CLASSES.has(bsonClass(value) ?? '');
}

/** A number as a JavaScript number (a Long may lose precision); undefined for anything else. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  return value instanceof Long ? value.toNumber() : undefined;
}

/** Truth as MongoDB defines it: everything except false, 0, null and missing. */
export function isTrue(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  const number = toNumber(value);
  return number === undefined || number !== 0;
}

const DECODE = { promoteLongs: false, promoteValues: false, bsonRegExp: true } as const;

/**
 * Decodes BSON without losing number types.
 * @param rawField an array whose documents stay as the bytes received
 */
export function decode(bytes: Uint8Array, rawField?: string): Doc {
  return deserialize(bytes, rawField ? { ...DECODE, fieldsAsRaw: { [rawField]: true } } : DECODE);
}

export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A deep copy of a decoded value: containers are copied, scalars are immutable and shared. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isDoc(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) setOwn(copy, key, clone(value[key]));
  return copy as T;
}

/** An own field of a document. A name such as `constructor` or `__proto__` never reads the prototype. */
export function getOwn(doc: Doc, key: string): unknown {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** Sets an own field of a document, even if its name is `__proto__`. */
export function setOwn(doc: Doc, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(doc, key, { value, enumerable: true, configurable: true, writable: true });
  else doc[key] = value;
}

/** The short name of a value's type, as MongoDB writes it in messages and in `$type`. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'double';
  return CLASS_NAMES[bsonClass(value) ?? ''] ?? 'object';
}

const CLASS_NAMES: Record<string, string> = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  BSONRegExp: 'regex',
  Timestamp: 'timestamp',
  BSONSymbol: 'symbol',
  Code: 'javascript',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

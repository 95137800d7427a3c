import type { Room, Space } from './reserve.ts';

/** A sorted, transactional key-value file. All keys and values are bytes, and all returned values are copies. */
export interface Storage {
  /** Asked before a document is written. */
  readonly room: Room;
  /** How much room the data uses and has. */
  space(): Space;
  /** How many keys were written or removed so far. If it is unchanged, what was read before is still valid. */
  readonly written: number;
  /**
   * The work done so far, in units of about a microsecond of an idle processor. Slices are measured by work and not by time,
   * so that a busy machine does not make a step give way earlier.
   */
  readonly work: number;
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Up to `limit` keys of one space with start <= key < end, in ascending order, or backwards from the end. */
  keys(range: KeyRange, limit: number): Buffer[];
  /** Like `keys`, with their values. */
  entries(range: KeyRange, limit: number): Entry[];
  /** How many keys a space has. */
  count(space: Buffer): number;
  /** Removes what the file keeps of an empty space. */
  removeSpace(space: Buffer): void;
  /** Runs `work` and makes its writes durable before it returns. If it throws or the disk refuses, nothing has changed. */
  transact<T>(work: () => T): T;
  /**
   * Removes dead processes from the table of readers, because no room that they hold is used again.
   * @returns how many there were
   */
  forgetDeadReaders(): number;
  close(): Promise<void>;
}

/** The file did not accept a write. Nothing of its transaction is stored. */
export class StorageError extends Error {}

export interface KeyRange {
  start: Buffer;
  end: Buffer;
  backwards: boolean;
}

/** A key with its value. */
export interface Entry {
  key: Buffer;
  value: Buffer;
}

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

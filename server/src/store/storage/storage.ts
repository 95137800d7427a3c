import type { Room, Space } from './room.ts';

/** What the store needs of a sorted, transactional key-value file. All keys and values are bytes; all values returned are copies. */
export interface Storage {
  /** asked before a document is written */
  readonly room: Room;
  /** How much room the data takes and has. */
  space(): Space;
  /** how many keys have been put or removed so far: unchanged means that what was read before still holds */
  readonly written: number;
  /**
   * How much has been done so far, in units of about a microsecond of a quiet processor: a step's length is measured by what it
   * does, so that a busy neighbour does not make it give way earlier.
   */
  readonly work: number;
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Up to `limit` keys of one space with start <= key < end, in order, or from the end backwards. */
  keys(range: KeyRange, limit: number): Buffer[];
  /** As `keys`, with their values. */
  entries(range: KeyRange, limit: number): Entry[];
  /** How many keys a space has. */
  count(space: Buffer): number;
  /** Takes away what the file keeps of a space in which nothing is left. */
  removeSpace(space: Buffer): void;
  /** Runs `work` and makes all it wrote durable before it returns; if it throws, or the disk refuses, nothing has changed. */
  transact<T>(work: () => T): T;
  /** Frees what processes hold that ended while they read, and says how many there were: until then no room in the file is used again. */
  forgetDeadReaders(): number;
  close(): Promise<void>;
}

/** The file did not take a write. Nothing of the transaction it belongs to is stored. */
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

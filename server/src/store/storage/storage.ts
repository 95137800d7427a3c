import type { Room, Space } from './room.ts';

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

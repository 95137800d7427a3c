/** What the store needs of a sorted, transactional key-value file. All keys and values are bytes; all values returned are copies. */
export interface Storage {
  /** how many keys have been put or removed so far: tells whether a failed step has left something behind */
  readonly written: number;
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Up to `limit` keys with start <= key < end, in order, or from the end backwards. */
  keys(range: KeyRange, limit: number): Buffer[];
  /** As `keys`, with their values. */
  entries(range: KeyRange, limit: number): Entry[];
  count(start: Buffer, end: Buffer): number;
  /** Runs `work` and makes all it wrote durable before it returns; if it throws, or the disk refuses, nothing has changed. */
  transact<T>(work: () => T): T;
  close(): Promise<void>;
}

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

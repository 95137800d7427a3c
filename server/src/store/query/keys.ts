import { keyAfter } from '../collection.ts';
import { idOf } from '../entries.ts';
import type { Index } from '../indexes.ts';
import { type Entry, type Storage, spaceBytes } from '../storage/storage.ts';
import type { Plan, PlanRange } from './planner.ts';

/**
 * Reads the keys of a plan's ranges in pieces. Each piece starts from the last key, so the storage may change in between.
 */
export interface KeySource {
  /** Up to `limit` keys of documents from an index. Fewer, or none, does not mean the end: see `ended`. */
  next(limit: number): Buffer[];
  /** Like `next`, for ranges of the documents themselves; it returns the documents, too. */
  entries(limit: number): Entry[];
  /** There are no more keys. */
  readonly ended: boolean;
  /** Keys that are returned now may have been read before the latest write. */
  readonly outdated: boolean;
}

export function keysOfPlan(storage: Storage, plan: Plan, largestChunk: number): KeySource {
  return plan.merge ? new MergedKeys(storage, plan, largestChunk) : new OrderedKeys(storage, plan);
}

/** How many ranges one read visits at most, even if they are empty. */
const RANGES_PER_READ = 64;

/** The key of an entry, and the key of its document. */
interface Found {
  key: Buffer;
  id: Buffer;
}

const NO_VALUE = Buffer.alloc(0);

class RangeReader {
  private readonly storage: Storage;
  private readonly index: Index | undefined;
  private readonly backwards: boolean;
  private readonly whole: boolean;
  private start: Buffer;
  private end: Buffer;
  done = false;

  constructor(storage: Storage, { index, backwards }: Plan, { start, end, whole }: PlanRange) {
    this.storage = storage;
    this.index = index;
    this.whole = whole;
    this.start = start;
    this.end = end;
    this.backwards = backwards;
  }

  found(limit: number): Found[] {
    const { index } = this;
    if (!index) return [];
    if (index.unique) return this.entries(limit).map(({ key, value }) => ({ key, id: idOf(index, key, value) }));
    const keys = this.storage.keys({ start: this.start, end: this.end, backwards: this.backwards }, limit);
    this.advance(keys.at(-1), keys.length < limit);
    return keys.map((key) => ({ key, id: idOf(index, key, NO_VALUE) }));
  }

  entries(limit: number): Entry[] {
    if (this.whole) return this.single();
    const entries = this.storage.entries({ start: this.start, end: this.end, backwards: this.backwards }, limit);
    this.advance(entries.at(-1)?.key, entries.length < limit);
    return entries;
  }

  /** A single key is looked up directly, which is faster than a cursor. */
  private single(): Entry[] {
    this.done = true;
    const value = this.storage.get(this.start);
    return value ? [{ key: this.start, value }] : [];
  }

  private advance(last: Buffer | undefined, done: boolean): void {
    this.done = done;
    if (!last) return;
    if (this.backwards) this.end = last;
    else this.start = keyAfter(last);
  }
}

/** Reads one range after the other. */
class OrderedKeys implements KeySource {
  readonly outdated = false;
  private readonly storage: Storage;
  private readonly plan: Plan;
  private readonly ranges: PlanRange[];
  private at = 0;
  private reader: RangeReader | undefined;

  constructor(storage: Storage, plan: Plan) {
    this.storage = storage;
    this.plan = plan;
    this.ranges = plan.backwards ? [...plan.ranges].reverse() : plan.ranges;
  }

  get ended(): boolean {
    return this.at >= this.ranges.length && (!this.reader || this.reader.done);
  }

  next(limit: number): Buffer[] {
    return this.read(limit, (reader, count) => reader.found(count)).map(({ id }) => id);
  }

  entries(limit: number): Entry[] {
    return this.read(limit, (reader, count) => reader.entries(count));
  }

  private read<T>(limit: number, from: (reader: RangeReader, count: number) => T[]): T[] {
    const found: T[] = [];
    for (let looked = 0; looked < RANGES_PER_READ && found.length < limit && !this.ended; looked++) {
      if (!this.reader || this.reader.done) {
        this.reader = new RangeReader(this.storage, this.plan, this.ranges[this.at++] as PlanRange);
      }
      found.push(...from(this.reader, limit - found.length));
    }
    return found;
  }
}

const MERGE_CHUNK = 8;

/** A merge of several ranges: it always takes the one whose next key, compared after the prefix, is the smallest. */
class MergedKeys implements KeySource {
  private readonly streams: MergeStream[];
  private readonly backwards: boolean;

  constructor(storage: Storage, plan: Plan, largestChunk: number) {
    this.backwards = plan.backwards;
    this.streams = plan.ranges.map((range) => new MergeStream(storage, plan, range, largestChunk));
  }

  get ended(): boolean {
    return this.streams.every(({ ended }) => ended);
  }

  /** Keys are read ahead, so they may be older than the documents when they are returned. */
  get outdated(): boolean {
    return this.streams.some(({ outdated }) => outdated);
  }

  next(limit: number): Buffer[] {
    const keys: Buffer[] = [];
    while (keys.length < limit) {
      const stream = this.first();
      if (!stream) break;
      keys.push(stream.take());
    }
    return keys;
  }

  entries(): never {
    throw new Error('documents are not merged');
  }

  private first(): MergeStream | undefined {
    let first: MergeStream | undefined;
    for (const stream of this.streams) {
      if (!stream.fill()) continue;
      if (!first || (this.backwards ? stream.compare(first) > 0 : stream.compare(first) < 0)) first = stream;
    }
    return first;
  }
}

class MergeStream {
  private readonly storage: Storage;
  private readonly reader: RangeReader;
  private readonly prefix: number;
  private readonly largestChunk: number;
  private buffered: Found[] = [];
  private at = 0;
  private chunk: number;
  private filledAt = 0;

  constructor(storage: Storage, plan: Plan, range: PlanRange, largestChunk: number) {
    this.storage = storage;
    this.reader = new RangeReader(storage, plan, range);
    this.prefix = Math.max(range.prefix, spaceBytes(range.start));
    this.largestChunk = largestChunk;
    this.chunk = Math.min(MERGE_CHUNK, largestChunk);
  }

  get ended(): boolean {
    return this.at >= this.buffered.length && this.reader.done;
  }

  get outdated(): boolean {
    return this.at < this.buffered.length && this.filledAt !== this.storage.written;
  }

  /**
   * Reads ahead if needed.
   * @returns whether there is a next key
   */
  fill(): boolean {
    if (this.at < this.buffered.length) return true;
    if (this.reader.done) return false;
    this.buffered = this.reader.found(this.chunk);
    this.filledAt = this.storage.written;
    this.chunk = Math.min(this.chunk * 2, this.largestChunk);
    this.at = 0;
    return this.buffered.length > 0;
  }

  take(): Buffer {
    return (this.buffered[this.at++] as Found).id;
  }

  compare(other: MergeStream): number {
    const [mine, its] = [(this.buffered[this.at] as Found).key, (other.buffered[other.at] as Found).key];
    return mine.compare(its, other.prefix, its.length, this.prefix, mine.length);
  }
}

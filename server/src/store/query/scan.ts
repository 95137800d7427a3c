import { type Doc, decode } from '../bson/values.ts';
import { type Collection, entryId, SPACE_BYTES } from '../collection.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import type { Filter } from './filter.ts';
import { matches } from './match.ts';
import type { Plan, PlanRange } from './planner.ts';

/** A document found: as stored, and decoded if that was needed to check it. */
export interface Row {
  raw: Buffer;
  doc?: Doc;
}

/** What reading cost, for explain. */
export interface ScanStats {
  keys: number;
  docs: number;
}

const FIRST_CHUNK = 64;
const LARGEST_CHUNK = 256;
/** Ranges that one pull looks at, however little they hold. */
const RANGES_PER_PULL = 64;

/** The keys of one range, read bit by bit; it goes on by key, so the storage may change between two reads. */
class RangeReader {
  private readonly storage: Storage;
  private readonly backwards: boolean;
  private readonly whole: boolean;
  private start: Buffer;
  private end: Buffer;
  done = false;

  constructor(storage: Storage, { start, end, whole }: PlanRange, backwards: boolean) {
    this.storage = storage;
    this.whole = whole;
    this.start = start;
    this.end = end;
    this.backwards = backwards;
  }

  keys(limit: number): Buffer[] {
    const keys = this.storage.keys({ start: this.start, end: this.end, backwards: this.backwards }, limit);
    this.advance(keys.at(-1), keys.length < limit);
    return keys;
  }

  entries(limit: number): Entry[] {
    if (this.whole) return this.single();
    const entries = this.storage.entries({ start: this.start, end: this.end, backwards: this.backwards }, limit);
    this.advance(entries.at(-1)?.key, entries.length < limit);
    return entries;
  }

  /** One look-up is quicker than a cursor. */
  private single(): Entry[] {
    this.done = true;
    const value = this.storage.get(this.start);
    return value ? [{ key: this.start, value }] : [];
  }

  private advance(last: Buffer | undefined, done: boolean): void {
    this.done = done;
    if (!last) return;
    if (this.backwards) this.end = last;
    else this.start = Buffer.concat([last, Buffer.from([0])]);
  }
}

/** Reads the documents of a plan. Each pull does a bounded piece of work and may come back with none; null is the end. */
export class Scan {
  readonly stats: ScanStats = { keys: 0, docs: 0 };
  readonly plan: Plan;
  private readonly collection: Collection;
  private readonly filter: Filter | undefined;
  private readonly source: KeySource;
  private readonly seen: Set<string> | undefined;
  private chunk = FIRST_CHUNK;
  private started = false;

  constructor(storage: Storage, collection: Collection, plan: Plan, filter: Filter) {
    this.collection = collection;
    this.plan = plan;
    this.filter = plan.exact ? undefined : filter;
    this.seen = plan.index?.multikey ? new Set() : undefined;
    this.source = plan.merge ? new MergedKeys(storage, plan) : new OrderedKeys(storage, plan);
  }

  /** Rows in the plan's order. `wanted`: read no more than are likely to be needed. */
  pull(wanted = this.chunk): Row[] | null {
    // a filter that drops documents needs more than the number wanted, once the first have been seen
    const limit = this.filter && this.started ? this.chunk : Math.max(1, Math.min(this.chunk, wanted));
    this.started = true;
    this.chunk = Math.min(this.chunk * 2, LARGEST_CHUNK);
    if (!this.plan.index) return this.pullDocuments(limit);
    const keys = this.source.next(limit);
    if (!keys) return null;
    const rows: Row[] = [];
    this.stats.keys += keys.length;
    for (const key of keys) {
      const id = entryId(key);
      if (this.seen && !this.first(id)) continue;
      const raw = this.collection.read(id);
      if (raw) this.accept(raw, rows);
    }
    return rows;
  }

  /** How many keys the ranges still hold, in steps: for plans where each key is a document that passes. */
  pullCount(): number | null {
    const keys = this.source.next(LARGEST_CHUNK * 4);
    this.stats.keys += keys?.length ?? 0;
    return keys?.length ?? null;
  }

  private pullDocuments(limit: number): Row[] | null {
    const entries = this.source.entries(limit);
    if (!entries) return null;
    const rows: Row[] = [];
    for (const { value } of entries) this.accept(value, rows);
    return rows;
  }

  private accept(raw: Buffer, rows: Row[]): void {
    this.stats.docs++;
    if (!this.filter) rows.push({ raw });
    else {
      const doc = decode(raw);
      if (matches(this.filter, doc)) rows.push({ raw, doc });
    }
  }

  private first(id: Buffer): boolean {
    const text = id.toString('latin1');
    if (this.seen?.has(text)) return false;
    this.seen?.add(text);
    return true;
  }
}

interface KeySource {
  next(limit: number): Buffer[] | null;
  entries(limit: number): Entry[] | null;
}

/** One range after the other. */
class OrderedKeys implements KeySource {
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

  next(limit: number): Buffer[] | null {
    return this.read(limit, (reader, count) => reader.keys(count));
  }

  entries(limit: number) {
    return this.read(limit, (reader, count) => reader.entries(count));
  }

  private read<T>(limit: number, from: (reader: RangeReader, count: number) => T[]): T[] | null {
    const found: T[] = [];
    for (let looked = 0; looked < RANGES_PER_PULL && found.length < limit; looked++) {
      if (!this.reader || this.reader.done) {
        const range = this.ranges[this.at++];
        if (!range) return found.length > 0 || looked > 0 ? found : null;
        this.reader = new RangeReader(this.storage, range, this.plan.backwards);
      }
      found.push(...from(this.reader, limit - found.length));
    }
    return found;
  }
}

const MERGE_CHUNK = 8;

/** Several ranges side by side, always the one whose next key comes first behind the prefix. */
class MergedKeys implements KeySource {
  private readonly streams: MergeStream[];
  private readonly backwards: boolean;

  constructor(storage: Storage, { ranges, backwards }: Plan) {
    this.backwards = backwards;
    this.streams = ranges.map((range) => new MergeStream(storage, range, backwards));
  }

  next(limit: number): Buffer[] | null {
    const keys: Buffer[] = [];
    while (keys.length < limit) {
      const stream = this.first();
      if (!stream) return keys.length > 0 ? keys : null;
      keys.push(stream.take());
    }
    return keys;
  }

  entries(): null {
    return null;
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
  private readonly reader: RangeReader;
  private readonly prefix: number;
  private buffered: Buffer[] = [];
  private at = 0;
  private chunk = MERGE_CHUNK;

  constructor(storage: Storage, range: PlanRange, backwards: boolean) {
    this.reader = new RangeReader(storage, range, backwards);
    this.prefix = Math.max(range.prefix, SPACE_BYTES);
  }

  /** Whether there is a next key. */
  fill(): boolean {
    if (this.at < this.buffered.length) return true;
    if (this.reader.done) return false;
    this.buffered = this.reader.keys(this.chunk);
    this.chunk = Math.min(this.chunk * 2, LARGEST_CHUNK);
    this.at = 0;
    return this.buffered.length > 0;
  }

  take(): Buffer {
    return this.buffered[this.at++] as Buffer;
  }

  compare(other: MergeStream): number {
    const [mine, its] = [this.buffered[this.at] as Buffer, other.buffered[other.at] as Buffer];
    return mine.compare(its, other.prefix, its.length, this.prefix, mine.length);
  }
}

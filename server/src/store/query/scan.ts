import { type Doc, decode } from '../bson/values.ts';
import type { Catalogue, CollectionRef } from '../catalogue.ts';
import { type Collection, idKey } from '../collection.ts';
import { hasArrays } from '../indexes.ts';
import type { Storage } from '../storage/storage.ts';
import type { Filter } from './filter.ts';
import { type KeySource, keysOfPlan } from './keys.ts';
import { matches } from './match.ts';
import type { Plan } from './planner.ts';

/** A document that was found: as stored, and decoded if its check needed that. */
export interface Row {
  raw: Buffer;
  doc?: Doc;
}

/** What a scan needs of the engine. */
interface ScanEngine {
  storage: Storage;
  catalogue: Catalogue;
  sliceWork: number;
}

/** The cost of reading, for explain. */
export interface ScanStats {
  keys: number;
  docs: number;
}

/** Rows that are read piece by piece, one piece in each step. An empty piece does not mean the end: see `ended`. */
export interface Rows {
  pull(wanted?: number): Row[];
  /** There are no more rows. */
  readonly ended: boolean;
}

const FIRST_CHUNK = 64;
const LARGEST_CHUNK = 256;
/** After a piece of more bytes than this, the next one is smaller. */
const CHUNK_BYTES = 2 ** 20;

/**
 * Reads the documents of a plan. It keeps only the ids of collection and index, and looks them up for each piece, because
 * either may be dropped in between.
 */
export class Scan implements Rows {
  readonly stats: ScanStats = { keys: 0, docs: 0 };
  readonly plan: Plan;
  private readonly engine: ScanEngine;
  private readonly ref: CollectionRef;
  private readonly filter: Filter;
  private readonly source: KeySource;
  private readonly largestChunk: number;
  private seen: Set<string> | undefined;
  private chunk: number;
  private started = false;

  constructor(engine: ScanEngine, { ns, id }: CollectionRef, plan: Plan, filter: Filter) {
    this.engine = engine;
    this.ref = { ns, id };
    this.plan = plan;
    this.filter = filter;
    this.largestChunk = engine.sliceWork === 0 ? 1 : LARGEST_CHUNK;
    this.chunk = Math.min(FIRST_CHUNK, this.largestChunk);
    this.source = keysOfPlan(engine.storage, plan, this.largestChunk);
  }

  get ended(): boolean {
    return this.source.ended;
  }

  /**
   * Rows in the plan's order.
   * @param wanted how many are likely to be needed, so that no more are read
   */
  pull(wanted = this.chunk): Row[] {
    const { collection, isExact } = this.look();
    // the keys of a merged plan may be older than the latest write
    const filter = isExact && !this.source.outdated ? undefined : this.filter;
    // a filter that drops documents needs more than the number wanted, after the first piece
    const limit = filter && this.started ? this.chunk : Math.max(1, Math.min(this.chunk, wanted));
    this.started = true;
    const rows: Row[] = [];
    const bytes = this.plan.index
      ? this.pullByKeys(collection, limit, filter, rows)
      : this.pullDocuments(limit, filter, rows);
    this.chunk = bytes > CHUNK_BYTES ? Math.ceil(this.chunk / 4) : Math.min(this.chunk * 2, this.largestChunk);
    return rows;
  }

  /** Whether each key is exactly one matching document in the present state of the index. */
  get countsByKeys(): boolean {
    return this.plan.index !== undefined && this.look().isExact;
  }

  /** How many keys the next piece has. */
  pullCount(): number {
    this.look();
    const { length } = this.source.next(this.largestChunk * 4);
    this.stats.keys += length;
    return length;
  }

  /**
   * Looks up collection and index.
   * @throws CommandError 175 if either has been dropped
   */
  private look(): { collection: Collection; isExact: boolean } {
    const collection = this.engine.catalogue.same(this.ref);
    const { index, exact, arrays } = this.plan;
    if (!index) return { collection, isExact: exact };
    const now = collection.index(index.id);
    // arrays may have come into the index after it was planned
    const isExact = exact && now.arrays.every((depths, i) => depths === arrays[i]);
    if (!isExact && hasArrays(now)) this.seen ??= new Set();
    return { collection, isExact };
  }

  private pullByKeys(collection: Collection, limit: number, filter: Filter | undefined, rows: Row[]): number {
    const ids = this.source.next(limit);
    this.stats.keys += ids.length;
    let bytes = 0;
    for (const id of ids) {
      if (this.seen && !this.first(id)) continue;
      const raw = collection.read(id);
      if (raw) bytes += this.accept(raw, filter, rows);
    }
    return bytes;
  }

  private pullDocuments(limit: number, filter: Filter | undefined, rows: Row[]): number {
    let bytes = 0;
    for (const { value } of this.source.entries(limit)) bytes += this.accept(value, filter, rows);
    return bytes;
  }

  private accept(raw: Buffer, filter: Filter | undefined, rows: Row[]): number {
    this.stats.docs++;
    if (!filter) rows.push({ raw });
    else {
      const doc = decode(raw);
      if (matches(filter, doc)) rows.push({ raw, doc });
    }
    return raw.length;
  }

  private first(id: Buffer): boolean {
    const text = id.toString('latin1');
    if (this.seen?.has(text)) return false;
    this.seen?.add(text);
    return true;
  }
}

/** Reads several scans one after the other and returns each document once. */
export class UnionScan implements Rows {
  private readonly scans: Scan[];
  private readonly seen = new Set<string>();

  constructor(scans: Scan[]) {
    this.scans = scans;
  }

  get stats(): ScanStats {
    const sum = (of: (stats: ScanStats) => number) => this.scans.reduce((total, { stats }) => total + of(stats), 0);
    return { keys: sum(({ keys }) => keys), docs: sum(({ docs }) => docs) };
  }

  get ended(): boolean {
    return this.scans.every(({ ended }) => ended);
  }

  pull(wanted?: number): Row[] {
    const scan = this.scans.find(({ ended }) => !ended);
    return scan?.pull(wanted).filter((row) => this.first(row)) ?? [];
  }

  private first(row: Row): boolean {
    const doc = row.doc ?? decode(row.raw);
    const id = idKey(doc._id).toString('latin1');
    if (this.seen.has(id)) return false;
    this.seen.add(id);
    return true;
  }
}

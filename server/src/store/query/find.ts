import type { Collection } from '../collection.ts';
import type { Index, IndexField } from '../indexes.ts';
import type { Storage } from '../storage/storage.ts';
import type { Filter } from './filter.ts';
import { type Plan, planQuery } from './planner.ts';
import { type Row, Scan } from './scan.ts';
import { Sorter } from './sort.ts';
import { UnionScan } from './union.ts';

export interface Query {
  filter: Filter;
  sort: IndexField[];
  natural: 1 | -1 | undefined;
  skip: number;
  /** 0: all */
  limit: number;
  hint: Index | 'ids' | undefined;
}

/** Rows that come piece by piece: an empty piece is a rest on the way, null the end. */
export interface Rows {
  pull(wanted?: number): Row[] | null;
}

/** Finds the documents of a query in its order, with skip and limit done. */
export class Finder implements Rows {
  readonly plan: Plan;
  readonly scan: Scan | UnionScan;
  private readonly sorter: Sorter | undefined;
  private sorted: Row[] | undefined;
  private skip: number;
  private left: number;

  constructor(storage: Storage, collection: Collection, query: Query) {
    const { filter, sort, natural, limit, skip } = query;
    const wanted = limit > 0 ? limit + skip : 0;
    this.plan = planQuery(collection, filter, sort, wanted, natural ? 'ids' : query.hint);
    if (natural === -1) this.plan.backwards = true;
    const { union } = this.plan;
    this.scan = union
      ? new UnionScan(union.map((plan) => new Scan(storage, collection, plan, filter)))
      : new Scan(storage, collection, this.plan, filter);
    this.sorter = this.plan.sorted ? undefined : new Sorter(sort, wanted);
    this.skip = skip;
    this.left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  }

  pull(wanted?: number): Row[] | null {
    if (this.left === 0) return null;
    const rows = this.sorter ? this.pullSorted(this.sorter) : this.scan.pull(this.wanted(wanted));
    if (!rows) return null;
    const skipped = Math.min(this.skip, rows.length);
    this.skip -= skipped;
    const kept = rows.slice(skipped, Math.min(rows.length, skipped + this.left));
    this.left -= kept.length;
    return kept;
  }

  private wanted(asked?: number): number | undefined {
    const most = Math.min(this.left, asked ?? Number.POSITIVE_INFINITY) + this.skip;
    return Number.isFinite(most) ? most : undefined;
  }

  private pullSorted(sorter: Sorter): Row[] | null {
    if (this.sorted) return this.sorted.length > 0 ? this.sorted.splice(0, SORTED_PIECE) : null;
    const rows = this.scan.pull();
    if (!rows) this.sorted = sorter.finish();
    else for (const row of rows) sorter.add(row);
    return [];
  }
}

const SORTED_PIECE = 256;

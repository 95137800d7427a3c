import type { Collection } from '../collection.ts';
import type { Engine } from '../engine.ts';
import type { IndexField } from '../indexes.ts';
import type { Filter } from './filter.ts';
import { type Hint, type Plan, planQuery } from './planner.ts';
import { type Row, type Rows, Scan, UnionScan } from './scan.ts';
import { Sorter } from './sort.ts';

export interface Query {
  filter: Filter;
  sort: IndexField[];
  natural: 1 | -1 | undefined;
  skip: number;
  /** 0: all */
  limit: number;
  hint: Hint | undefined;
}

/** Finds the documents of a query in its order, with skip and limit applied. */
export class Finder implements Rows {
  readonly plan: Plan;
  readonly scan: Scan | UnionScan;
  private readonly sorter: Sorter | undefined;
  private sorted: Row[] | undefined;
  private skip: number;
  private left: number;

  constructor(engine: Engine, collection: Collection, query: Query) {
    const { filter, sort, natural, limit, skip } = query;
    const wanted = limit > 0 ? limit + skip : 0;
    this.plan = planQuery(collection, filter, sort, wanted, natural ? 'ids' : query.hint);
    if (natural === -1) this.plan.backwards = true;
    const { union } = this.plan;
    this.scan = union
      ? new UnionScan(union.map((plan) => new Scan(engine, collection, plan, filter)))
      : new Scan(engine, collection, this.plan, filter);
    this.sorter = this.plan.sorted ? undefined : new Sorter(sort, wanted);
    this.skip = skip;
    this.left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  }

  get ended(): boolean {
    if (this.left === 0) return true;
    return this.sorter ? this.sorted?.length === 0 : this.scan.ended;
  }

  pull(wanted?: number): Row[] {
    if (this.left === 0) return [];
    const rows = this.sorter ? this.pullSorted(this.sorter) : this.scan.pull(this.wanted(wanted));
    const skipped = Math.min(this.skip, rows.length);
    this.skip -= skipped;
    const kept = rows.slice(skipped, Math.min(rows.length, skipped + this.left));
    this.left -= kept.length;
    return kept;
  }

  private wanted(batchSize?: number): number | undefined {
    const most = Math.min(this.left, batchSize ?? Number.POSITIVE_INFINITY) + this.skip;
    return Number.isFinite(most) ? most : undefined;
  }

  private pullSorted(sorter: Sorter): Row[] {
    if (!this.sorted) {
      for (const row of this.scan.pull()) sorter.add(row);
      if (!this.scan.ended) return [];
      this.sorted = sorter.finish();
    }
    return this.sorted.splice(0, SORTED_PIECE);
  }
}

const SORTED_PIECE = 256;

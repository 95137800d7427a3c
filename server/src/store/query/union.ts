import { decode } from '../bson/values.ts';
import { idKey } from '../collection.ts';
import type { Row, Rows, Scan, ScanStats } from './scan.ts';

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

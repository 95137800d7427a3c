import { decode } from '../bson/values.ts';
import { idKey } from '../collection.ts';
import type { Row, Scan, ScanStats } from './scan.ts';

/** Reads several scans one after the other and gives each document once. */
export class UnionScan {
  private readonly scans: Scan[];
  private readonly seen = new Set<string>();
  private at = 0;

  constructor(scans: Scan[]) {
    this.scans = scans;
  }

  get stats(): ScanStats {
    const sum = (of: (stats: ScanStats) => number) => this.scans.reduce((total, { stats }) => total + of(stats), 0);
    return { keys: sum(({ keys }) => keys), docs: sum(({ docs }) => docs) };
  }

  pull(wanted?: number): Row[] | null {
    const scan = this.scans[this.at];
    if (!scan) return null;
    const rows = scan.pull(wanted);
    if (rows) return rows.filter((row) => this.first(row));
    this.at++;
    return [];
  }

  private first(row: Row): boolean {
    const doc = row.doc ?? decode(row.raw);
    const id = idKey(doc._id).toString('latin1');
    if (this.seen.has(id)) return false;
    this.seen.add(id);
    return true;
  }
}

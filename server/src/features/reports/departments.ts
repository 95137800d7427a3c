import type { FigureDoc } from '#features/overview';
import { departmentOf, type SiteDoc } from '#features/sites';
import type { DepartmentReport } from './contract.ts';
import { Totals } from './sums.ts';

/** What was done in one department of a site. */
class OfDepartment extends Totals {
  readonly siteId: string;
  chats = 0;
  missed = 0;

  constructor(siteId: string) {
    super();
    this.siteId = siteId;
  }
}

/** Adds up the figures of departments. */
export class DepartmentTotals {
  private readonly totals = new Map<string, OfDepartment>();
  private readonly days: Set<string>;
  private readonly only: string | undefined;

  /** @param days those of the report @param only the id of a department; left out: all */
  constructor(days: string[], only?: string) {
    this.days = new Set(days);
    this.only = only?.toLowerCase();
  }

  /** @param momentOf the day of a quarter of an hour, where the reader is */
  add({ site, departments = {} }: FigureDoc, momentOf: (slot: string) => { day: string }): void {
    const isWithin = (slot: string) => this.days.has(momentOf(slot).day);
    const sum = (slots: Record<string, number> = {}) =>
      Object.entries(slots).reduce((all, [slot, count]) => (isWithin(slot) ? all + count : all), 0);
    for (const [id, { begun, missed, by = {} }] of Object.entries(departments)) {
      if (this.only !== undefined && this.only !== id) continue;
      const its = this.totals.get(id) ?? new OfDepartment(site.toHexString());
      its.chats += sum(begun);
      its.missed += sum(missed);
      for (const counts of Object.values(by)) its.add(counts, isWithin);
      this.totals.set(id, its);
    }
  }

  /** Departments without figures in these days are left out: one that lost its only chat to another, too. */
  reports(sites: SiteDoc[]): DepartmentReport[] {
    const siteOf = new Map(sites.map((site) => [site._id.toHexString(), site]));
    const reports = [...this.totals].map(([_id, totals]): DepartmentReport => {
      const { siteId, chats, missed } = totals;
      const site = siteOf.get(siteId);
      const name = (site && departmentOf(site, _id)?.name) ?? null;
      return { department: { _id, name }, siteId, chats, missed, ...totals.figures() };
    });
    return reports
      .filter(({ chats, missed, answered, resolved, ratings }) => chats + missed + answered + resolved + ratings > 0)
      .sort((a, b) => b.chats - a.chats || b.resolved - a.resolved);
  }
}

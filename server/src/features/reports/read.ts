import { Types } from 'mongoose';
import { assistantOf, assistDays } from '#features/assistant';
import { type Caller, peopleById } from '#features/auth';
import {
  type DepartmentCounts,
  type FigureDoc,
  FigureModel,
  figuresFilter,
  LAST_SLOT,
  NOBODY,
  slotStart,
} from '#features/overview';
import { memberFor, type SiteDoc } from '#features/sites';
import { can } from '#features/team/contract';
import { addDays, calendarOf } from '#platform/time';
import { type AgentReport, REPORT_DAYS_DEFAULT, type Report, type ReportQuery } from './contract.ts';
import { DepartmentTotals } from './departments.ts';
import { eachBucket, Stars, Totals } from './sums.ts';

const HOURS = 24;

/** Who asks for a report, and for what. */
interface ReportAsk extends ReportQuery {
  caller: Caller;
  now: number;
}

/** Reads a report from the figures; no chat is read for it. */
export async function readReport(sites: SiteDoc[], { caller, now, days, tz, department }: ReportAsk): Promise<Report> {
  const clock = clockOf(now, days ?? REPORT_DAYS_DEFAULT, tz);
  const totals = new ReportTotals(clock.days);
  const departments = new DepartmentTotals(clock.days, department);
  const shownWhole = new Set(sites.filter((site) => maySeeAgents(site, caller)).map(({ _id }) => _id.toHexString()));
  const ownId = caller.user._id.toHexString();
  const ids = sites.map(({ _id }) => _id);
  const figures = FigureModel.find(figuresFilter(ids, clock.start)).lean<FigureDoc[]>().cursor();
  for await (const figure of figures) {
    const isWhole = shownWhole.has(figure.site.toHexString());
    const momentOf = clock.momentsOf(figure.day);
    const counts = department === undefined ? figure : (figure.departments?.[department.toLowerCase()] ?? {});
    totals.add(counts, momentOf, (agent) => isWhole || agent === ownId);
    departments.add(figure, momentOf);
  }
  const agents = await agentReports(totals.agents);
  // They are not counted by department.
  const suggestionsUsed = department === undefined ? await readSuggestionsUsed(sites, clock.days) : null;
  return { ...totals.ofSites(), agents, departments: departments.reports(sites), suggestionsUsed };
}

async function readSuggestionsUsed(sites: SiteDoc[], days: string[]): Promise<number | null> {
  const suggesting = sites.filter((site) => assistantOf(site).step !== 'links');
  if (suggesting.length === 0) return null;
  let used = 0;
  for (const { _id } of suggesting)
    for (const { accepted = 0 } of await assistDays(_id, days[0] ?? '', days.at(-1) ?? '')) used += accepted;
  return used;
}

function maySeeAgents(site: SiteDoc, caller: Caller): boolean {
  const member = memberFor(caller, site);
  return member !== null && can(member, 'reports.agents');
}

/** The day and hour of a quarter of an hour where the reader is. */
interface Moment {
  day: string;
  hour: number;
}
type MomentOf = (slot: string) => Moment;

/** The last days in a time zone. */
function clockOf(now: number, count: number, timeZone?: string) {
  const calendar = calendarOf(timeZone);
  const today = calendar.dayOf(now);
  const days = Array.from({ length: count }, (_, i) => addDays(today, i + 1 - count));

  const known = new Map<string, MomentOf>();
  /** The quarters of a UTC day. Where clocks do not change in it, the zone is looked up twice and not 96 times. */
  function momentsOf(utcDay: string): MomentOf {
    const momentOf = known.get(utcDay) ?? readMoments(utcDay);
    known.set(utcDay, momentOf);
    return momentOf;
  }
  function readMoments(utcDay: string): MomentOf {
    const [first, last] = [slotStart(utcDay, 'h0'), slotStart(utcDay, LAST_SLOT)];
    const ahead = calendar.localOf(first) - first;
    const isSteady = calendar.localOf(last) - last === ahead;
    const moments = new Map<string, Moment>();
    return (slot) => {
      const held = moments.get(slot);
      if (held) return held;
      const at = slotStart(utcDay, slot);
      const local = new Date(isSteady ? at + ahead : calendar.localOf(at));
      const moment = { day: local.toISOString().slice(0, 10), hour: local.getUTCHours() };
      moments.set(slot, moment);
      return moment;
    };
  }
  return { days, start: calendar.startOf(days[0] ?? today), momentsOf };
}

/** Adds the figures up. */
class ReportTotals {
  readonly agents = new Map<string, Totals>();
  private readonly stars = new Stars();
  private readonly perDay: Map<string, Stars>;
  private readonly perHour = new Array<number>(HOURS).fill(0);

  constructor(days: string[]) {
    this.perDay = new Map(days.map((day) => [day, new Stars()]));
  }

  /** @param isShown whether the caller may see the figures of this agent */
  add({ begun = {}, by = {} }: DepartmentCounts, momentOf: MomentOf, isShown: (agent: string) => boolean): void {
    for (const [slot, count] of Object.entries(begun)) {
      const { day, hour } = momentOf(slot);
      if (this.perDay.has(day)) this.perHour[hour] = (this.perHour[hour] ?? 0) + count;
    }
    for (const [agent, counts] of Object.entries(by)) {
      eachBucket(counts.ratings, (slot, stars, count) => {
        const ofDay = this.perDay.get(momentOf(slot).day);
        ofDay?.add(stars, count);
        if (ofDay) this.stars.add(stars, count);
      });
      if (isShown(agent)) {
        const ofAgent = this.agents.get(agent) ?? new Totals();
        if (ofAgent.add(counts, (slot) => this.perDay.has(momentOf(slot).day))) this.agents.set(agent, ofAgent);
      }
    }
  }

  ofSites(): Omit<Report, 'agents' | 'departments' | 'suggestionsUsed'> {
    const perDay = [...this.perDay].map(([day, { ratings, average }]) => ({ day, ratings, rating: average }));
    return { stars: this.stars.counts, rating: this.stars.average, perDay, perHour: this.perHour };
  }
}

async function agentReports(agents: Map<string, Totals>): Promise<AgentReport[]> {
  const ids = [...agents.keys()].filter((id) => id !== NOBODY);
  const people = await peopleById(ids.map((id) => new Types.ObjectId(id)));
  const reports = [...agents].map(([id, totals]) => ({
    agent: id === NOBODY ? null : { _id: id, name: people.get(id)?.name ?? null },
    ...totals.figures(),
  }));
  return reports.sort((a, b) => b.answered - a.answered || b.resolved - a.resolved);
}

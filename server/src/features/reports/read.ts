import { Types } from 'mongoose';
import { assistantOf, assistDays } from '#features/assistant';
import { type Caller, peopleById } from '#features/auth';
import { RATING_MAX } from '#features/chats/contract';
import {
  type AgentCounts,
  type Buckets,
  Durations,
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

const HOURS = 24;

/** Who asks for a report, and for what. */
interface ReportAsk extends ReportQuery {
  caller: Caller;
  now: number;
}

/** Reads a report from the figures; no chat is read for it. */
export async function readReport(sites: SiteDoc[], { caller, now, days, tz }: ReportAsk): Promise<Report> {
  const clock = clockOf(now, days ?? REPORT_DAYS_DEFAULT, tz);
  const totals = new Totals(clock.days);
  const shownWhole = new Set(sites.filter((site) => maySeeAgents(site, caller)).map(({ _id }) => _id.toHexString()));
  const ownId = caller.user._id.toHexString();
  const ids = sites.map(({ _id }) => _id);
  const figures = FigureModel.find(figuresFilter(ids, clock.start)).lean<FigureDoc[]>().cursor();
  for await (const figure of figures) {
    const isWhole = shownWhole.has(figure.site.toHexString());
    totals.add(figure, clock.momentsOf(figure.day), (agent) => isWhole || agent === ownId);
  }
  const [agents, suggestionsUsed] = [await agentReports(totals.agents), await readSuggestionsUsed(sites, clock.days)];
  return { ...totals.ofSites(), agents, suggestionsUsed };
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

/** Numbers of ratings, by their stars. */
class Stars {
  readonly counts = new Array<number>(RATING_MAX).fill(0);

  add(stars: number, count: number): void {
    this.counts[stars - 1] = (this.counts[stars - 1] ?? 0) + count;
  }

  get ratings(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** To a hundredth. */
  get average(): number | null {
    const stars = this.counts.reduce((sum, count, at) => sum + count * (at + 1), 0);
    return this.ratings === 0 ? null : Math.round((stars / this.ratings) * 100) / 100;
  }
}

/** What one agent did on all sites and days. */
class AgentTotals {
  readonly answered = new Durations();
  readonly resolved = new Durations();
  readonly ratings = new Stars();
}

/** Adds figures up. */
class Totals {
  readonly agents = new Map<string, AgentTotals>();
  private readonly stars = new Stars();
  private readonly perDay: Map<string, Stars>;
  private readonly perHour = new Array<number>(HOURS).fill(0);

  constructor(days: string[]) {
    this.perDay = new Map(days.map((day) => [day, new Stars()]));
  }

  /** @param isShown whether the caller may see the figures of this agent */
  add({ begun = {}, by = {} }: FigureDoc, momentOf: MomentOf, isShown: (agent: string) => boolean): void {
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
      if (isShown(agent)) this.addAgent(agent, counts, momentOf);
    }
  }

  private addAgent(agent: string, counts: AgentCounts, momentOf: MomentOf): void {
    const totals = this.agents.get(agent) ?? new AgentTotals();
    for (const what of ['answered', 'resolved', 'ratings'] as const) {
      eachBucket(counts[what], (slot, bucket, count) => {
        if (!this.perDay.has(momentOf(slot).day)) return;
        totals[what].add(bucket, count);
        this.agents.set(agent, totals);
      });
    }
  }

  ofSites(): Omit<Report, 'agents' | 'suggestionsUsed'> {
    const perDay = [...this.perDay].map(([day, { ratings, average }]) => ({ day, ratings, rating: average }));
    return { stars: this.stars.counts, rating: this.stars.average, perDay, perHour: this.perHour };
  }
}

/** Visits each bucket that is not empty, with its quarter of an hour, its number and its count. */
function eachBucket(slots: Buckets = {}, visit: (slot: string, bucket: number, count: number) => void): void {
  for (const [slot, buckets] of Object.entries(slots)) {
    for (const [name, count] of Object.entries(buckets)) if (count > 0) visit(slot, Number(name.slice(1)), count);
  }
}

async function agentReports(agents: Map<string, AgentTotals>): Promise<AgentReport[]> {
  const ids = [...agents.keys()].filter((id) => id !== NOBODY);
  const people = await peopleById(ids.map((id) => new Types.ObjectId(id)));
  const reports = [...agents].map(([id, { answered, resolved, ratings }]) => ({
    agent: id === NOBODY ? null : { _id: id, name: people.get(id)?.name ?? null },
    answered: answered.count,
    responseMinutes: answered.median(),
    resolved: resolved.count,
    resolutionMinutes: resolved.median(),
    ratings: ratings.ratings,
    rating: ratings.average,
  }));
  return reports.sort((a, b) => b.answered - a.answered || b.resolved - a.resolved);
}

import type { Types } from 'mongoose';
import { countActive } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import type { Site } from '#features/sites/contract';
import { addDays, calendarOf } from '#platform/time';

import { type DayFigures, OVERVIEW_DAYS } from './contract.ts';
import { Durations } from './median.ts';
import { ALL_TIME, type FigureDoc, FigureModel } from './model.ts';
import { slotStart, utcDay } from './tally.ts';

const WEEK_MS = 7 * 86_400_000;

/** How many chats each site has, and how many of them are active, by the hex id of the site. */
export async function countChats(sites: SiteDoc[]): Promise<Map<string, Site['stats']>> {
  const ids = sites.map(({ _id }) => _id);
  const [totals, active] = await Promise.all([readTotals(ids), Promise.all(ids.map(countActive))]);
  const chats = new Map(totals.map((figure) => [figure.site.toHexString(), figure.chats ?? 0]));
  const statsOf = (id: string, i: number) => ({ totalChats: chats.get(id) ?? 0, activeChats: active[i] ?? 0 });
  return new Map(ids.map((id, i) => [id.toHexString(), statsOf(id.toHexString(), i)]));
}

/** The figures of all time of some sites. */
export function readTotals(sites: Types.ObjectId[]): Promise<FigureDoc[]> {
  return FigureModel.find({ site: { $in: sites }, day: ALL_TIME })
    .lean<FigureDoc[]>()
    .exec();
}

/** The sums of some sites' figures of the last two weeks. */
interface Weeks {
  growthPercent: number | null;
  avgResponseMinutes: number | null;
  avgResponseMinutesLastWeek: number | null;
  perDay: DayFigures[];
}

/** A period and what happened in it. */
class Span {
  readonly responses = new Durations();
  chats = 0;
  readonly from: number;
  readonly to: number;

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
  }

  holds(at: number): boolean {
    return this.from <= at && at < this.to;
  }
}

/**
 * Reads the last two weeks of some sites: two periods of seven days up to now, and single days in a time zone.
 * @param now milliseconds
 */
export async function readWeeks(sites: Types.ObjectId[], now: number, timeZone?: string): Promise<Weeks> {
  const thisWeek = new Span(now - WEEK_MS, Number.POSITIVE_INFINITY);
  const lastWeek = new Span(now - 2 * WEEK_MS, now - WEEK_MS);
  const days = daysUpTo(now, timeZone);
  const spans = [thisWeek, lastWeek, ...days.values()];
  const since = Math.min(...spans.map(({ from }) => from));
  const figures = await FigureModel.find(figuresFilter(sites, since), { by: 0, departments: 0 }).lean<FigureDoc[]>();
  for (const figure of figures) addTo(spans, figure);
  return {
    growthPercent: lastWeek.chats > 0 ? Math.round((thisWeek.chats / lastWeek.chats - 1) * 100) : null,
    avgResponseMinutes: thisWeek.responses.median(),
    avgResponseMinutesLastWeek: lastWeek.responses.median(),
    perDay: [...days].map(([day, { chats, responses }]) => ({ day, chats, responseMinutes: responses.median() })),
  };
}

/** The filter for the figures of some sites from a moment on. */
export function figuresFilter(sites: Types.ObjectId[], since: number) {
  return { site: { $in: sites }, day: { $gte: utcDay(since), $lt: ALL_TIME } };
}

function daysUpTo(now: number, timeZone?: string): Map<string, Span> {
  const calendar = calendarOf(timeZone);
  const today = calendar.dayOf(now);
  const names = Array.from({ length: OVERVIEW_DAYS }, (_, i) => addDays(today, i + 1 - OVERVIEW_DAYS));
  return new Map(names.map((day) => [day, new Span(calendar.startOf(day), calendar.startOf(addDays(day, 1)))]));
}

function addTo(spans: Span[], { day, begun = {}, answered = {} }: FigureDoc): void {
  const spansAt = (slot: string) => {
    const at = slotStart(day, slot);
    return spans.filter((span) => span.holds(at));
  };
  for (const [slot, count] of Object.entries(begun)) {
    for (const span of spansAt(slot)) span.chats += count;
  }
  for (const [slot, buckets] of Object.entries(answered)) {
    const within = spansAt(slot);
    for (const [bucket, count] of Object.entries(buckets)) {
      for (const span of within) span.responses.add(Number(bucket.slice(1)), count);
    }
  }
}

/** How long a site's value is cached: it changes from day to day, not from minute to minute. */
const KEPT_MS = 300_000;
const REMEMBERED_MAX = 10_000;

/**
 * The usual response time of a site: the median first response of the last seven days in minutes; null if no chat was
 * answered.
 */
export type UsualReply = (site: Types.ObjectId) => Promise<number | null>;

/**
 * Reads the usual response time from the figures, and caches it for each site.
 * @param now milliseconds
 */
export function createUsualReply(now: () => number): UsualReply {
  const kept = new Map<string, { at: number; minutes: Promise<number | null> }>();

  return (site) => {
    const id = site.toHexString();
    const cached = kept.get(id);
    if (cached && now() - cached.at < KEPT_MS) return cached.minutes;
    if (kept.size >= REMEMBERED_MAX) kept.clear();
    const minutes = readWeeks([site], now()).then(({ avgResponseMinutes }) => avgResponseMinutes);
    kept.set(id, { at: now(), minutes });
    minutes.catch(() => kept.delete(id));
    return minutes;
  };
}

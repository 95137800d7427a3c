import type { Types } from 'mongoose';
import type { ChatDoc } from '../chats/model.ts';
import { bucketOf } from './median.ts';
import { ALL_SITES, ALL_TIME, FigureModel } from './model.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;

/** How much which figure of a day grows. */
export type Growth = Record<string, number>;
/** What grows on which days. */
export type Tally = Map<string, Growth>;

/** The UTC day of a moment. */
export const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10);
/** When a half hour of a UTC day begins, by its name there. */
export const slotStart = (day: string, name: string) =>
  Date.parse(`${day}T00:00:00Z`) + Number(name.slice(1)) * HALF_HOUR_MS;

const slotOf = (at: number) => Math.floor((at % DAY_MS) / HALF_HOUR_MS);

/** A chat began, or (`by` -1) is gone. */
export function tallyBegun(tally: Tally, { createdAt }: ChatDoc, by = 1): void {
  const at = createdAt.getTime();
  grow(tally, utcDay(at), `begun.h${slotOf(at)}`, by);
  grow(tally, ALL_TIME, 'chats', by);
}

/** A chat has a visitor's name. */
export function tallyNamed(tally: Tally, by = 1): void {
  grow(tally, ALL_TIME, 'named', by);
}

/** A chat got its first response, at `firstResponseAt`. One that an agent began got none, which counts nowhere. */
export function tallyAnswered(tally: Tally, { createdAt, firstResponseAt }: ChatDoc, by = 1): void {
  const at = firstResponseAt?.getTime() ?? 0;
  const ms = at - createdAt.getTime();
  if (ms > 0) grow(tally, utcDay(at), `answered.h${slotOf(at)}.b${bucketOf(ms)}`, by);
}

function grow(tally: Tally, day: string, figure: string, by: number): void {
  const growth = tally.get(day) ?? {};
  growth[figure] = (growth[figure] ?? 0) + by;
  tally.set(day, growth);
}

/** Adds a tally to the figures of a site, and to those of all. */
export async function record(site: Types.ObjectId, tally: Tally): Promise<void> {
  for (const [day, growth] of tally) {
    for (const whose of [site, ALL_SITES])
      await FigureModel.updateOne({ site: whose, day }, { $inc: growth }, { upsert: true });
  }
}

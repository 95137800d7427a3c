import type { Types } from 'mongoose';
import { readWeeks } from './read.ts';

/** How old a site's answer may be: it changes by the day, not by the minute. */
const KEPT_MS = 300_000;
const REMEMBERED_MAX = 10_000;

/** How soon a site usually answers: the median first response of the last seven days in minutes; null: nobody was answered. */
export type UsualReply = (site: Types.ObjectId) => Promise<number | null>;

/** Reads it from the figures, once in a while for each site. @param now milliseconds */
export function createUsualReply(now: () => number): UsualReply {
  const kept = new Map<string, { at: number; minutes: Promise<number | null> }>();

  return (site) => {
    const id = site.toHexString();
    const held = kept.get(id);
    if (held && now() - held.at < KEPT_MS) return held.minutes;
    if (kept.size >= REMEMBERED_MAX) kept.clear();
    const minutes = readWeeks([site], now()).then(({ avgResponseMinutes }) => avgResponseMinutes);
    kept.set(id, { at: now(), minutes });
    minutes.catch(() => kept.delete(id));
    return minutes;
  };
}

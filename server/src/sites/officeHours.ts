import { TIME_ZONE_MAX_LENGTH, timeZoneOf } from '../http/days.ts';
import type { Shape } from '../http/shape.ts';
import type { Presence } from '../presence/presence.ts';
import { can } from '../team/contract.ts';
import { OFFICE_SPANS_MAX, type OfficeHours, type OfficeSpan } from './contract.ts';
import { memberOf } from './guards.ts';
import type { SiteDoc } from './model.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_END = '24:00';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** What a form may send as office hours. */
export const OFFICE_HOURS_SHAPE: Shape = {
  type: 'object',
  maxProperties: 10,
  properties: {
    timeZone: { type: 'string', maxLength: TIME_ZONE_MAX_LENGTH },
    days: {
      type: 'array',
      maxItems: OFFICE_SPANS_MAX,
      items: {
        type: 'object',
        maxProperties: 10,
        properties: {
          day: { type: 'integer', minimum: 0, maximum: WEEKDAYS.length - 1 },
          from: { type: 'string', maxLength: DAY_END.length },
          to: { type: 'string', maxLength: DAY_END.length },
        },
      },
    },
  },
};

/** More than there are time zones: spellings of one, stored by an earlier version, must not fill the memory. */
const CLOCKS_MAX = 600;
/** Clocks by time zone: making one costs far more than reading it, and each takes some 20 kB. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Whether the office is open at this moment; without office hours it always is. @param at milliseconds */
export function isOpen(hours: OfficeHours | null, at: number): boolean {
  if (hours === null) return true;
  const parts = Object.fromEntries(
    clockOf(hours.timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const day = WEEKDAYS.indexOf(parts.weekday ?? '');
  const time = `${parts.hour}:${parts.minute}`;
  return hours.days.some((span) => span.day === day && span.from <= time && time < span.to);
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = new Intl.DateTimeFormat('en-US', options);
  const [oldest] = clocks.keys();
  if (clocks.size >= CLOCKS_MAX && oldest !== undefined) clocks.delete(oldest);
  clocks.set(timeZone, clock);
  return clock;
}

/**
 * Office hours as a form sends them, as they are stored.
 * @returns null for none (`null`)
 * @throws Error with a sentence when they cannot be meant
 */
export function toOfficeHours(value: unknown): OfficeHours | null {
  if (value === null) return null;
  if (!isRecord(value)) throw new Error('Office hours must be null or have a time zone and days');
  const { days } = value;
  const timeZone = typeof value.timeZone === 'string' ? timeZoneOf(value.timeZone) : null;
  if (timeZone === null) throw new Error('The time zone must be one like Europe/Berlin');
  if (!Array.isArray(days) || days.length > OFFICE_SPANS_MAX)
    throw new Error(`Office hours must be a list of up to ${OFFICE_SPANS_MAX} spans`);
  return { timeZone, days: days.map(toSpan) };
}

function toSpan(value: unknown): OfficeSpan {
  const { day, from, to } = isRecord(value) ? value : {};
  if (!Number.isInteger(day) || Number(day) < 0 || Number(day) >= WEEKDAYS.length)
    throw new Error('A day of the office hours must be a number from 0 (Sunday) to 6');
  if (typeof from !== 'string' || typeof to !== 'string' || !TIME.test(from) || !(TIME.test(to) || to === DAY_END))
    throw new Error('Office hours must be times like 09:00');
  if (from >= to) throw new Error('Office hours must end after they begin');
  return { day: Number(day), from, to };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a visitor of this site would find somebody to answer. @param at the moment, in milliseconds */
export function siteIsOnline(site: SiteDoc, presence: Pick<Presence, 'agentIsOnline'>, at: number): boolean {
  if (site.settings.offlineMode || !isOpen(site.settings.hours, at)) return false;
  return site.team.some(({ user }) => {
    const member = memberOf(site, user);
    return member !== null && can(member, 'chats.reply') && presence.agentIsOnline(user.toHexString());
  });
}

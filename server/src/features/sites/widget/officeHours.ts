import type { Presence } from '#features/presence';
import { InvalidValue, type JsonSchema, sentence, TIME_ZONE_MAX_LENGTH } from '#platform/http';
import { timeZoneOf } from '#platform/time';
import { OFFICE_SPANS_MAX, type OfficeHours, type OfficeSpan } from '../contract.ts';
import { repliersOf } from '../guards.ts';
import type { SiteDoc } from '../model.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_END = '24:00';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The office (business) hours that a form may send. */
export const OFFICE_HOURS_JSON_SCHEMA: JsonSchema = {
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

/** More than there are time zones: different spellings of one, stored by an earlier version, must not fill the memory. */
const CLOCKS_MAX = 600;
/** Cache of formatters by time zone: creating one is far slower than using it, and each takes about 20 kB. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Whether the office is open at this time; without office hours it always is. @param at milliseconds */
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
 * Converts office hours from a form to the stored form.
 * @returns null for none (`null`)
 * @throws InvalidValue when they are invalid
 */
export function toOfficeHours(value: unknown): OfficeHours | null {
  if (value === null) return null;
  if (!isRecord(value)) throw new InvalidValue(sentence('Office hours must be null or have a time zone and days'));
  const { days } = value;
  const timeZone = typeof value.timeZone === 'string' ? timeZoneOf(value.timeZone) : null;
  if (timeZone === null) throw new InvalidValue(sentence('The time zone must be one like Europe/Berlin'));
  if (!Array.isArray(days) || days.length > OFFICE_SPANS_MAX)
    throw new InvalidValue(sentence('Office hours must be a list of up to {max} spans', { max: OFFICE_SPANS_MAX }));
  return { timeZone, days: days.map(toSpan) };
}

function toSpan(value: unknown): OfficeSpan {
  const { day, from, to } = isRecord(value) ? value : {};
  if (!Number.isInteger(day) || Number(day) < 0 || Number(day) >= WEEKDAYS.length)
    throw new InvalidValue(sentence('A day of the office hours must be a number from 0 (Sunday) to 6'));
  if (typeof from !== 'string' || typeof to !== 'string' || !TIME.test(from) || !(TIME.test(to) || to === DAY_END))
    throw new InvalidValue(sentence('Office hours must be times like 09:00'));
  if (from >= to) throw new InvalidValue(sentence('Office hours must end after they begin'));
  return { day: Number(day), from, to };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a member is available to visitors of this site. @param at the time, in milliseconds */
export function siteIsOnline(site: SiteDoc, presence: Pick<Presence, 'agentIsOnline'>, at: number): boolean {
  if (site.settings.offlineMode || !isOpen(site.settings.hours, at)) return false;
  return repliersOf(site).some((user) => presence.agentIsOnline(user.toHexString()));
}

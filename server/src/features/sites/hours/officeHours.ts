import type { Presence } from '#features/presence';
import { InvalidValue, type JsonSchema, sentence, TIME_ZONE_MAX_LENGTH } from '#platform/http';
import { timeZoneOf } from '#platform/time';
import { repliersOf } from '../guards.ts';
import type { SiteDoc } from '../model.ts';
import {
  HOLIDAY_NAME_MAX_LENGTH,
  HOLIDAYS_MAX,
  type Holiday,
  OFFICE_SPANS_MAX,
  type OfficeHours,
  type OfficeSpan,
  type SiteAvailability,
} from './contract.ts';
import { isOpen, nextOpening } from './openings.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_END = '24:00';
const DATE = /^\d{4}-\d\d-\d\d$/;
const WEEKDAYS = 7;

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
          day: { type: 'integer', minimum: 0, maximum: WEEKDAYS - 1 },
          from: { type: 'string', maxLength: DAY_END.length },
          to: { type: 'string', maxLength: DAY_END.length },
        },
      },
    },
    holidays: {
      type: 'array',
      maxItems: HOLIDAYS_MAX,
      items: {
        type: 'object',
        maxProperties: 10,
        properties: {
          date: { type: 'string', format: 'date', maxLength: 10 },
          name: { type: 'string', minLength: 1, maxLength: HOLIDAY_NAME_MAX_LENGTH },
          yearly: { type: 'boolean' },
        },
      },
    },
  },
};

/**
 * Converts office hours from a form to the stored form.
 * @returns null for none (`null`)
 * @throws InvalidValue when they are invalid
 */
export function toOfficeHours(value: unknown): OfficeHours | null {
  if (value === null) return null;
  if (!isRecord(value)) throw new InvalidValue(sentence('Office hours must be null or have a time zone and days'));
  const { days, holidays = [] } = value;
  const timeZone = typeof value.timeZone === 'string' ? timeZoneOf(value.timeZone) : null;
  if (timeZone === null) throw new InvalidValue(sentence('The time zone must be one like Europe/Berlin'));
  if (!Array.isArray(days) || days.length > OFFICE_SPANS_MAX)
    throw new InvalidValue(sentence('Office hours must be a list of up to {max} spans', { max: OFFICE_SPANS_MAX }));
  if (!Array.isArray(holidays) || holidays.length > HOLIDAYS_MAX)
    throw new InvalidValue(sentence('Holidays must be a list of up to {max}', { max: HOLIDAYS_MAX }));
  return { timeZone, days: days.map(toSpan), ...(holidays.length > 0 && { holidays: holidays.map(toHoliday) }) };
}

function toHoliday(value: unknown): Holiday {
  const { date, name, yearly } = isRecord(value) ? value : {};
  const words = typeof name === 'string' && name.isWellFormed() ? name.replaceAll('\0', '').trim() : '';
  if (typeof date !== 'string' || !isDate(date))
    throw new InvalidValue(sentence('The date of a holiday must be one like 2026-12-25'));
  if (words === '' || words.length > HOLIDAY_NAME_MAX_LENGTH)
    throw new InvalidValue(
      sentence('A holiday must have a name of up to {max} characters', { max: HOLIDAY_NAME_MAX_LENGTH }),
    );
  if (typeof yearly !== 'boolean') throw new InvalidValue(sentence('A holiday must be yearly or not: true or false'));
  return { date, name: words, yearly };
}

/** Whether the calendar has this day: it takes 30 February for 2 March. */
function isDate(date: string): boolean {
  const at = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

function toSpan(value: unknown): OfficeSpan {
  const { day, from, to } = isRecord(value) ? value : {};
  if (!Number.isInteger(day) || Number(day) < 0 || Number(day) >= WEEKDAYS)
    throw new InvalidValue(sentence('A day of the office hours must be a number from 0 (Sunday) to 6'));
  if (typeof from !== 'string' || typeof to !== 'string' || !TIME.test(from) || !(TIME.test(to) || to === DAY_END))
    throw new InvalidValue(sentence('Office hours must be times like 09:00'));
  if (from >= to) throw new InvalidValue(sentence('Office hours must end after they begin'));
  return { day: Number(day), from, to };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What visitors are told of whether somebody is there: also when a site that is closed by its hours opens.
 * @param at the time, in milliseconds
 */
export function visitorAvailability(
  site: SiteDoc,
  presence: Pick<Presence, 'agentIsOnline'>,
  at: number,
): Pick<SiteAvailability, 'online' | 'opensAt'> {
  const { offlineMode, hours } = site.settings;
  const opening = offlineMode ? null : nextOpening(hours, at);
  const isLater = opening !== null && opening > at;
  return { online: siteIsOnline(site, presence, at), ...(isLater && { opensAt: new Date(opening).toISOString() }) };
}

/** Whether a member is available to visitors of this site. @param at the time, in milliseconds */
export function siteIsOnline(site: SiteDoc, presence: Pick<Presence, 'agentIsOnline'>, at: number): boolean {
  if (site.settings.offlineMode || !isOpen(site.settings.hours, at)) return false;
  return repliersOf(site).some((user) => presence.agentIsOnline(user.toHexString()));
}

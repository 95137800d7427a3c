import type { OfficeHours, OfficeSpan } from './contract.ts';
import { OFFICE_SPANS_MAX } from './contract.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_END = '24:00';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Clocks by time zone: making one costs far more than reading it. */
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
  const { timeZone, days } = value;
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone))
    throw new Error('The time zone must be one like Europe/Berlin');
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

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

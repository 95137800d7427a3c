import { recentlyUsed } from '#platform/cache';
import { type Calendar, calendarOf, DAY_MS, MINUTE_MS } from '#platform/time';
import type { Holiday, OfficeHours } from './contract.ts';

/** More than there are time zones: different spellings of one, stored by an earlier version, must not fill the memory. */
const CALENDARS_MAX = 600;
/** Creating a calendar is far slower than using it, and each takes about 20 kB. */
const calendars = recentlyUsed<Calendar>(CALENDARS_MAX);
/** An opening later than this is not searched for: nobody waits for it. */
const SEARCHED_MS = 60 * DAY_MS;

type Wall = { date: string; weekday: number; time: string };

/** Whether the office is open at this time; without office hours it always is. @param at milliseconds */
export function isOpen(hours: OfficeHours | null, at: number): boolean {
  return hours === null || isOpenOn(hours, wallOf(localOf(hours, at)));
}

/** The holiday of the day on which a moment falls in the time zone of the hours; null: it is none. @param at milliseconds */
export function holidayAt(hours: OfficeHours | null, at: number): Holiday | null {
  return hours && holidayOn(hours, wallOf(localOf(hours, at)).date);
}

/**
 * When the office is open next: at once if it is open now, else at the full minute at which it opens.
 *
 * Goes from one possible opening to the next on the clock on the wall: the begin of a span, or of the next day. Where the clocks are put
 * forward or back in between, it goes on from that moment, so an opening in the missing hour is at its end, and one in the hour that
 * comes twice can be in either.
 * @param at milliseconds @returns milliseconds; null: not within 60 days
 */
export function nextOpening(hours: OfficeHours | null, at: number): number | null {
  if (hours === null || isOpen(hours, at)) return at;
  if (hours.days.length === 0) return null;
  let now = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  while (now < at + SEARCHED_MS) {
    const local = localOf(hours, now);
    const wall = wallOf(local);
    if (isOpenOn(hours, wall)) return now;
    now = unlessClocksChange(hours, now, now + nextTurn(hours, wall) - local);
  }
  return null;
}

/** When the next span of the day begins, else the next day, as a local time. */
function nextTurn(hours: OfficeHours, { date, weekday, time }: Wall): number {
  const later = holidayOn(hours, date) ? [] : hours.days.filter(({ day, from }) => day === weekday && from > time);
  const begins = later.map(({ from }) => Date.parse(`${date}T${from}Z`));
  return Math.min(Date.parse(`${date}T00:00Z`) + DAY_MS, ...begins);
}

/** The later of two moments, or, where the clocks are changed between them, the moment of that. */
function unlessClocksChange(hours: OfficeHours, earlier: number, later: number): number {
  const ahead = (at: number) => localOf(hours, at) - at;
  const before = ahead(earlier);
  if (ahead(later) === before) return later;
  let [low, high] = [earlier, later];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (ahead(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function isOpenOn(hours: OfficeHours, { date, weekday, time }: Wall): boolean {
  const isWithin = hours.days.some(({ day, from, to }) => day === weekday && from <= time && time < to);
  return isWithin && !holidayOn(hours, date);
}

function holidayOn({ holidays = [] }: OfficeHours, date: string): Holiday | null {
  const isOn = (holiday: Holiday) => holiday.date <= date && holiday.date.slice(5) === date.slice(5);
  return holidays.find((holiday) => (holiday.yearly ? isOn(holiday) : holiday.date === date)) ?? null;
}

/** The local time of a moment, as if it were UTC. */
function localOf({ timeZone }: OfficeHours, at: number): number {
  let calendar = calendars.get(timeZone);
  if (!calendar) {
    calendar = calendarOf(timeZone);
    calendars.set(timeZone, calendar);
  }
  return calendar.localOf(at);
}

function wallOf(local: number): Wall {
  const moment = new Date(local);
  const text = moment.toISOString();
  return { date: text.slice(0, 10), weekday: moment.getUTCDay(), time: text.slice(11, 16) };
}

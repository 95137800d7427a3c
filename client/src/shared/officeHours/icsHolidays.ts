import ICAL from 'ical.js';
import { HOLIDAY_NAME_MAX_LENGTH, type Holiday } from 'server/contract';
import { formatCount } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';

const EVENTS_MAX = 5_000;
/** Longer ones are no holidays. */
const EVENT_DAYS_MAX = 60;
const DAY_MS = 86_400_000;
/** A rule that leaves the day in the year as it is, as some programs write it; a start of the week changes nothing. */
const SAME_DAY = ['freq', 'interval', 'bymonth', 'bymonthday', 'wkst'];
/** Also without `VALUE=DATE`, which some programs forget: the parser then expects a time. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:T::)?$/;

/** A property as the parser gives it (jCal, RFC 7265): its name, parameters, type and value. */
type Property = [name: string, parameters: object, type: string, value: unknown];
type Component = [name: string, properties: Property[], components: Component[]];

/** What a calendar file has. */
export interface IcsHolidays {
  holidays: Holiday[];
  /** How many of its events are no whole days, or repeat in a way that holidays cannot. */
  others: number;
}

/** The all-day events of a calendar file (RFC 5545); each of several days is several holidays. Else what is wrong with it, in a sentence. */
export function holidaysIn(text: string): IcsHolidays | { problem: string } {
  const events = eventsIn(text);
  if (events === null) return { problem: t('The file is no calendar file (.ics), or is damaged') };
  if (events.length > EVENTS_MAX)
    return { problem: t('The file has more than {max} events', { max: formatCount(EVENTS_MAX) }) };
  const found = events.map(holidaysOf);
  return { holidays: found.flatMap((days) => days ?? []), others: found.filter((days) => days === null).length };
}

function eventsIn(text: string): Component[] | null {
  try {
    const parsed = ICAL.parse(text) as Component | Component[];
    const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed) as Component[];
    if (calendars.length === 0) return null;
    return calendars.flatMap(([, , parts]) => parts.filter(([name]) => name === 'vevent'));
  } catch {
    // What the parser says is not for readers.
    return null;
  }
}

/** null: it is none. */
function holidaysOf([, properties]: Component): Holiday[] | null {
  const read = (name: string) => properties.find(([own]) => own === name)?.[3];
  const first = dayOf(read('dtstart'));
  const yearly = repeatsYearly(properties);
  if (first === null || yearly === null || read('status') === 'CANCELLED') return null;
  // The end is the day after the last one; some programs write the same day.
  const end = dayOf(read('dtend')) ?? first + durationOf(read('duration'));
  const days = Math.max(1, Math.floor((end - first) / DAY_MS));
  if (days > EVENT_DAYS_MAX) return null;
  const dates = Array.from({ length: days }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10));
  return dates.map((date) => ({ date, name: nameOf(read('summary')), yearly }));
}

/** Milliseconds of UTC; null: it is no day of the calendar. */
function dayOf(value: unknown): number | null {
  const date = typeof value === 'string' ? DATE.exec(value)?.[1] : undefined;
  const at = Date.parse(`${date}T00:00:00Z`);
  return date && !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? at : null;
}

function durationOf(value: unknown): number {
  return typeof value === 'string' ? ICAL.Duration.fromString(value).toSeconds() * 1000 : DAY_MS;
}

/** null: it repeats in another way. */
function repeatsYearly(properties: Property[]): boolean | null {
  const rules = properties.filter(([name]) => name === 'rrule' || name === 'rdate');
  if (rules.length === 0) return false;
  const rule = Object(rules[0]?.[3]) as Record<string, unknown>;
  const isSameDay = Object.entries(rule).every(([part, value]) => SAME_DAY.includes(part) && !Array.isArray(value));
  return rules.length === 1 && rule.freq === 'YEARLY' && (rule.interval ?? 1) === 1 && isSameDay ? true : null;
}

function nameOf(summary: unknown): string {
  const words = `${summary ?? ''}`.split(/\s+/).filter(Boolean).join(' ');
  // Half of an emoji cannot be stored.
  const short = words.slice(0, HOLIDAY_NAME_MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return short.trim() || t('Holiday');
}

import { calendarOf, MINUTE_MS } from '#platform/time';
import type { ImportPlan } from './contract.ts';

/** Numbers from here on are milliseconds, and microseconds from there on; smaller ones are seconds. */
const MILLISECONDS_FROM = 1e11;
const MICROSECONDS_FROM = 1e14;
const UNIX = /^\d{9,16}(\.\d{1,9})?$/;

/** `2025-04-03`, `2025/4/3` */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/;
/** `03.04.2025`, `4/3/2025` */
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})/;
/** `3 Apr 2025`, `Thursday, 3 April 2025` */
const DAY_MONTH = /^(?:[a-z]{3,9},? )?(\d{1,2}) ([a-z]{3,9})\.?,? (\d{4})/i;
/** `Apr 3, 2025` */
const MONTH_DAY = /^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2}),? (\d{4})/i;
/** What follows the day: `T14:05:06.789Z`, ` 14:05`, `, 2:05 PM +02:00`, or nothing. */
const CLOCK =
  /^(?:,?[T ] ?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)? ?([ap]\.?m\.?)?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TEXT_MAX_LENGTH = 60;

/** Reads a time. @returns milliseconds; null: it is none */
export type ReadTime = (text: string) => number | null;

/** Makes the reader of a file's times: Unix time in any unit, ISO 8601, and how spreadsheets write dates. */
export function timeReader({ timeZone, dayFirst }: Pick<ImportPlan, 'timeZone' | 'dayFirst'>): ReadTime {
  const { localOf } = calendarOf(timeZone);

  /** The moment at which clocks of the time zone show this. */
  function momentOf(local: number): number {
    const near = local - (localOf(local) - local);
    return local - (localOf(near) - near);
  }

  return (text) => {
    const given = text.trim().replace(/\s+/g, ' ');
    if (given === '' || given.length > TEXT_MAX_LENGTH) return null;
    if (UNIX.test(given)) return unixOf(Number(given));
    const parts = partsOf(given, dayFirst);
    if (!parts) return null;
    const local = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
    // Such as the 31st of February.
    if (new Date(local).getUTCDate() !== parts.day || parts.hour > 23 || parts.minute > 59 || parts.second > 59)
      return null;
    return parts.zone === undefined ? momentOf(local) : local - offsetOf(parts.zone);
  };
}

function unixOf(value: number): number {
  if (value >= MICROSECONDS_FROM) return Math.floor(value / 1000);
  return Math.floor(value >= MILLISECONDS_FROM ? value : value * 1000);
}

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  zone: string | undefined;
}

function partsOf(text: string, dayFirst: boolean): Parts | null {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return toParts(text, yearFirst, [1, 2, 3]);
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast) return toParts(text, yearLast, dayFirst ? [3, 2, 1] : [3, 1, 2]);
  const dayMonth = DAY_MONTH.exec(text);
  if (dayMonth) return toParts(text, dayMonth, [3, 2, 1]);
  const monthDay = MONTH_DAY.exec(text);
  return monthDay && toParts(text, monthDay, [3, 1, 2]);
}

/** @param groups where year, month and day are in what was found */
function toParts(
  text: string,
  found: RegExpExecArray,
  groups: [year: number, month: number, day: number],
): Parts | null {
  const clock = CLOCK.exec(text.slice(found[0].length));
  const [year = '', month = '', day = ''] = groups.map((group) => found[group] ?? '');
  const at = Number(month) || MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  if (!clock || at < 1 || at > 12) return null;
  const [, hour = '0', minute = '0', second = '0', half, zone] = clock;
  return {
    year: Number(year),
    month: at,
    day: Number(day),
    hour: half ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour),
    minute: Number(minute),
    second: Number(second),
    zone,
  };
}

/** Milliseconds ahead of UTC. */
function offsetOf(zone: string): number {
  const found = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return (found[1] === '-' ? -minutes : minutes) * MINUTE_MS;
}

import { language, localeTag, t } from './i18n.ts';

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
/** They read badly when they are shortened: '12 byte', '3 Tg.'. */
const SPELLED = ['byte', 'day'];
const STEP = 1024;

const HOUR = 60;
const DAY = 24 * HOUR;
/** Later than this, a weekday's name could be of today, too. */
const SAME_WEEKDAY_AFTER_MS = 6 * DAY * 60_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

let segmenter: Intl.Segmenter | undefined;

/** The computer's time zone, by its IANA name: days begin there. It changes when a laptop travels. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** '1,204' */
export function formatCount(count: number): string {
  return count.toLocaleString(localeTag());
}

/** '3.4 MB', in the units that the server's limits are written in. */
export function formatBytes(bytes: number): string {
  let [value, step] = [bytes, 0];
  while (value >= STEP && step < UNITS.length - 1) {
    value /= STEP;
    step += 1;
  }
  return inUnit(value, UNITS[step] ?? 'byte', step > 1 ? 1 : 0);
}

/** 'Jan 5, 2026', or 'January 5, 2026' if `long`. */
export function formatDate(at: string, style: 'medium' | 'long' = 'medium'): string {
  return written(new Date(at), { dateStyle: style });
}

/** 'May 31', of a day like `2026-05-31`, or of a moment where the reader is. */
export function formatMonthDay(at: string): string {
  const isDay = !at.includes('T');
  const options = { month: 'short', day: 'numeric', ...(isDay && { timeZone: 'UTC' }) } as const;
  return written(new Date(isDay ? `${at}T00:00:00Z` : at), options);
}

/** 'Fri, Dec 25, 2026', of a day like `2026-12-25`. */
export function formatCalendarDay(day: string): string {
  const options = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return written(new Date(`${day}T00:00:00Z`), options);
}

/** The time of day as the reader's country writes it: '3:05 PM', '15:05'. */
export function formatTime(at: string): string {
  return clock(new Date(at), TIME);
}

/** An hour of the day as the reader's country writes it: '3 PM', '15'. */
export function formatHour(hour: number): string {
  return clock(new Date(2000, 0, 1, hour), { hour: 'numeric' });
}

/** 'May 31, 3:05 PM', of a moment within a year. */
export function formatDayTime(at: string): string {
  return t('{day}, {time}', { day: formatMonthDay(at), time: formatTime(at) });
}

/** A moment to come: '3:05 PM' today, 'Tuesday, 3:05 PM' within a week, else 'May 31, 3:05 PM'. @param now milliseconds */
export function formatUpcoming(at: string, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return formatTime(at);
  if (day.getTime() - now > SAME_WEEKDAY_AFTER_MS) return formatDayTime(at);
  return t('{day}, {time}', { day: written(day, { weekday: 'long' }), time: formatTime(at) });
}

/** The whole date and the time, for a tooltip. */
export function formatDateTime(at: string): string {
  return t('{date} at {time}', { date: written(new Date(at), { dateStyle: 'full' }), time: formatTime(at) });
}

/** How long something takes, in its two largest units: '12 min', '2 hr 5 min', '3 days'. */
export function formatDuration(minutes: number): string {
  if (minutes < HOUR) return inUnit(minutes, 'minute');
  const whole = Math.round(minutes);
  const hours = Math.floor(whole / HOUR);
  const parts =
    hours < DAY / HOUR
      ? [inUnit(hours, 'hour'), whole % HOUR > 0 && inUnit(whole % HOUR, 'minute')]
      : [inUnit(Math.floor(whole / DAY), 'day'), hours % 24 > 0 && inUnit(hours % 24, 'hour')];
  return new Intl.ListFormat(localeTag(), { type: 'unit', style: 'narrow' }).format(
    parts.filter((part) => part !== false),
  );
}

function inUnit(amount: number, unit: string, maximumFractionDigits = 1): string {
  const unitDisplay = SPELLED.includes(unit) ? 'long' : 'short';
  return amount.toLocaleString(localeTag(), { style: 'unit', unit, unitDisplay, maximumFractionDigits });
}

/** How long ago: 'now', '4 min', '3 h', after a day the date. @param now milliseconds */
export function formatAge(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return t('now');
  if (minutes < 60) return t('{minutes} min', { minutes });
  if (minutes < 24 * 60) return t('{hours} h', { hours: Math.floor(minutes / 60) });
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? formatMonthDay(at) : formatDate(at);
}

/** The day as a separator between messages has it: 'Today', 'Yesterday', 'Tuesday, May 5'. @param now milliseconds */
export function formatRelativeDay(at: string, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return t('Today');
  // By the calendar: a day on which the clocks change has no 24 hours.
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return t('Yesterday');
  const isThisYear = day.getFullYear() === new Date(now).getFullYear();
  const options: Intl.DateTimeFormatOptions = { weekday: 'long', month: 'long', day: 'numeric' };
  if (!isThisYear) options.year = 'numeric';
  return written(day, options);
}

/** What the clocks show in a time zone: '2:05 PM, Tuesday'. @param now milliseconds */
export function formatTimeIn(timeZone: string, now: number): string {
  const time = clock(new Date(now), { ...TIME, timeZone });
  return t('{time}, {weekday}', { time, weekday: written(new Date(now), { timeZone, weekday: 'long' }) });
}

/** A time of day; in English it follows the reader's own country. */
function clock(at: Date, options: Intl.DateTimeFormatOptions): string {
  return written(at, options, language() === 'en' ? '' : localeTag());
}

/** Formatters take long to make: one is kept for each language and style, until the computer is in another time zone. */
function written(at: Date, options: Intl.DateTimeFormatOptions, tag = localeTag()): string {
  const key = tag + new Date().getTimezoneOffset() + JSON.stringify(options);
  const format = formatters.get(key) ?? new Intl.DateTimeFormat(tag || undefined, options);
  formatters.set(key, format);
  return Number.isNaN(at.getTime()) ? '–' : format.format(at);
}

/** The start of a text in one line, at most `length` letters as people see them. */
export function truncate(text: string, length: number): string {
  const all = lettersOf(text.replace(/\s+/g, ' ').trim());
  return all.length > length ? `${all.slice(0, length).join('').trimEnd()}…` : all.join('');
}

/** The letters as people see them; as Unicode has them in Firefox before 125, which cannot tell. */
function lettersOf(text: string): string[] {
  const { Segmenter }: Partial<typeof Intl> = Intl;
  if (!Segmenter) return Array.from(text);
  segmenter ??= new Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

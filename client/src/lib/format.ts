/** The language of all that is shown; times of day alone follow the reader's own country. */
const LOCALE = 'en';

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1024;

const letters = new Intl.Segmenter();

/** The browser's time zone, by its IANA name: days begin there. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** '1,204' of something, or '1 widget', '2 widgets' with its name. */
export function formatCount(count: number, noun?: string): string {
  const number = count.toLocaleString(LOCALE);
  return noun === undefined ? number : `${number} ${noun}${count === 1 ? '' : 's'}`;
}

/** '3.4 MB', in the units that the server's limits are written in. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value.toLocaleString(LOCALE, { maximumFractionDigits: unit > 1 ? 1 : 0 })} ${UNITS[unit]}`;
}

/** 'Jan 5, 2026', or 'January 5, 2026' if `long`. */
export function formatDate(at: string, style: 'medium' | 'long' = 'medium'): string {
  return new Date(at).toLocaleDateString(LOCALE, { dateStyle: style });
}

/** 'May 31', of a day like `2026-05-31`, or of a moment where the reader is. */
export function formatMonthDay(at: string): string {
  const isDay = !at.includes('T');
  const options = { month: 'short', day: 'numeric', ...(isDay && { timeZone: 'UTC' }) } as const;
  return new Date(isDay ? `${at}T00:00:00Z` : at).toLocaleDateString(LOCALE, options);
}

/** The time of day as the reader's country writes it: '3:05 PM', '15:05'. */
export function formatTime(at: string): string {
  return new Date(at).toLocaleTimeString([], TIME);
}

/** 'May 31, 3:05 PM', of a moment within a year. */
export function formatDayTime(at: string): string {
  return `${formatMonthDay(at)}, ${formatTime(at)}`;
}

/** The whole date and the time, for a tooltip. */
export function formatDateTime(at: string): string {
  return `${new Date(at).toLocaleDateString(LOCALE, { dateStyle: 'full' })} at ${formatTime(at)}`;
}

/** How long ago: 'now', '4 min', '3 h', after a day the date. @param now milliseconds */
export function formatAge(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? formatMonthDay(at) : formatDate(at);
}

/** The day as a separator between messages has it: 'Today', 'Yesterday', 'Tuesday, May 5'. @param now milliseconds */
export function formatRelativeDay(at: string, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return 'Today';
  // By the calendar: a day on which the clocks change has no 24 hours.
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday';
  const isThisYear = day.getFullYear() === new Date(now).getFullYear();
  return day.toLocaleDateString(LOCALE, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** What the clocks show in a time zone: '2:05 PM, Tuesday'. @param now milliseconds */
export function formatTimeIn(timeZone: string, now: number): string {
  const time = new Date(now).toLocaleTimeString([], { ...TIME, timeZone });
  return `${time}, ${new Date(now).toLocaleDateString(LOCALE, { timeZone, weekday: 'long' })}`;
}

/** The start of a text in one line, at most `length` letters as people see them. */
export function truncate(text: string, length: number): string {
  const all = Array.from(letters.segment(text.replace(/\s+/g, ' ').trim()), ({ segment }) => segment);
  return all.length > length ? `${all.slice(0, length).join('').trimEnd()}…` : all.join('');
}

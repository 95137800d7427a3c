import { words } from '../words.ts';

/** The time of day, as the visitor is used to it. */
export function clock(at: number, locale: string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
}

/** The day in words: today, yesterday, or the date. */
export function day(at: number, now: number, locale: string): string {
  const date = new Date(at);
  const today = new Date(now);
  // By the calendar: where the clocks change, a day has 23 or 25 hours.
  const yesterday = new Date(now);
  yesterday.setDate(today.getDate() - 1);
  if (date.toDateString() === today.toDateString()) return words.today;
  if (date.toDateString() === yesterday.toDateString()) return words.yesterday;
  const year = date.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  return date.toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long', year });
}

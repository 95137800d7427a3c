import { words } from '../words.ts';

const DAY_MS = 86_400_000;

/** The time of day, as the visitor is used to it. */
export function clock(at: number, locale: string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
}

/** The day in words: today, yesterday, or the date. */
export function day(at: number, now: number, locale: string): string {
  const date = new Date(at).toDateString();
  if (date === new Date(now).toDateString()) return words.today;
  if (date === new Date(now - DAY_MS).toDateString()) return words.yesterday;
  return new Date(at).toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long' });
}

import { words } from '../words.ts';

const DAY_MS = 86_400_000;

function language(): string[] {
  const { lang } = document.documentElement;
  try {
    return lang ? Intl.getCanonicalLocales(lang) : [];
  } catch {
    return [];
  }
}

/** The time of day, as the page's language writes it. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(language(), { hour: 'numeric', minute: '2-digit' });
}

/** The day in words: today, yesterday, or the date. */
export function day(at: number, now: number): string {
  const date = new Date(at).toDateString();
  if (date === new Date(now).toDateString()) return words.today;
  if (date === new Date(now - DAY_MS).toDateString()) return words.yesterday;
  return new Date(at).toLocaleDateString(language(), { weekday: 'long', day: 'numeric', month: 'long' });
}

/** Day and time in full. */
export function moment(at: number): string {
  return new Date(at).toLocaleString(language(), { dateStyle: 'full', timeStyle: 'short' });
}

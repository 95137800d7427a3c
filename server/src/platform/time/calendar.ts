import { DAY_MS } from './time.ts';

/** The calendar of a time zone; a day is written `2026-05-31`. */
export interface Calendar {
  /** The day on which a moment falls. @param at milliseconds */
  dayOf(at: number): string;
  /** The local time of a moment, as if it were UTC, in milliseconds. */
  localOf(at: number): number;
  /** When a day begins, in milliseconds. */
  startOf(day: string): number;
}

/** Makes the calendar of a time zone. @param timeZone a name that `timeZoneField` accepts; left out: UTC */
export function calendarOf(timeZone = 'UTC'): Calendar {
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const clock = new Intl.DateTimeFormat('en-US', { ...numbers, second: '2-digit', timeZone, hourCycle: 'h23' });

  function localOf(at: number): number {
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
  const ahead = (at: number) => localOf(at) - at;
  const dayOf = (at: number) => new Date(localOf(at)).toISOString().slice(0, 10);

  return {
    dayOf,
    localOf,
    startOf(day) {
      const midnight = Date.parse(`${day}T00:00:00Z`);
      const near = midnight - ahead(midnight);
      const exact = midnight - ahead(near);
      // where clocks are put forward at midnight, the day begins an hour later
      return dayOf(exact) === day ? exact : near;
    },
  };
}

/** The day this many days later; earlier if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The canonical spelling of a time zone's name, which may be typed in any case; null: there is no such zone. */
export function timeZoneOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const MINUTE_MS = 60_000;

/** Writes moments, in milliseconds, as a clock and a calendar on the wall of some place show them. */
export interface Clock {
  /** `2026-05-31 14:03:59` */
  stamp(at: number): string;
  /** `31 May 2026` */
  day(at: number): string;
  /** `14:03` */
  time(at: number): string;
}

/** @param timeZone one that Intl knows */
export function clockOf(timeZone: string): Clock {
  // Swedes write dates as ISO 8601 does.
  const stamp = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone });
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return { stamp: (at) => stamp.format(at), day: (at) => day.format(at), time: (at) => time.format(at) };
}

/** A calendar day (`2026-05-31`) in words. */
export function dayInWords(day: string): string {
  return clockOf('UTC').day(Date.parse(`${day}T00:00:00Z`));
}

/** The whole minutes between two moments, in words. */
export function minutesBetween(from: number, to: number): string {
  return counted(Math.max(0, Math.floor((to - from) / MINUTE_MS)), 'minute');
}

/** `1 chat`, `1,234 chats` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

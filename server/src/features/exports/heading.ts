import type { ChatStatus } from '#features/chats/contract';
import type { HistoryFilters } from '#features/history/contract';
import { MINUTE_MS } from '#platform/time';
import type { ExportMessage } from './pieces.ts';

/** Formats moments, given in milliseconds, as local date and time of one time zone. */
export interface Clock {
  /** `2026-05-31 14:03:59` */
  stamp(at: number): string;
  /** `31 May 2026` */
  day(at: number): string;
  /** `14:03` */
  time(at: number): string;
}

/** The clock of a time zone. @param timeZone one that Intl knows */
export function clockOf(timeZone: string): Clock {
  // The Swedish locale formats dates as ISO 8601 does.
  const stamp = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone });
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return { stamp: (at) => stamp.format(at), day: (at) => day.format(at), time: (at) => time.format(at) };
}

/** A calendar day (`2026-05-31`) in words. */
function dayInWords(day: string): string {
  return clockOf('UTC').day(Date.parse(`${day}T00:00:00Z`));
}

/** The whole minutes between two moments, in words. */
export function minutesBetween(from: number, to: number): string {
  return pluralize(Math.max(0, Math.floor((to - from) / MINUTE_MS)), 'minute');
}

/** `1 chat`, `1,234 chats` */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The heading of an export. */
export interface Heading {
  title: string;
  /** The filters that were chosen, in words: label and value. */
  rows: (readonly [label: string, value: string])[];
  timeZone: string;
}

/** What is known of an export before its first chat is read. */
export interface ExportScope {
  filters: HistoryFilters;
  /** The names of the sites whose chats are exported. */
  sites: string[];
  /** The supporter's name, where the filter names one. */
  supporter: string | null;
  /** How many chats there are; null where they were not counted. */
  chats: number | null;
  /** Milliseconds */
  at: number;
}

export const STATUS_WORDS: Record<ChatStatus, string> = { waiting: 'Waiting', active: 'Active', closed: 'Closed' };

/** The heading of a history; filters that were not used are left out. */
export function historyHeading({ filters, sites, supporter, chats, at }: ExportScope): Heading {
  const { status = 'all', search = '', tz = 'UTC' } = filters;
  const clock = clockOf(tz);
  const rows: [string, string | null][] = [
    [sites.length === 1 ? 'Website' : 'Websites', sites.join(', ') || 'None'],
    ['Supporter', supporter],
    ['Status', status === 'all' ? null : STATUS_WORDS[status]],
    ['Search', search === '' ? null : search],
    ['Period', periodOf(filters)],
    ['Times in', tz],
    ['Exported', `${clock.day(at)}, ${clock.time(at)}`],
    ['Chats', chats === null ? null : pluralize(chats, 'chat')],
  ];
  return {
    title: 'Chat history',
    timeZone: tz,
    rows: rows.flatMap(([label, value]) => (value ? [[label, value]] : [])),
  };
}

/** The heading of a single chat. */
export function chatHeading(site: string, timeZone: string): Heading {
  return {
    title: 'Chat transcript',
    timeZone,
    rows: [
      ['Website', site],
      ['Times in', timeZone],
    ],
  };
}

function periodOf({ startDate, endDate }: HistoryFilters): string {
  if (startDate !== undefined && startDate === endDate) return dayInWords(startDate);
  if (startDate !== undefined && endDate !== undefined) return `${dayInWords(startDate)} to ${dayInWords(endDate)}`;
  if (startDate !== undefined) return `From ${dayInWords(startDate)}`;
  return endDate === undefined ? 'All time' : `Until ${dayInWords(endDate)}`;
}

/** A message as exports show it: below the automatic greeting that it answers, which is no message of its own. */
export function withGreeting(message: ExportMessage): ExportMessage[] {
  const { at, greeting } = message;
  return greeting ? [{ at, sender: 'system', name: null, text: `Greeting: ${greeting}` }, message] : [message];
}

import { OFFICE_SPANS_MAX, type OfficeHours, type OfficeSpan } from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';

/** The days of the week from Monday on, as the office hours number them. */
export const WEEK = [
  { day: 1, name: msg('Monday') },
  { day: 2, name: msg('Tuesday') },
  { day: 3, name: msg('Wednesday') },
  { day: 4, name: msg('Thursday') },
  { day: 5, name: msg('Friday') },
  { day: 6, name: msg('Saturday') },
  { day: 0, name: msg('Sunday') },
] as const;

const WORKDAYS = [1, 2, 3, 4, 5];
const MORNING = { from: '09:00', to: '17:00' };
/** After a first stretch of the day, the next one begins and ends here. */
const EVENING = { from: '18:00', to: '20:00' };
/** A clock shows midnight as the begin of a day; as its end it is written so. */
const DAY_END = '24:00';
const MIDNIGHT = '00:00';

/** Office hours to begin with: a common week. */
export function commonHours(timeZone: string): OfficeHours {
  return { timeZone, days: WORKDAYS.map((day) => ({ day, ...MORNING })) };
}

/** One more stretch on that day. */
export function withSpan(hours: OfficeHours, day: number): OfficeHours {
  const hasOne = hours.days.some((span) => span.day === day);
  return { ...hours, days: [...hours.days, { day, ...(hasOne ? EVENING : MORNING) }] };
}

/** The stretch at this place of the list changed. */
export function withChange(hours: OfficeHours, at: number, change: Partial<OfficeSpan>): OfficeHours {
  return { ...hours, days: hours.days.map((span, index) => (index === at ? { ...span, ...change } : span)) };
}

/** The hours without the stretch at this place of the list. */
export function withoutSpan(hours: OfficeHours, at: number): OfficeHours {
  return { ...hours, days: hours.days.toSpliced(at, 1) };
}

/** The end of a stretch as a clock shows it. */
export function shownEnd(to: string): string {
  return to === DAY_END ? MIDNIGHT : to;
}

/** The end of a stretch as it is kept: midnight ends the day. */
export function keptEnd(shown: string): string {
  return shown === MIDNIGHT ? DAY_END : shown;
}

/** What the server would refuse about these hours, in a sentence. */
export function hoursProblem(hours: OfficeHours | null): string | undefined {
  if (hours === null) return undefined;
  if (!isTimeZone(hours.timeZone)) return t('Enter a time zone like Europe/Berlin');
  if (hours.days.length > OFFICE_SPANS_MAX)
    return t('Office hours can have up to {max} time spans', { max: OFFICE_SPANS_MAX });
  if (hours.days.some(({ from, to }) => from === '' || to === ''))
    return t('Enter the start and the end of each time span');
  const reversed = hours.days.find(({ from, to }) => from >= to);
  const name = WEEK.find(({ day }) => day === reversed?.day)?.name;
  return name && t('{name} must end after it starts. Add hours past midnight to the next day.', { name: t(name) });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name.trim() !== '';
  } catch {
    return false;
  }
}

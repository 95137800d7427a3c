import { HOLIDAYS_MAX, type Holiday, type OfficeHours } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { WEEK } from './officeHours.ts';

/** A holiday, its place in the hours, and its next day that is not over; null: it is over for good. */
export interface HolidayRow {
  at: number;
  holiday: Holiday;
  next: string | null;
}

const ALL_DAY = { from: '00:00', to: '24:00' };
/** The longest time without a 29 February. */
const LEAP_YEARS_APART = 8;

/** Office hours around the clock: holidays need some. */
export function alwaysOpen(timeZone: string): OfficeHours {
  return { timeZone, days: WEEK.map(({ day }) => ({ day, ...ALL_DAY })) };
}

/** Whether the hours leave nothing closed but the holidays. */
export function isAlwaysOpen({ days }: OfficeHours): boolean {
  const isWhole = (day: number) =>
    days.some((span) => span.day === day && span.from === ALL_DAY.from && span.to === ALL_DAY.to);
  return WEEK.every(({ day }) => isWhole(day));
}

/** The hours with more holidays, in the order of their dates. */
export function withHolidays(hours: OfficeHours, more: Holiday[]): OfficeHours {
  return { ...hours, holidays: [...(hours.holidays ?? []), ...more].sort((a, b) => a.date.localeCompare(b.date)) };
}

/** The hours without the holiday at this place of the list. */
export function withoutHoliday({ holidays = [], ...hours }: OfficeHours, at: number): OfficeHours {
  const left = holidays.toSpliced(at, 1);
  return left.length > 0 ? { ...hours, holidays: left } : hours;
}

/** The holidays in the order in which they come, those that are over last. @param today like `2026-12-25` */
export function inOrder(holidays: Holiday[], today: string): HolidayRow[] {
  const rows = holidays.map((holiday, at) => ({ at, holiday, next: nextDay(holiday, today) }));
  return rows.sort((a, b) => (a.next ?? `9${a.holiday.date}`).localeCompare(b.next ?? `9${b.holiday.date}`));
}

function nextDay({ date, yearly }: Holiday, today: string): string | null {
  if (date >= today) return date;
  if (!yearly) return null;
  const year = Number(today.slice(0, 4));
  const years = Array.from({ length: LEAP_YEARS_APART + 1 }, (_, ahead) => `${year + ahead}${date.slice(4)}`);
  return years.find((day) => day >= today && isDay(day)) ?? null;
}

function isDay(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
}

/** Whether there already is a holiday on each day of this one. */
export function isCovered({ date, yearly }: Holiday, holidays: Holiday[]): boolean {
  return holidays.some((other) =>
    other.yearly ? other.date <= date && other.date.slice(5) === date.slice(5) : !yearly && other.date === date,
  );
}

/** What is wrong with a holiday to be added, in a sentence. */
export function holidayProblem(holiday: Holiday, holidays: Holiday[]): string | undefined {
  if (!isDay(holiday.date)) return t('Choose the day of the holiday');
  if (holiday.name.trim() === '') return t('Enter a name for the holiday');
  if (isCovered(holiday, holidays)) return t('There already is a holiday on that day');
  if (holidays.length >= HOLIDAYS_MAX) return t('A website can have up to {max} holidays', { max: HOLIDAYS_MAX });
  return undefined;
}

/** Today's date in a time zone, like `2026-12-25`. */
export function todayIn(timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone }).format();
  } catch {
    // What is typed may be no time zone yet.
    return new Intl.DateTimeFormat('en-CA', parts).format();
  }
}

import { t } from '../../../lib/i18n.ts';

/** The hour at which a day of work begins. */
const MORNING = 9;
const LATER_HOURS = 3;
const MONDAY = 1;
const WEEK = 7;

/** A time that is offered, where the user is. */
export interface SnoozeTime {
  label: string;
  at: Date;
}

/** The times that a chat can be snoozed until with one press. Late in the evening there is no 'Later today'. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const later = new Date(now);
  // To the next half hour: nobody wants to be called at 14:07.
  later.setMinutes(now.getMinutes() <= 30 ? 30 : 60, 0, 0);
  later.setHours(later.getHours() + LATER_HOURS);
  const isToday = later.toDateString() === now.toDateString();
  const tomorrow = morningIn(now, 1);
  const monday = morningIn(now, (MONDAY - now.getDay() + WEEK) % WEEK || WEEK);
  return [
    ...(isToday ? [{ label: t('Later today'), at: later }] : []),
    { label: t('Tomorrow morning'), at: tomorrow },
    // On Sundays they are the same.
    ...(monday.getTime() === tomorrow.getTime() ? [] : [{ label: t('Next Monday morning'), at: monday }]),
  ];
}

/** By the calendar: a day on which the clocks change has no 24 hours. */
function morningIn(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

/** The day of a time where the user is, as a date field has it: `2026-05-31`. */
export function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

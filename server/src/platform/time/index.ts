export { addDays, type Calendar, calendarOf, timeZoneOf } from './calendar.ts';
export { withRetries } from './retry.ts';
export { DAY_MS, DAY_S, HOUR_MS, HOUR_S, MINUTE_MS, MINUTE_S, SECOND_MS } from './time.ts';

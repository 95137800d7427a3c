import { expect, test } from 'vitest';
import { addDays, calendarOf } from './calendar.ts';

test.each([
  ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  // the clocks went forward at midnight: 00:00 did not exist
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
])('in %s, %s begins at %s', (timeZone, day, start) => {
  const calendar = calendarOf(timeZone);
  expect(new Date(calendar.startOf(day)).toISOString()).toBe(start);
  expect(calendar.dayOf(Date.parse(start))).toBe(day);
  expect(calendar.dayOf(Date.parse(start) - 1)).toBe(addDays(day, -1));
});

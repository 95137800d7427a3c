import { afterEach, beforeEach, expect, test } from 'vitest';
import { dayText } from '../src/chat/view/rows.ts';

const { TZ } = process.env;
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterEach(() => {
  process.env.TZ = TZ;
});

const at = (time: string) => Date.parse(time);

test('yesterday is the previous calendar day, also when the clocks changed', () => {
  // The night to Sunday 29 March 2026 has 23 hours, that to 25 October 25.
  const spring = at('2026-03-29T22:30:00Z');
  expect(dayText(at('2026-03-28T12:00:00Z'), spring, 'en')).toBe('Saturday, March 28');
  expect(dayText(at('2026-03-29T12:00:00Z'), spring, 'en')).toBe('Yesterday');
  const autumn = at('2026-10-25T22:30:00Z');
  expect(dayText(at('2026-10-24T12:00:00Z'), autumn, 'en')).toBe('Yesterday');
  expect(dayText(at('2026-10-25T01:00:00Z'), autumn, 'en')).toBe('Today');
});

test('a day of another year includes the year', () => {
  const now = at('2026-01-05T12:00:00Z');
  expect(dayText(at('2025-12-24T12:00:00Z'), now, 'en')).toBe('Wednesday, December 24, 2025');
  expect(dayText(at('2026-01-02T12:00:00Z'), now, 'en')).toBe('Friday, January 2');
});

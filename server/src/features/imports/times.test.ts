import { expect, test } from 'vitest';
import { timeReader } from './times.ts';

const READ = timeReader({ timeZone: 'Europe/Berlin', dayFirst: true });
const iso = (text: string, read = READ) => {
  const at = read(text);
  return at === null ? null : new Date(at).toISOString();
};

test.each([
  ['2024-05-06T07:00:00Z', '2024-05-06T07:00:00.000Z'],
  ['2024-05-06T09:00:00.123+02:00', '2024-05-06T07:00:00.000Z'],
  ['2024-05-06 07:00:00 UTC', '2024-05-06T07:00:00.000Z'],
  ['2024-05-06 09:00', '2024-05-06T07:00:00.000Z'],
  ['2024-01-06 09:00', '2024-01-06T08:00:00.000Z'],
  ['2024/5/6', '2024-05-05T22:00:00.000Z'],
  ['06.05.2024 09.00', '2024-05-06T07:00:00.000Z'],
  ['06/05/2024, 9:00 AM', '2024-05-06T07:00:00.000Z'],
  ['06/05/2024 12:30 a.m.', '2024-05-05T22:30:00.000Z'],
  ['6 May 2024 21:00', '2024-05-06T19:00:00.000Z'],
  ['Monday, May 6, 2024 9:00 PM', '2024-05-06T19:00:00.000Z'],
  ['Mon, 06 May 2024 07:00:00 GMT', '2024-05-06T07:00:00.000Z'],
  ['1714978800', '2024-05-06T07:00:00.000Z'],
  ['1714978800.5', '2024-05-06T07:00:00.500Z'],
  ['1714978800000', '2024-05-06T07:00:00.000Z'],
  ['1714978800000000', '2024-05-06T07:00:00.000Z'],
  ['yesterday', null],
  ['2024-02-31', null],
  ['2024-05-06 25:00', null],
  ['13/13/2024', null],
  ['', null],
])('%s', (text, expected) => {
  expect(iso(text)).toBe(expected);
});

test('the order of day and month is chosen', () => {
  const read = timeReader({ timeZone: 'UTC', dayFirst: false });
  expect(iso('06/05/2024', read)).toBe('2024-06-05T00:00:00.000Z');
});

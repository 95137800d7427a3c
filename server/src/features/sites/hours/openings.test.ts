import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { OfficeHours } from './contract.ts';
import { toOfficeHours } from './officeHours.ts';
import { holidayAt, isOpen, nextOpening } from './openings.ts';

afterEach(() => void vi.unstubAllGlobals());

const days = [
  { day: 1, from: '09:00', to: '17:30' },
  { day: 6, from: '22:00', to: '24:00' },
  { day: 0, from: '00:00', to: '02:00' },
];

test.each([
  ['2026-03-02T08:59:59Z', 'UTC', false],
  ['2026-03-02T09:00:00Z', 'UTC', true],
  ['2026-03-02T17:29:59Z', 'UTC', true],
  ['2026-03-02T17:30:00Z', 'UTC', false],
  ['2026-03-03T12:00:00Z', 'UTC', false],
  ['2026-03-07T23:59:59Z', 'UTC', true],
  ['2026-03-08T00:00:00Z', 'UTC', true],
  ['2026-03-08T02:00:00Z', 'UTC', false],
  ['2026-03-02T08:00:00Z', 'Europe/Berlin', true],
  ['2026-07-06T07:00:00Z', 'Europe/Berlin', true],
  ['2026-03-02T00:30:00Z', 'Asia/Tokyo', true],
])('at %s in %s the office is open: %j', (at, timeZone, open) => {
  expect(isOpen({ timeZone, days }, Date.parse(at))).toBe(open);
});

test('without office hours the site is always open, with an empty list never', () => {
  expect(isOpen(null, 0)).toBe(true);
  expect(isOpen({ timeZone: 'UTC', days: [] }, 0)).toBe(false);
});

const weekdays = (from = '09:00', to = '17:00') => [1, 2, 3, 4, 5].map((day) => ({ day, from, to }));
const holiday = (date: string, yearly = false) => ({ date, name: `Holiday of ${date}`, yearly });

test('on holidays the office is closed all day in its time zone, on yearly ones in each year from the first on', () => {
  const holidays = [holiday('2026-04-06'), holiday('2025-12-25', true), holiday('2024-02-29', true)];
  const hours = { timeZone: 'Asia/Tokyo', days: weekdays('00:00', '24:00'), holidays };
  const open = (at: string) => isOpen(hours, Date.parse(`${at}+09:00`));
  expect(['2026-04-05T23:59', '2026-04-06T00:00', '2026-04-06T23:59', '2026-04-07T00:00'].map(open)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(open('2027-04-06T12:00')).toBe(true);
  expect(['2024-12-25T12:00', '2025-12-25T12:00', '2026-12-25T12:00'].map(open)).toEqual([true, false, false]);
  expect(['2028-02-29T12:00', '2027-03-01T12:00'].map(open)).toEqual([false, true]);
  expect(holidayAt(hours, Date.parse('2026-12-24T15:00Z'))?.date).toBe('2025-12-25');
  expect(holidayAt(hours, Date.parse('2026-12-24T14:59Z'))).toBeNull();
  expect(holidayAt(null, 0)).toBeNull();
});

test.each([
  ['2026-03-06T17:00:00Z', 'UTC', '2026-03-09T09:00:00Z'],
  ['2026-03-09T08:59:30Z', 'UTC', '2026-03-09T09:00:00Z'],
  ['2026-03-09T12:00:30Z', 'UTC', '2026-03-09T12:00:30Z'],
  // the clocks are put forward on 29 March
  ['2026-03-27T17:00:00Z', 'Europe/Berlin', '2026-03-30T07:00:00Z'],
  // Easter Monday
  ['2026-04-03T15:00:00Z', 'Europe/Berlin', '2026-04-07T07:00:00Z'],
])('at %s in %s the next opening is at %s', (at, timeZone, next) => {
  const hours = { timeZone, days: weekdays(), holidays: [holiday('2026-04-06')] };
  expect(nextOpening(hours, Date.parse(at))).toBe(Date.parse(next));
});

test('an opening in the hour that is missing is at its end, and one in the hour that comes twice can be in either', () => {
  const hours = { timeZone: 'Europe/Berlin', days: [{ day: 0, from: '02:30', to: '02:45' }] };
  const later = { ...hours, days: [{ day: 0, from: '02:30', to: '04:00' }] };
  const next = (from: OfficeHours, at: string) => new Date(nextOpening(from, Date.parse(at)) ?? 0).toISOString();
  expect(next(later, '2026-03-29T00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  expect(next(hours, '2026-03-29T00:00Z')).toBe('2026-04-05T00:30:00.000Z');
  expect(next(hours, '2026-10-25T00:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(next(hours, '2026-10-25T00:45Z')).toBe('2026-10-25T01:30:00.000Z');
});

test('there is no next opening where none is within 60 days', () => {
  const empty = { timeZone: 'UTC', days: [] };
  expect([nextOpening(null, 7), nextOpening(empty, 7)]).toEqual([7, null]);
  const days = Array.from({ length: 70 }, (_, n) => new Date(Date.UTC(2026, 5, 1 + n)).toISOString().slice(0, 10));
  const closed = { timeZone: 'UTC', days: weekdays(), holidays: days.map((day) => holiday(day)) };
  expect(nextOpening(closed, Date.UTC(2026, 5, 1))).toBeNull();
  expect(nextOpening(closed, Date.UTC(2026, 5, 20))).toBe(Date.parse('2026-08-10T09:00:00Z'));
});

const MINUTE_MS = 60_000;
const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
const clock = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => `${part}`.padStart(2, '0')).join(':');
const span = fc
  .record({ day: fc.integer({ min: 0, max: 6 }), begin: minutes, length: minutes })
  .map(({ day, begin, length }) => ({ day, from: clock(begin), to: clock(Math.min(begin + length + 1, 24 * 60)) }));
/** Zones whose clocks change by an hour at one, two and three o'clock or at midnight, and by half an hour. */
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut', 'Africa/Cairo'];

test('at the next opening it is open, and at no minute before', () => {
  const nearChanges = fc
    .tuple(fc.constantFrom('2026-03-06', '2026-03-26', '2026-04-03', '2026-04-22', '2026-10-23', '2026-10-30'), minutes)
    .map(([day, minute]) => Date.parse(day) + minute * MINUTE_MS + 30_000);
  const holidays = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 });
  const property = fc.property(
    fc.constantFrom(...zones),
    fc.array(span, { minLength: 1, maxLength: 4 }),
    holidays,
    nearChanges,
    (timeZone, days, closed, at) => {
      const dates = closed.map((day) => new Date(at + day * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10));
      const hours = { timeZone, days, holidays: dates.map((date) => holiday(date)) };
      const next = nextOpening(hours, at) ?? 0;
      expect(isOpen(hours, next)).toBe(true);
      for (let before = next - MINUTE_MS; before >= at; before -= MINUTE_MS) {
        if (isOpen(hours, before)) throw new Error(`open before, at ${new Date(before).toISOString()}`);
      }
    },
  );
  fc.assert(property, { numRuns: 25 });
});

test('a limited number of cached clocks is kept, for any spelling of a time zone', () => {
  const spellings = Array.from({ length: 2_048 }, (_, n) =>
    [...'EUROPE/BERLIN'].map((letter, i) => ((n >> i) & 1 ? letter.toLowerCase() : letter)).join(''),
  );
  const different = [...new Set(spellings)];
  let made = 0;
  const Counted = class extends Intl.DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...given);
      made++;
    }
  };
  vi.stubGlobal('Intl', { DateTimeFormat: Counted });
  const madeFor = (timeZones: string[]) => {
    const before = made;
    for (const timeZone of timeZones) isOpen({ timeZone, days: [] }, 0);
    return made - before;
  };
  expect(different.length).toBeGreaterThan(600);
  expect(madeFor(different)).toBe(different.length);
  expect(madeFor(different.slice(-600))).toBe(0);
  expect(madeFor(different.slice(0, 1))).toBe(1);
});

test('a time zone is stored in its canonical spelling', () => {
  const spelled = ['europe/berlin', 'EUROPE/BERLIN', 'Europe/Berlin'].map((timeZone) =>
    toOfficeHours({ timeZone, days: [] }),
  );
  expect(spelled.map((hours) => hours?.timeZone)).toEqual(Array(3).fill('Europe/Berlin'));
  expect(() => toOfficeHours({ timeZone: 'Europe/Atlantis', days: [] })).toThrow('time zone');
});

test.each([
  [{ date: '2026-02-30', name: 'Never', yearly: false }, /date/],
  [{ date: '1.5.2026', name: 'May Day', yearly: true }, /date/],
  [{ date: '2026-05-01', name: ' ', yearly: true }, /name/],
  [{ date: '2026-05-01', name: 'x'.repeat(101), yearly: true }, /name/],
  [{ date: '2026-05-01', name: 'May Day' }, /yearly/],
  [null, /date/],
])('a holiday like %j is refused', (wrong, reason) => {
  expect(() => toOfficeHours({ timeZone: 'UTC', days: [], holidays: [wrong] })).toThrow(reason);
});

test('holidays are stored tidied, and left out where there are none', () => {
  const hours = { timeZone: 'UTC', days: [] };
  const dirty = { date: '2026-05-01', name: ' May Day ', yearly: true, other: 1 };
  expect(toOfficeHours({ ...hours, holidays: [dirty] })?.holidays).toEqual([
    { date: '2026-05-01', name: 'May Day', yearly: true },
  ]);
  expect(toOfficeHours({ ...hours, holidays: [] })).toEqual(hours);
  const many = Array(201).fill(dirty);
  expect(() => toOfficeHours({ ...hours, holidays: many })).toThrow('up to 200');
});

import { afterEach, expect, test, vi } from 'vitest';
import { isOpen, toOfficeHours } from './officeHours.ts';

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

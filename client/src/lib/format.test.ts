import { describe, expect, it, vi } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDayTime,
  formatDuration,
  formatRelativeDay,
  truncate,
} from './format.ts';
import { showTexts } from './i18n.ts';

describe('a truncated text', () => {
  it('is its beginning, on one line', () => {
    expect(truncate('Short\nand sweet', 30)).toBe('Short and sweet');
    expect(truncate('abcdefghij'.repeat(4), 30)).toBe(`${'abcdefghij'.repeat(3)}…`);
  });

  it('is cut between visible characters', () => {
    expect(truncate('👩‍👩‍👧'.repeat(40), 30)).toBe(`${'👩‍👩‍👧'.repeat(30)}…`);
  });

  it('needs no browser that can tell them', async () => {
    vi.stubGlobal('Intl', { DateTimeFormat: Intl.DateTimeFormat });
    vi.resetModules();
    const old = await import('./format.ts');
    expect(old.truncate('🙂'.repeat(40), 30)).toBe(`${'🙂'.repeat(30)}…`);
    vi.unstubAllGlobals();
  });
});

it('formats days as Today, Yesterday or a date', () => {
  const now = Date.parse('2026-03-10T12:00:00');
  expect(formatRelativeDay('2026-03-10T01:00:00', now)).toBe('Today');
  expect(formatRelativeDay('2026-03-09T23:00:00', now)).toBe('Yesterday');
  // The clocks changed on Sunday: half past midnight on Monday is 23 and a half hours after Saturday's last moments.
  vi.stubEnv('TZ', 'Europe/Berlin');
  const monday = Date.parse('2026-03-30T00:30:00');
  expect(formatRelativeDay('2026-03-29T12:00:00', monday)).toBe('Yesterday');
  expect(formatRelativeDay('2026-03-28T23:40:00', monday)).toBe('Saturday, March 28');
  vi.unstubAllEnvs();
  expect(formatRelativeDay('2026-03-02T23:00:00', now)).toBe('Monday, March 2');
  expect(formatRelativeDay('2025-12-24T08:00:00', now)).toBe('Wednesday, December 24, 2025');
});

it('formats numbers, dates and times as the language has them, with the digits of all other numbers', () => {
  const at = '2026-05-31T15:05:00';
  const now = Date.parse(at) + 3 * 3_600_000;
  const all = () => [formatCount(1204), formatBytes(3_565_158), formatDayTime(at), formatAge(at, now)];
  const english = all();
  showTexts('de', { '{hours} h': '{hours} Std.' });
  expect(all()).toEqual(['1.204', '3,4 MB', '31. Mai, 15:05', '3 Std.']);
  expect(formatBytes(12)).toBe('12 Byte');
  showTexts('ar', {}, 'ar-u-nu-latn');
  expect(all().join()).not.toMatch(/[٠-٩]/);
  showTexts('en', {});
  expect(all()).toEqual(english);
});

it('says how long something takes in its two largest units', () => {
  const all = () => [0, 3.4, 60, 125, 4320, 4500].map(formatDuration);
  expect(all()).toEqual(['0 min', '3.4 min', '1 hr', '2 hr 5 min', '3 days', '3 days 3 hr']);
  showTexts('de', {});
  expect(all().slice(3)).toEqual(['2 Std., 5 Min.', '3 Tage', '3 Tage, 3 Std.']);
  showTexts('en', {});
});

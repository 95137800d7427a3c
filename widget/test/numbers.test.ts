import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Forms, format, plural } from '../src/chat/language.ts';
import { dayText } from '../src/chat/view/rows.ts';
import { more as ar } from '../src/languages/ar.ts';
import { more as en } from '../src/languages/en.ts';
import { more as fa } from '../src/languages/fa.ts';
import { more as fr } from '../src/languages/fr.ts';
import { more as ru } from '../src/languages/ru.ts';

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
  expect(dayText(at('2026-03-29T12:00:00Z'), spring, 'en')).toBe('yesterday');
  const autumn = at('2026-10-25T22:30:00Z');
  expect(dayText(at('2026-10-24T12:00:00Z'), autumn, 'en')).toBe('yesterday');
  expect(dayText(at('2026-10-25T01:00:00Z'), autumn, 'en')).toBe('today');
});

test('a day of another year includes the year', () => {
  const now = at('2026-01-05T12:00:00Z');
  expect(dayText(at('2025-12-24T12:00:00Z'), now, 'en')).toBe('Wednesday, December 24, 2025');
  expect(dayText(at('2026-01-02T12:00:00Z'), now, 'en')).toBe('Friday, January 2');
});

test.each<[locale: string, forms: Forms, counts: Record<number, string>]>([
  ['en', en.unread, { 1: '1 unread', 1200: '1,200 unread' }],
  ['fr', fr.unread, { 1: '1 non lu', 2: '2 non lus' }],
  ['ru', ru.unread, { 1: '1 непрочитанное сообщение', 3: '3 непрочитанных сообщения', 5: '5 непрочитанных сообщений' }],
  ['fa', fa.unread, { 3: '۳ خوانده‌نشده' }],
  ['ar-EG', ar.unread, { 2: 'رسالتان غير مقروءتين', 3: '٣ رسائل غير مقروءة', 11: '١١ رسالة غير مقروءة' }],
])('numbers in %s have its digits and plural forms', (locale, forms, counts) => {
  for (const [count, text] of Object.entries(counts)) expect(plural(forms, Number(count), locale)).toBe(text);
});

test('a name stays as it is', () => expect(format('{} …', '$& 5', 'fa')).toBe('$& 5 …'));

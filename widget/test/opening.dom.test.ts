import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PartTexts } from '../src/languages/en.ts';
import { backText } from '../src/opening/opening.ts';
import { find, leave, parley, texts, visit } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.online = false;
});
afterEach(async () => {
  leave();
  localStorage.clear();
  await server.stop();
});

async function open(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(texts('.offline')[0]).toBe('Nobody is there.'));
  await waitFor(() => expect(server.io.of('/visitor').sockets.size).toBe(1));
}

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const told = () => texts('.opening').filter(Boolean);

test('below the offline message stands when a closed site opens, until somebody is there', async () => {
  server.config.opensAt = inHours(72);
  await open();
  await waitFor(() => expect(told()).toEqual([expect.stringMatching(/^Back on \w+day at \d/)]));
  server.io.of('/visitor').emit('availability', { online: true });
  await waitFor(() => expect(texts('.offline').filter(Boolean)).toEqual([]));
});

test('a page that was open learns it when the site closes, and no longer says it once the time is past', async () => {
  await open();
  expect(texts('.opening')).toEqual([]);
  const closed = (opensAt: string) => server.io.of('/visitor').emit('availability', { online: false, opensAt });
  closed(inHours(24 * 10));
  await waitFor(() => expect(told()).toEqual([expect.stringMatching(/^Back on \w+day, \w+ \d+ at \d/)]));
  closed(inHours(-1));
  await waitFor(() => expect(told()).toEqual([]));
});

test.each([
  ['en-GB', [27, 14], 'Back today at 14:00'],
  ['en-US', [28, 9], 'Back tomorrow at 9:00 AM'],
  ['en-GB', [29, 9], 'Back on Sunday at 09:00'],
  ['en-GB', [33, 9], 'Back on Thursday at 09:00'],
  ['en-GB', [34, 9], 'Back on Friday 4 December at 09:00'],
  ['de-DE', [31, 9], 'Wir sind am Dienstag um 09:00 Uhr wieder da'],
  ['de-DE', [55, 9], 'Wir sind am Freitag, 25. Dezember um 09:00 Uhr wieder da'],
  ['fr-FR', [31, 9], 'De retour mardi à 09:00'],
  ['ru-RU', [31, 9], 'Снова на связи: вторник, 09:00'],
  ['ja-JP', [31, 9], '火曜日 9:00 に再開します'],
] as [string, [number, number], string][])(
  'in %s, day %j of November is said as %s',
  async (locale, [day, hour], said) => {
    const { more }: { more: PartTexts } = await import(`../src/languages/${locale.slice(0, 2)}.ts`);
    const text = backText(new Date(2026, 10, day, hour), new Date(2026, 10, 27, 12), more, locale);
    expect(text.replace(/\u202f/g, ' ')).toBe(said);
  },
);

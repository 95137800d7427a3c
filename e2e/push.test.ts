import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const WORKER = readFileSync(new URL('../client/public/sw.js', import.meta.url), 'utf8');
const NOTICE = { title: 'Mina Park', body: 'Hello?', chatId: 'a'.repeat(24) };

interface Page {
  url: string;
  focused: boolean;
}

/** What the service worker shows for a push while these pages are open. */
async function shownTo(pages: Page[], notice: object): Promise<string[]> {
  const shown: string[] = [];
  const hears = new Map<string, (event: object) => void>();
  const browser = {
    addEventListener: (name: string, hear: (event: object) => void) => hears.set(name, hear),
    clients: { matchAll: async () => pages },
    registration: { showNotification: async (title: string) => shown.push(title) },
  };
  new Function(...Object.keys(browser), WORKER)(...Object.values(browser));
  let done: unknown;
  hears.get('push')?.({ data: { json: () => notice }, waitUntil: (work: unknown) => (done = work) });
  await done;
  return shown;
}

const DASHBOARD = { url: 'https://chat.example.com/dashboard/inbox', focused: false };
const DOCS = { url: 'https://chat.example.com/docs', focused: true };

it('a push message is shown unless the dashboard is visible, which notifies by itself', async () => {
  expect(await shownTo([], NOTICE)).toEqual(['Mina Park']);
  expect(await shownTo([DASHBOARD, DOCS], NOTICE)).toEqual(['Mina Park']);
  expect(await shownTo([{ ...DASHBOARD, focused: true }], NOTICE)).toEqual([]);
  // A requested test shows also on a visible page.
  expect(await shownTo([{ ...DASHBOARD, focused: true }], { ...NOTICE, chatId: null })).toEqual(['Mina Park']);
});

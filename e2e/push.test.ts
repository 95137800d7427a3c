import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const WORKER = readFileSync(new URL('../client/public/sw.js', import.meta.url), 'utf8');
const NOTICE = { title: 'Mina Park', body: 'Hello?', chatId: 'a'.repeat(24) };

interface Page {
  url: string;
  focused: boolean;
}

/** The service worker in a browser with these pages; `send` resolves when it has done what an event calls for. */
function startWorker(pages: Page[]) {
  const shown: string[] = [];
  const opened: string[] = [];
  const hears = new Map<string, (event: object) => void>();
  const browser = {
    addEventListener: (name: string, hear: (event: object) => void) => hears.set(name, hear),
    clients: { matchAll: async () => pages, openWindow: async (path: string) => opened.push(path) },
    registration: { showNotification: async (title: string) => shown.push(title) },
  };
  new Function(...Object.keys(browser), WORKER)(...Object.values(browser));
  async function send(name: string, event: object): Promise<void> {
    let done: unknown;
    hears.get(name)?.({ ...event, waitUntil: (work: unknown) => (done = work) });
    await done;
  }
  return { shown, opened, send };
}

/** What the service worker shows for a push while these pages are open. */
async function shownTo(pages: Page[], notice: object): Promise<string[]> {
  const { shown, send } = startWorker(pages);
  await send('push', { data: { json: () => notice } });
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

it('a click on a notification opens its chat, or the page that it names', async () => {
  const { chatId } = NOTICE;
  const path = `/dashboard/inbox?chat=${chatId}&at=4&note=${chatId}`;
  const { opened, send } = startWorker([DOCS]);
  for (const data of [{ chatId }, { chatId, path }, { chatId: null }])
    await send('notificationclick', { notification: { data, close() {} } });
  expect(opened).toEqual([`/dashboard/inbox?chat=${chatId}`, path, '/dashboard']);
});

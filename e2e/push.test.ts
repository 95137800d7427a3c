import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const WORKER = readFileSync(new URL('../client/public/sw.js', import.meta.url), 'utf8');
const NOTICE = { title: 'Mina Park', body: 'Hello?', chatId: 'a'.repeat(24) };

interface Page {
  url: string;
  focused: boolean;
}

/** A notification as the service worker shows it, and as a click on it gives it back. */
interface Shown {
  title: string;
  body?: string;
  actions?: object[];
  close: () => void;
}

const offline = () => Promise.reject(new TypeError('Failed to fetch'));

/** The service worker in a browser with these pages; `send` resolves when it has done what an event calls for. */
function startWorker(pages: Page[], fetch: () => Promise<object> = offline, texts?: object) {
  const shown: string[] = [];
  const notifications: Shown[] = [];
  const opened: string[] = [];
  const hears = new Map<string, (event: object) => void>();
  const browser = {
    addEventListener: (name: string, hear: (event: object) => void) => hears.set(name, hear),
    clients: { matchAll: async () => pages, openWindow: async (path: string) => opened.push(path) },
    registration: {
      showNotification: async (title: string, options: object) => {
        shown.push(title);
        notifications.push({ title, close() {}, ...options });
      },
    },
    fetch,
    caches: { match: async () => texts && { json: async () => texts } },
  };
  new Function(...Object.keys(browser), WORKER)(...Object.values(browser));
  async function send(name: string, event: object): Promise<void> {
    let done: unknown;
    hears.get(name)?.({ ...event, waitUntil: (work: unknown) => (done = work) });
    await done;
  }
  return { shown, notifications, opened, send };
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

it('a click on a notification moves an open dashboard, which says so; one that does not is loaded anew', async () => {
  const path = `/dashboard/inbox?chat=${NOTICE.chatId}`;
  const clickedWith = async (answers: boolean, isControlled: boolean) => {
    const done: string[] = [];
    const page = {
      ...DASHBOARD,
      postMessage: (message: { open: string }, [port]: MessagePort[]) => {
        if (answers) port?.postMessage('taken');
        done.push(`asked for ${message.open}`);
      },
      focus: async () => done.push('focused'),
      navigate: async (to: string) => {
        if (!isControlled) throw new TypeError("This service worker is not the client's active service worker.");
        done.push(`loaded ${to}`);
        return page;
      },
    };
    const { opened, send } = startWorker([DOCS, page]);
    await send('notificationclick', { notification: { data: { path }, close() {} } });
    return [...done, ...opened.map((each) => `opened ${each}`)];
  };
  const all = await Promise.all([clickedWith(true, true), clickedWith(false, true), clickedWith(false, false)]);
  const asked = `asked for ${path}`;
  expect(all).toEqual([
    [asked, 'focused'],
    [asked, `loaded ${path}`, 'focused'],
    [asked, `opened ${path}`],
  ]);
});

it('a click on a notification opens its chat, or the page that it names', async () => {
  const { chatId } = NOTICE;
  const path = `/dashboard/inbox?chat=${chatId}&at=4&note=${chatId}`;
  const { opened, send } = startWorker([DOCS]);
  for (const data of [{ chatId }, { chatId, path }, { chatId: null }])
    await send('notificationclick', { notification: { data, close() {} } });
  expect(opened).toEqual([`/dashboard/inbox?chat=${chatId}&do=write`, path, '/dashboard']);
});

const CHAT_PATH = `/dashboard/inbox?chat=${NOTICE.chatId}`;
const ACTIONS = [
  { action: 'claim', title: 'Claim', path: `${CHAT_PATH}&do=claim`, token: 'secret' },
  { action: 'open', title: 'Open', path: `${CHAT_PATH}&do=write` },
];
const answering = (status: number, message: string) => async () => ({ status, json: async () => ({ message }) });

/** Presses a button of a pushed notification, and then the notification that comes of it, if one does. */
async function press(action: string, fetch?: () => Promise<object>) {
  const { notifications, opened, send } = startWorker([DOCS], fetch);
  await send('push', { data: { json: () => ({ ...NOTICE, actions: ACTIONS }) } });
  const [notification] = notifications;
  expect(notification?.actions).toEqual(ACTIONS.map(({ action, title }) => ({ action, title })));
  await send('notificationclick', { notification, action });
  const after = notifications[1];
  if (after) await send('notificationclick', { notification: after, action: '' });
  return { said: after?.body, opened };
}

it('a button does its work without a window, and says what came of it', async () => {
  const claimed = await press('claim', answering(200, 'Claimed. Open the chat'));
  expect(claimed).toEqual({ said: 'Claimed. Open the chat', opened: [`${CHAT_PATH}&do=write`] });
  const taken = await press('claim', answering(409, 'This chat was already claimed by Ann.'));
  expect(taken.said).toBe('This chat was already claimed by Ann. Tap to open the chat.');
});

it('what a button could not do is done in the dashboard', async () => {
  const opened = [`${CHAT_PATH}&do=claim`];
  expect(await press('claim')).toEqual({ said: 'You are offline. Tap to open the chat.', opened });
  expect(await press('claim', answering(401, 'This button has expired.'))).toEqual({ said: undefined, opened });
  expect(await press('open')).toEqual({ said: undefined, opened: [`${CHAT_PATH}&do=write`] });
});

it('speaks the language that the dashboard was last shown in, with names in their own direction', async () => {
  const catalogue = {
    'This chat was already claimed by {name}.': 'Diesen Chat hat {name} bereits übernommen.',
    'Tap to open the chat.': 'Tippen Sie, um den Chat zu öffnen.',
    'Visitor · {site}': 'Besucher · {site}',
    'New message': 'Neue Nachricht',
    'You are offline': 'Sie sind offline',
    Claim: 'Übernehmen',
  };
  const texts = { language: 'de', direction: 'ltr', catalogue };
  const taken = { text: 'This chat was already claimed by {name}.', values: { name: 'محمد' } };
  const fetch = async () => ({ status: 409, json: async () => ({ message: 'This chat was …', ...taken }) });
  const { notifications, send } = startWorker([DOCS], fetch, texts);
  const said = {
    title: { text: 'Visitor · {site}', values: { site: 'Oak' } },
    body: { text: 'New message', values: {} },
  };
  const claim = { ...ACTIONS[0], said: { text: 'Claim', values: {} } };
  await send('push', { data: { json: () => ({ ...NOTICE, body: 'New message', said, actions: [claim] }) } });
  expect(notifications[0]).toMatchObject({ title: 'Besucher · Oak', body: 'Neue Nachricht' });
  expect(notifications[0]?.actions).toEqual([{ action: 'claim', title: 'Übernehmen' }]);
  await send('notificationclick', { notification: notifications[0], action: 'claim' });
  expect(notifications[1]?.body).toBe(
    'Diesen Chat hat \u2068محمد\u2069 bereits übernommen. Tippen Sie, um den Chat zu öffnen.',
  );
  // What a visitor wrote is quoted as it is.
  await send('push', { data: { json: () => ({ ...NOTICE, body: 'New message', said: {} }) } });
  expect(notifications[2]?.body).toBe('New message');

  let page: Promise<Response> | undefined;
  const respondWith = (answer: Promise<Response>) => {
    page = answer;
  };
  const fetchEvent = (preloadResponse?: Promise<object>) => ({
    request: { mode: 'navigate' },
    preloadResponse,
    respondWith,
  });
  const offlineWorker = startWorker([], offline, { ...texts, direction: 'ltr' });
  await offlineWorker.send('fetch', fetchEvent());
  expect(await (await page)?.text()).toMatch(/<html lang="de" dir="ltr">.*<h1>Sie sind offline<\/h1>/s);
  const preloaded = new Response('from the server');
  await offlineWorker.send('fetch', fetchEvent(Promise.resolve(preloaded)));
  expect(await page).toBe(preloaded);
});

import { createECDH, createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { TOKEN_KEY } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from './harness/api.ts';
import { launchChromium, newContext, watch } from './harness/browser.ts';
import { signUp } from './harness/dashboard.ts';
import { type Parley, startParley } from './harness/parley.ts';
import { visit } from './harness/shop.ts';

/** In which a browser shows a pushed message, also on a busy machine. */
const SHOWN_TIMEOUT_MS = 20_000;

let parley: Parley;
let browser: Browser;
let person: BrowserContext;
let page: Page;
let problems: string[];

beforeAll(async () => {
  parley = await startParley();
  browser = await launchChromium();
  person = await newContext(browser);
  await person.grantPermissions(['notifications'], { origin: parley.origin });
  page = await person.newPage();
  problems = watch(page, parley.origin);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

test('the public pages can be read without scripts', async () => {
  const reader = await newContext(browser, { javaScriptEnabled: false });
  const tab = await reader.newPage();
  await tab.goto(parley.origin);
  await tab.getByRole('heading', { level: 1, name: 'Talk to the people on your website.' }).waitFor();
  await tab.goto(`${parley.origin}/privacy`);
  expect(await tab.title()).toBe('Privacy · Parley');
  await tab.getByRole('heading', { name: 'For how long' }).waitFor();
  await reader.close();
});

test('the dashboard can be installed: all files of its manifest exist', async () => {
  await page.goto(parley.origin);
  const missing = await page.evaluate(async () => {
    const href = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? '';
    const manifest: { icons: { src: string; sizes: string }[] } = await (await fetch(href)).json();
    const wrong = manifest.icons.map(async ({ src, sizes }) => {
      const picture = await createImageBitmap(await (await fetch(src)).blob());
      return `${picture.width}x${picture.height}` === sizes ? [] : [src];
    });
    return (await Promise.all(wrong)).flat();
  });
  expect(missing).toEqual([]);
});

/** The service worker of the page as it receives messages about a chat, and the notifications that it shows of it. */
async function openWorker(chatId: string) {
  const devtools = await person.newCDPSession(page);
  const ids: string[] = [];
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.filter(({ scopeURL }) => scopeURL.startsWith(parley.origin));
    ids.push(...own.map(({ registrationId }) => registrationId));
  });
  await page.evaluate(async (tag) => {
    const worker = await navigator.serviceWorker.ready;
    for (const earlier of await worker.getNotifications({ tag })) earlier.close();
  }, chatId);
  await devtools.send('ServiceWorker.enable');
  await expect.poll(() => ids.length).toBeGreaterThan(0);
  const shown = () =>
    page.evaluate(async (tag) => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications({ tag })).map(({ title, body }) => [title, body]);
    }, chatId);
  const isLookedAt = () =>
    person.serviceWorkers()[0]?.evaluate(async () => {
      const { clients } = globalThis as unknown as ServiceWorkerScope;
      const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
      return pages.some(({ focused, url }) => focused && new URL(url).pathname.startsWith('/dashboard'));
    });
  return {
    shown,
    /** Pushes a message, and waits until it is shown. */
    async push(message: { title: string; body: string; actions?: object[] }) {
      // A dashboard may count as looked at for a moment after it was left.
      await expect.poll(isLookedAt).toBe(false);
      const data = JSON.stringify({ ...message, chatId });
      const registrationId = ids[0] ?? '';
      const deliver = async () => {
        await devtools.send('ServiceWorker.deliverPushMessage', { origin: parley.origin, registrationId, data });
        await expect.poll(shown, { timeout: SHOWN_TIMEOUT_MS }).toEqual([[message.title, message.body]]);
      };
      // As push services do with what a busy browser did not take.
      await deliver().catch(deliver);
    },
    /** A click on the notification or one of its buttons, which no browser takes from a program: the event that follows it. */
    async press(action = '') {
      const [worker] = person.serviceWorkers();
      await worker?.evaluate(
        async ([tag, action]) => {
          const scope = globalThis as unknown as ServiceWorkerScope;
          const [notification] = await scope.registration.getNotifications({ tag });
          const event = new scope.NotificationEvent('notificationclick', { notification, action });
          // The browser waits only for events of its own.
          scope.dispatchEvent(Object.assign(event, { waitUntil: () => undefined }));
        },
        [chatId, action] as const,
      );
    },
  };
}

/** What the test uses of a service worker's global scope. */
interface ServiceWorkerScope {
  registration: ServiceWorkerRegistration;
  clients: { matchAll(options: object): Promise<{ focused: boolean; url: string }[]> };
  NotificationEvent: new (type: string, init: object) => Event;
  dispatchEvent(event: Event): void;
}

test('a push message shows as text, and a later one about the same chat replaces it', async () => {
  await signUp(page, parley.origin);
  const { push } = await openWorker('a chat');
  // A visible dashboard needs no notification.
  await page.goto(`${parley.origin}/privacy`);
  for (const body of ['A visitor is waiting for an answer.', '<b>Hello</b>'])
    await push({ title: 'Mina · Shop', body });
  // An incognito window has no push service.
  expect(problems.filter((problem) => !/push/i.test(problem))).toEqual([]);
});

test('a button of a notification claims the chat without a window; when it cannot, the chat opens ready to write', async () => {
  const api = apiOf(parley.origin);
  const token = (await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY)) ?? '';
  const { site } = await api('POST /sites', {
    token,
    body: { name: 'Shop', domain: 'shop.example.com', settings: { autoAssign: false } },
  });
  const content = 'One moment, {{visitor.name}}.';
  const { reply } = await api('POST /canned-replies', {
    token,
    body: { siteId: site._id, shortcut: 'moment', content },
  });
  const { chatId } = await visit({ api, site }, { name: 'Mina' }, 'Hello?');
  const claim = {
    action: 'claim',
    title: 'Claim',
    path: paths(chatId, 'do=claim'),
    token: await tokenFor(token, chatId),
  };
  const answer = { action: 'reply', title: 'Reply', path: paths(chatId, `reply=${reply._id}`), token: 'too.old.now' };
  const notice = { title: 'Mina · Shop', body: 'Hello?', actions: [claim, answer] };
  const { push, press, shown } = await openWorker(chatId);
  await push(notice);
  await press('claim');
  await expect.poll(shown).toEqual([['Mina · Shop', 'Claimed. Open the chat']]);
  const { chat } = await api('GET /chats/:id', { token, params: { id: chatId } });
  expect(chat.claimedBy?.name).toBe('Ana Oliveira');

  await push({ ...notice, body: 'Still there?' });
  await page.goto(`${parley.origin}/dashboard`);
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await press('reply');
  const field = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => field.inputValue()).toBe('One moment, Mina.');
  expect(await field.evaluate((area) => area === document.activeElement)).toBe(true);
  expect(page.url()).toBe(`${parley.origin}${paths(chatId)}`);
  await field.press('Enter');
  await page.getByRole('region', { name: 'Conversation with Mina' }).getByText('One moment, Mina.').waitFor();

  await page.goto(`${parley.origin}/privacy`);
  await push({ ...notice, body: 'And now?' });
  // A dashboard that is still waiting for the server listens to nobody.
  await page.route('**/api/sites', () => undefined);
  await page.goto(`${parley.origin}/dashboard`);
  await page.getByText('Loading dashboard...').waitFor();
  await press('reply');
  await page.waitForURL(`**${paths(chatId, `reply=${reply._id}`)}`);
  await page.unroute('**/api/sites');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('One moment, Mina.');
});

const paths = (chatId: string, ask?: string) => `/dashboard/inbox?chat=${chatId}${ask === undefined ? '' : `&${ask}`}`;

/** Makes the token that the server would push to this browser: an incognito window has no push service. */
async function tokenFor(session: string, chat: string): Promise<string> {
  const endpoint = 'https://push.example.com/1';
  const curve = createECDH('prime256v1');
  const keys = { p256dh: curve.generateKeys('base64url', 'uncompressed'), auth: randomBytes(16).toString('base64url') };
  const api = apiOf(parley.origin);
  await api('POST /push/subscriptions', { token: session, body: { endpoint, keys } });
  const { user } = await api('GET /auth/profile', { token: session });
  const { sid } = JSON.parse(Buffer.from(session.split('.')[1] ?? '', 'base64url').toString());
  const dev = createHash('sha256').update(endpoint).digest('base64url');
  const claims = { sub: user._id, sid, dev, chat, seq: 1, exp: Math.floor(Date.now() / 1000) + 60 };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const secret = (await readFile(join(parley.dataDir, 'jwt-secret'), 'utf8')).trim();
  const key = createHmac('sha256', secret).update('notification action').digest();
  return [...parts, createHmac('sha256', key).update(parts.join('.')).digest('base64url')].join('.');
}

test('an unreachable server is reported, and the screen comes back by itself', async () => {
  const { push, press, shown } = await openWorker('another chat');
  await page.goto(`${parley.origin}/privacy`);
  const button = { action: 'claim', title: 'Claim', path: '/dashboard', token: 'x' };
  await push({ title: 'Mina · Shop', body: 'Hello?', actions: [button] });
  await parley.kill9();
  await press('claim');
  await expect.poll(shown).toEqual([['Mina · Shop', 'You are offline. Tap to open the chat.']]);
  await page.goto(`${parley.origin}/dashboard`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are offline');
  await parley.restart();
  const again = page.getByRole('link', { name: 'Try again' });
  const welcome = page.getByRole('heading', { level: 1, name: 'Welcome back!' });
  // On a slow machine the page tries again by itself before.
  const back = async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => undefined);
    return welcome.isVisible();
  };
  await expect.poll(back).toBe(true);
});

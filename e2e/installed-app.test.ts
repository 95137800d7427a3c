import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, newContext, watch } from './harness/browser.ts';
import { signUp } from './harness/dashboard.ts';
import { type Parley, startParley } from './harness/parley.ts';

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

test('a push message shows as text, and a later one about the same chat replaces it', async () => {
  await signUp(page, parley.origin);
  const devtools = await person.newCDPSession(page);
  const ids: string[] = [];
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.filter(({ scopeURL }) => scopeURL.startsWith(parley.origin));
    ids.push(...own.map(({ registrationId }) => registrationId));
  });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await devtools.send('ServiceWorker.enable');
  await expect.poll(() => ids.length).toBeGreaterThan(0);
  // A visible dashboard needs no notification.
  await page.goto(`${parley.origin}/privacy`);
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ title, body }) => [title, body]);
    });
  for (const body of ['A visitor is waiting for an answer.', '<b>Hello</b>']) {
    const data = JSON.stringify({ title: 'Mina · Shop', body, chatId: 'f00d' });
    const push = { origin: parley.origin, registrationId: ids[0] ?? '', data };
    // Repeated, because the dashboard may count as visible for a moment after it was left.
    const pushed = async () => {
      await devtools.send('ServiceWorker.deliverPushMessage', push);
      return shown();
    };
    await expect.poll(pushed).toEqual([['Mina · Shop', body]]);
  }
  // An incognito window has no push service.
  expect(problems.filter((problem) => !/push/i.test(problem))).toEqual([]);
});

test('an unreachable server is reported, and the screen comes back by itself', async () => {
  await parley.kill9();
  await page.goto(`${parley.origin}/dashboard`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are offline');
  await parley.restart();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Welcome back!' }).waitFor();
});

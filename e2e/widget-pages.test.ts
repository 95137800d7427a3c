import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import { chatStartedWith } from './harness/busy-shop.ts';
import { type Host, startHostPage } from './harness/host-page.ts';
import { HOSTILE_PAGES } from './harness/hostile-pages.ts';
import { hostPageOf, openShop, ownerAt, type Shop } from './harness/shop.ts';
import { type Widget, widgetOf } from './harness/widget.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** A slow phone connection: bytes a second, and latency in milliseconds. */
const SLOW_LINE = { offline: false, latency: 200, downloadThroughput: 50_000, uploadThroughput: 50_000 };

let shop: Shop;
const hosts: Host[] = [];
beforeAll(async () => {
  shop = await openShop();
  await ownerAt(shop);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all(hosts.map((host) => host.stop()));
});

interface Visit {
  page: Page;
  widget: Widget;
  problems: string[];
}

interface Stand {
  /** HTML before the script tag. */
  before?: string;
  options?: BrowserContextOptions;
  strict?: boolean;
  /** Runs before the page is loaded. */
  prepare?(page: Page): Promise<unknown>;
}

async function onPage({ before = '', options = {}, strict = false, prepare }: Stand = {}): Promise<Visit> {
  const host = await hostPageOf(shop, { before, strict });
  hosts.push(host);
  const page = await (await newContext(shop.browser, options)).newPage();
  const problems = watch(page, shop.parley.origin, host.origin);
  await prepare?.(page);
  await page.goto(host.url);
  return { page, widget: widgetOf(page), problems };
}

const composer = ({ page }: Visit) => page.locator('parley-widget .composer textarea');
const state = async ({ page }: Visit) => (await page.locator('parley-widget .mine .foot').allTextContents()).at(-1);

async function talk(visit: Visit, text: string): Promise<void> {
  await composer(visit).fill(text);
  await composer(visit).press('Enter');
  await expect.poll(() => state(visit)).toMatch(/Sent|Delivered|أُرسلت|وصلت/);
}

test.each([
  ...Object.entries(HOSTILE_PAGES).map(([kind, before]) => [kind, before, {}] as const),
  ['on a phone', '', PHONE] as const,
])('a visitor can write on a page %s', async (_, before, options) => {
  const visit = await onPage({ before, options });
  const { page, problems } = visit;
  await page.locator('parley-widget .launcher').click();
  await composer(visit).waitFor();
  await talk(visit, 'Is it blue?');
  const box = await page.locator('parley-widget .panel').boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  expect(box?.width).toBe(width < 480 ? width : 384);
  expect(problems).toEqual([]);
});

test('files, emoji and the menu work under the strictest content security policy', async () => {
  const visit = await onPage({ strict: true });
  const { page, problems } = visit;
  await visit.widget.open();
  const picture = await page.screenshot();
  const files = [{ name: 'photo.png', mimeType: 'image/png', buffer: picture }];
  await page.locator('parley-widget input[type=file]').setInputFiles(files);
  const shown = page.getByRole('img', { name: 'photo.png' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1440);
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.locator('parley-widget .emoji button:focus').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  expect(await visit.widget.composer.inputValue()).toBe('😃');
  await page.locator('parley-widget header').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'End chat' }).click();
  await page.getByText('How was this chat?').waitFor();
  expect(problems).toEqual([]);
});

test('the widget can be used with the keyboard alone', async () => {
  const visit = await onPage();
  const { page, widget } = visit;
  await widget.launcher.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await widget.composer.waitFor();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => widget.messages()).toEqual(['Hello']);
  await page.keyboard.press('Escape');
  await widget.composer.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('parley-widget');
});

test('the widget survives client-side routing, a replaced body, a second tag and the back button', async () => {
  const visit = await onPage();
  const { page, widget } = visit;
  await widget.open();
  await talk(visit, 'One');
  await page.evaluate(() => {
    history.pushState(null, '', '/cart');
    const body = document.createElement('body');
    body.innerHTML = '<main><h1>Cart</h1></main>';
    document.body.replaceWith(body);
    const tag = document.querySelector('script[data-site-id]')?.cloneNode() ?? document.createElement('script');
    body.append(tag);
  });
  await talk(visit, 'Two');
  expect(await page.locator('parley-widget').count()).toBe(1);
  await page.goto('about:blank');
  await page.goBack();
  await expect.poll(() => widget.messages()).toEqual(['One', 'Two']);
  await talk(visit, 'Three');
});

test('destroying the widget leaves nothing on the page, and another tag loads it again', async () => {
  const visit = await onPage();
  const { page, widget, problems } = visit;
  await widget.open();
  await talk(visit, 'Hello');
  const before = await page.evaluate(() => document.documentElement.style.cssText);
  await page.evaluate(() => (window as unknown as { Parley: { destroy(): void } }).Parley.destroy());
  await page.locator('parley-widget').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.documentElement.style.cssText)).toBe(before);
  await page.evaluate(() => {
    const old = document.querySelector<HTMLScriptElement>('script[data-site-id]');
    const tag = document.createElement('script');
    if (old) Object.assign(tag, { src: old.src }).dataset.siteId = old.dataset.siteId;
    old?.replaceWith(tag);
  });
  await expect.poll(() => widget.messages()).toEqual(['Hello']);
  expect(problems).toEqual([]);
});

test('the widget works in a frame of another site', async () => {
  const shopPage = await hostPageOf(shop);
  const around = await startHostPage({
    parleyOrigin: shop.parley.origin,
    embedCode: `<iframe src="${shopPage.url}" title="Shop" width="400" height="500"></iframe>`,
  });
  hosts.push(shopPage, around);
  const page = await (await newContext(shop.browser)).newPage();
  const address = around.url.replace('127.0.0.1', 'localhost');
  const problems = watch(page, shop.parley.origin, shopPage.origin, new URL(address).origin);
  await page.goto(address);
  const frame = page.frames().find((each) => each.url() === shopPage.url) ?? page.mainFrame();
  const widget = widgetOf(frame);
  await widget.open();
  await widget.send('From inside');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  expect(await page.locator('parley-widget').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('on a slow connection the page loads first, and the chat works', async () => {
  const { page, widget } = await onPage({
    prepare: async (page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', SLOW_LINE);
    },
  });
  await widget.launcher.waitFor();
  const { loaded, asked } = await page.evaluate((origin) => {
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(origin));
    return { loaded: load?.loadEventEnd ?? 0, asked: files.slice(1).map(({ startTime }) => startTime) };
  }, shop.parley.origin);
  expect(asked).not.toEqual([]);
  expect(asked.filter((at) => at < loaded)).toEqual([]);
  await widget.open();
  await widget.send('Slowly');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
});

test('the widget appears once a server that was down at page load is up', async () => {
  let isUp = false;
  const warnings: string[] = [];
  const { page, widget } = await onPage({
    prepare: async (page) => {
      await page.clock.install();
      page.on('pageerror', ({ message }) => warnings.push(message));
      page.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()));
      await page.route('**/api/widget/*', (route) => (isUp ? route.continue() : route.abort('connectionrefused')));
    },
  });
  await expect.poll(() => warnings).toEqual(['Parley: no answer yet.']);
  expect(await page.locator('parley-widget').count()).toBe(0);
  isUp = true;
  await page.clock.fastForward('00:10');
  await widget.launcher.waitFor();
  expect(warnings).toHaveLength(1);
});

test('the chat continues on a page from the back-forward cache', async () => {
  const visit = await onPage();
  const { page, widget } = visit;
  const opened = page.waitForEvent('websocket');
  await widget.open();
  await talk(visit, 'Do you sell oil?');
  const chatId = await chatStartedWith(shop, 'Do you sell oil?');
  const line = await opened;
  // Playwright switches that cache off, so the test fires its events. The page must have closed its socket by then,
  // because browsers keep no page with an open socket.
  const closed = line.waitForEvent('close');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await closed;
  const reply = { token: shop.owner.token, params: { id: chatId } };
  await shop.api('POST /chats/:id/claim', reply);
  await shop.api('POST /chats/:id/messages', { ...reply, body: { content: 'By the litre.' } });
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect.poll(widget.messages).toEqual(['Do you sell oil?', 'By the litre.']);
  await talk(visit, 'One, please.');
});

test('two tabs are one visitor with one conversation', async () => {
  const visit = await onPage();
  const page = await visit.page.context().newPage();
  await page.goto(visit.page.url());
  const other = widgetOf(page);
  await visit.widget.open();
  await other.open();
  await talk(visit, 'From the first');
  await expect.poll(other.messages).toEqual(['From the first']);
  await other.send('From the second');
  await expect.poll(visit.widget.messages).toEqual(['From the first', 'From the second']);
  await expect.poll(other.state).toMatch(/Sent|Delivered/);
  const { chats } = await shop.api('GET /chats', { token: shop.owner.token });
  expect(chats.filter(({ lastMessage }) => lastMessage.startsWith('From the'))).toHaveLength(1);
});

test('a lost network is shown at once, and messages written meanwhile are sent when it is back', async () => {
  const visit = await onPage();
  const { page, widget } = visit;
  await widget.open();
  await talk(visit, 'On the train');
  // Otherwise only a missing heartbeat would show it, half a minute later.
  await page.evaluate(() => {
    const bar = document.querySelector('parley-widget')?.shadowRoot?.querySelector<HTMLElement>('.lost');
    addEventListener('offline', () => document.body.classList.toggle('told', bar?.hidden === false), { once: true });
  });
  await page.context().setOffline(true);
  await page.getByText('Reconnecting…').waitFor();
  expect(await page.evaluate(() => document.body.className)).toBe('told');
  await widget.send('In the tunnel');
  await expect.poll(widget.state).toBe('Sending');
  await page.context().setOffline(false);
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await page.getByText('Reconnecting…').waitFor({ state: 'hidden' });
  expect(await widget.messages()).toEqual(['On the train', 'In the tunnel']);
});

// Last, because the server restarts, and the site is offline afterwards.
test('the widget shows that a server went down during a chat, and reconnects', async () => {
  const visit = await onPage();
  const { page, widget } = visit;
  await widget.open();
  await talk(visit, 'Before');
  await shop.parley.kill9();
  await page.getByText('Reconnecting…').waitFor();
  await widget.send('Meanwhile');
  await expect.poll(widget.state).toBe('Sending');
  await shop.parley.restart();
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await page.getByText('Reconnecting…').waitFor({ state: 'hidden' });
  expect(await widget.messages()).toEqual(['Before', 'Meanwhile']);
});

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, watch } from './harness/browser.ts';
import type { Host } from './harness/host.ts';
import { attend, hostOf, openShop, type Shop } from './harness/shop.ts';
import { type Widget, widgetOf } from './harness/widget.ts';

/** What pages do to whatever stands on them. */
const RESETS = `<style>
  * { all: unset !important; box-sizing: content-box !important; font-size: 40px !important; color: red !important; }
  html > * { display: none !important; }
  div { position: fixed; z-index: 2147483647; }
</style>`;
const PATCHES = `<script>
  Array.prototype.toJSON = () => 'patched';
  Array.prototype.extra = () => {};
  Object.prototype.inherited = true;
  const { fetch } = window;
  window.fetch = (...call) => Promise.resolve(fetch(...call));
  const { setTimeout } = window;
  window.setTimeout = (...call) => setTimeout(...call);
</script>`;
const NO_STORAGE = `<script>
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });
</script>`;
const NO_SOCKETS = `<script>
  window.WebSocket = class { constructor() { setTimeout(() => this.onclose()); } close() {} send() {} };
</script>`;
const RIGHT_TO_LEFT = `<script>Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' });</script>`;
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let shop: Shop;
const hosts: Host[] = [];
beforeAll(async () => {
  shop = await openShop();
  await attend(shop);
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

async function onPage(before = '', options: BrowserContextOptions = {}, strict = false): Promise<Visit> {
  const host = await hostOf(shop, { before, strict });
  hosts.push(host);
  const page = await (await newPerson(shop.browser, options)).newPage();
  const problems = watch(page, shop.parley.origin, host.origin);
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
  ['with resets of every style', RESETS, {}],
  ['with patched prototypes and wrapped calls', PATCHES, {}],
  ['without storage', NO_STORAGE, {}],
  ['without WebSockets', NO_SOCKETS, {}],
  ['from right to left', RIGHT_TO_LEFT, {}],
  ['on a phone', '', PHONE],
])('a visitor writes on a page %s', async (_, before, options) => {
  const visit = await onPage(before, options);
  const { page, problems } = visit;
  await page.locator('parley-widget .launcher').click();
  await composer(visit).waitFor();
  await talk(visit, 'Is it blue?');
  const box = await page.locator('parley-widget .panel').boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  expect(box?.width).toBe(width < 480 ? width : 384);
  expect(problems).toEqual([]);
});

test('files, emoji and the menu work under the strictest policy', async () => {
  const visit = await onPage('', {}, true);
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
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'End chat' }).click();
  await page.getByText('How was this chat?').waitFor();
  expect(problems).toEqual([]);
});

test('the keyboard is enough', async () => {
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

test('outlives routes, a new body, a second tag and the way back', async () => {
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

test('leaves without a trace, and comes again with another tag', async () => {
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

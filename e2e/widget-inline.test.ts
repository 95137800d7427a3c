import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import { type Host, startHostPage } from './harness/host-page.ts';
import { openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
/** What a phone's keyboard leaves of the window's height. */
const ABOVE_KEYBOARD_PX = 380;

let shop: Shop;
let host: Host;
beforeAll(async () => {
  shop = await openSharedShop();
  await ownerAt(shop);
  const { parley, site } = shop;
  const tag = `<script async src="${parley.origin}/widget.js" data-site-id="${site.widgetCode}" data-inline="#chat"></script>`;
  host = await startHostPage({ parleyOrigin: parley.origin, embedCode: tag, strict: true });
});
afterAll(async () => {
  await shop.stop();
  await host.stop();
});

async function open(url: string, options: BrowserContextOptions = {}) {
  const page = await (await newContext(shop.browser, options)).newPage();
  const problems = watch(page, shop.parley.origin, host.origin);
  await page.goto(url);
  return { page, widget: widgetOf(page), problems };
}

const draw = (page: Page) =>
  page.evaluate(() => {
    const element = document.createElement('div');
    element.id = 'chat';
    element.style.height = '500px';
    document.querySelector('main')?.append(element);
  });

/** How far the panel is from filling what it should, in pixels. */
async function gapTo(page: Page, { width, height }: { width: number; height: number }): Promise<number> {
  const box = await page.locator('parley-widget .panel').boundingBox();
  return Math.max(Math.abs((box?.width ?? 0) - width), Math.abs((box?.height ?? 0) - height));
}

test.each([
  ['wide window', {}],
  ['phone’s window', PHONE],
])('in a %s, the chat stands in an element, which the page draws late, removes and draws again', async (_, options) => {
  const { page, widget, problems } = await open(host.url, options);
  await page.locator('parley-widget').waitFor({ state: 'attached' });
  await draw(page);
  await widget.composer.waitFor();
  const { width } = (await page.locator('#chat').boundingBox()) ?? { width: 0 };
  expect(await gapTo(page, { width, height: 500 })).toBeLessThan(1);
  await widget.send('Is anybody there?');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await widget.composer.press('Escape');
  expect(await widget.composer.isVisible()).toBe(true);
  expect(await page.evaluate(() => document.body.inert || innerWidth < document.documentElement.scrollWidth)).toBe(
    false,
  );

  await page.evaluate(() => document.querySelector('#chat')?.remove());
  await widget.launcher.waitFor();
  expect(await widget.composer.isVisible()).toBe(false);
  await widget.open();
  expect(await widget.messages()).toEqual(['Is anybody there?']);
  await draw(page);
  await widget.launcher.waitFor({ state: 'hidden' });
  await expect.poll(() => gapTo(page, { width, height: 500 })).toBeLessThan(1);
  expect(await widget.messages()).toEqual(['Is anybody there?']);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('on a page that never draws the element, the launcher shows after a while', async () => {
  const { page, widget, problems } = await open(host.url);
  await widget.launcher.waitFor();
  await widget.open();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the chat page fills the window, and on a phone what the keyboard leaves of it', async () => {
  const url = `${shop.parley.origin}/c/${shop.site.widgetCode}`;
  const { page, widget, problems } = await open(url, PHONE);
  await widget.composer.waitFor();
  expect(await page.title()).toBe(shop.site.name);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(await gapTo(page, { width, height })).toBeLessThan(1);
  await widget.send('I scanned the code');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await page.setViewportSize({ width, height: ABOVE_KEYBOARD_PX });
  await expect.poll(() => gapTo(page, { width, height: ABOVE_KEYBOARD_PX })).toBeLessThan(1);
  const field = await widget.composer.boundingBox();
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(ABOVE_KEYBOARD_PX);
  await page.reload();
  await widget.composer.waitFor();
  await expect.poll(widget.messages).toEqual(['I scanned the code']);
  expect(problems).toEqual([]);
  await page.context().close();
});

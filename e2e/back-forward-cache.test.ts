import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, newContext } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import type { Host } from './harness/host-page.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

/** A variable that survives in a page from the back/forward cache, and not in a page that is loaded again. */
type Kept = Window & { isKept?: boolean };

let shop: Shop;
let host: Host;
let browser: Browser;
beforeAll(async () => {
  shop = await openSharedShop();
  host = await hostPageOf(shop);
  // The driver switches off the cache, which the browsers of visitors have.
  browser = await launchChromium({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await host.stop();
});

/** Leaves the page for one without a widget. @returns a function that goes back to it */
async function leave(page: Page, address: string): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      (window as Kept).isKept = persisted;
    });
  });
  await page.goto(address);
  return async () => {
    // Later than the answer of this call, which the navigation would end.
    await page.evaluate(() => void setTimeout(() => history.back()));
    await expect.poll(() => page.evaluate(() => (window as Kept).isKept)).toBe(true);
  };
}

test("a page restored from the browser's back-forward cache continues its chat", async () => {
  const staff = await ownerAt(shop);
  const page = await (await newContext(browser)).newPage();
  await page.goto(host.url);
  const widget = widgetOf(page);
  await widget.open();
  await widget.send('Is it in stock?');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await widget.type('And in');
  const back = await leave(page, `${shop.parley.origin}/healthz`);

  const inbox = inboxOf(staff);
  await inbox.openChat(0);
  await inbox.claim();
  await inbox.send('It is, in all colours.');
  await expect.poll(inbox.state).toMatch(/Sent/);
  await back();
  await expect.poll(widget.messages).toEqual(['Is it in stock?', 'It is, in all colours.']);
  expect(await widget.composer.inputValue()).toBe('And in');
  await widget.send('And in blue?');
  await expect.poll(widget.state).toMatch(/Delivered|Read|Seen/);
  await expect.poll(inbox.messages).toEqual(['Is it in stock?', 'It is, in all colours.', 'And in blue?']);
  expect(await widget.messages()).toEqual(['Is it in stock?', 'It is, in all colours.', 'And in blue?']);
  // The connection is back, too: new answers arrive.
  await inbox.send('In blue too.');
  await expect.poll(widget.messages).toContain('In blue too.');
  await Promise.all([page, staff].map((each) => each.context().close()));
});

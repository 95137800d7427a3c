import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import { inDatabase } from './harness/database.ts';
import { type FormerRelease, makeFormerRelease } from './harness/former-release.ts';
import { hostPageOf, openShop, ownerAt, type Shop, untilOnline } from './harness/shop.ts';
import { type Widget, widgetOf } from './harness/widget.ts';

let former: FormerRelease;
let shop: Shop;
beforeAll(async () => {
  former = makeFormerRelease();
  shop = await openShop({ main: former.main });
});
afterAll(async () => {
  await shop.stop();
  former.remove();
});

/** Hashed files of the former release that a page loads from now on, with the status of the answer. */
function loads(page: Page): string[] {
  const found: string[] = [];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (former.paths.includes(pathname)) found.push(`${answer.status()} ${pathname}`);
  });
  return found;
}

const arrived = (widget: Widget) => expect.poll(widget.state).toMatch(/Sent|Delivered|Read/);

test('pages that are open go on working after an update of the server', async () => {
  const staff = await ownerAt(shop, '/dashboard/inbox', { serviceWorkers: 'block' });
  const inbox = inboxOf(staff);
  await untilOnline(shop);
  const host = await hostPageOf(shop);
  const visitorOn = async () => {
    const page = await (await newContext(shop.browser)).newPage();
    await page.goto(host.url);
    return { page, widget: widgetOf(page), root: page.locator('parley-widget') };
  };
  const [closed, open] = [await visitorOn(), await visitorOn()];
  await open.widget.open();
  await open.widget.send('Do you ship to Norway?');
  await arrived(open.widget);
  await closed.widget.launcher.waitFor();
  await inbox.openChat(0);
  await expect.poll(inbox.messages).toEqual(['Do you ship to Norway?']);
  await inbox.type('We ship to');
  // A server that is alone stores its files soon after its start.
  const stored = () => inDatabase(shop, (db) => db.collection('releases').countDocuments());
  await expect.poll(stored).toBe(1);

  const loaded = [closed, open].map(({ page }) => loads(page));
  await shop.parley.restart();

  // A page whose chat was never opened.
  await closed.widget.open();
  await closed.widget.send('Is it blue?');
  await arrived(closed.widget);
  // A page with a conversation: parts that it has not loaded yet.
  await open.root.getByRole('button', { name: 'Emoji' }).click();
  await open.root.getByRole('button', { name: '😀' }).click();
  await expect.poll(() => open.widget.composer.inputValue()).toBe('😀');
  await open.widget.send('And to Iceland?');
  await arrived(open.widget);
  // Another language waits until nobody writes.
  await open.widget.composer.blur();
  await open.page.evaluate(() => Reflect.get(window, 'Parley').setLanguage('de'));
  const more = open.root.locator('header').getByRole('button', { name: 'Mehr' });
  await more.waitFor();
  // The menu has what the conversation allows, which comes with it.
  await open.root.locator('.mine').first().waitFor();
  await more.click();
  await open.root.getByRole('menuitem', { name: 'Chat beenden' }).click();
  await open.root.locator('.star').nth(4).click();
  await open.root.locator('.card textarea').fill('Schnell');
  expect(loaded.map((files) => files.length > 0)).toEqual([true, true]);
  expect(loaded.flat().filter((file) => !file.startsWith('200'))).toEqual([]);

  // The dashboard: what was typed is still there, and parts and screens open without a reload.
  await expect.poll(inbox.messages).toContain('And to Iceland?');
  expect(await inbox.composer.inputValue()).toBe('We ship to');
  await inbox.send('We ship to both.');
  const parts: [open: () => Promise<void>, part: Locator][] = [
    [
      () => staff.getByRole('button', { name: 'Emoji' }).click(),
      staff.getByRole('searchbox', { name: 'Search emoji' }),
    ],
    [() => staff.getByRole('button', { name: 'Filters' }).click(), staff.getByRole('dialog', { name: 'Filter chats' })],
    [
      () => staff.getByRole('button', { name: /^Notifications/ }).click(),
      staff.getByRole('dialog', { name: 'Unread chats' }),
    ],
    [() => staff.keyboard.press('Control+k'), staff.getByRole('listbox', { name: 'Results' })],
    [() => staff.keyboard.press('?'), staff.getByRole('dialog', { name: 'Keyboard shortcuts' })],
  ];
  for (const [press, part] of parts) {
    await press();
    await part.waitFor();
    await staff.keyboard.press('Escape');
    await part.waitFor({ state: 'hidden' });
  }
  for (const screen of ['Reports', 'History', 'Team', 'Sites', 'Settings']) {
    await staff.getByRole('link', { name: screen, exact: true }).first().click();
    await staff.getByRole('heading', { level: 1 }).waitFor();
    expect(await staff.getByText('This part of Parley could not be loaded.').count()).toBe(0);
  }

  // What no button here has loaded is there as well.
  const statuses = former.paths.map(async (path) => `${(await fetch(shop.parley.origin + path)).status} ${path}`);
  expect(statuses.length).toBeGreaterThan(50);
  expect((await Promise.all(statuses)).filter((status) => !status.startsWith('200'))).toEqual([]);
  await host.stop();
});

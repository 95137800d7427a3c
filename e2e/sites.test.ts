import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import type { Host } from './harness/host-page.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop, untilOnline } from './harness/shop.ts';
import { type Widget, widgetOf } from './harness/widget.ts';

let shop: Shop;
let host: Host;
let page: Page;
let visitor: Page;
let widget: Widget;
const hosts: Host[] = [];
beforeAll(async () => {
  shop = await openSharedShop();
  host = await hostPageOf(shop);
  page = await ownerAt(shop, `/dashboard/sites/${shop.site._id}?tab=customization`);
  visitor = await (await newContext(shop.browser)).newPage();
  await visitor.goto(host.url);
  widget = widgetOf(visitor);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([host, ...hosts].map((each) => each.stop()));
});

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Site updated successfully!').waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
}

/** A German page. @param settings of the page for its widget */
async function germanPage(settings = ''): Promise<Page> {
  const at = await hostPageOf(shop, {
    before: `<script>document.documentElement.lang = 'de'; ParleySettings = {${settings}}</script>`,
  });
  hosts.push(at);
  const german = await (await newContext(shop.browser)).newPage();
  await german.goto(at.url);
  await german.locator('parley-widget .launcher').click();
  return german;
}

test('saved settings of a site show in an open widget', async () => {
  await widget.open();
  await widget.type('Half a word');
  await page.getByLabel('Navbar title').fill('Ask the captain');
  await page.getByLabel('Welcome message').fill('Ahoy!');
  await save();
  const panel = visitor.locator('parley-widget');
  await panel.getByText('Ask the captain').waitFor();
  await panel.getByText('Ahoy!').waitFor();
  expect(await widget.composer.inputValue()).toBe('Half a word');
});

test('two admins at once keep both their hidden pages, and the second chooses between two titles', async () => {
  const ben = await ownerAt(shop, `/dashboard/sites/${shop.site._id}?tab=customization`);
  // Both have typed before one of them saves.
  for (const [who, name] of [[ben, 'Ben'] as const, [page, 'Ana'] as const]) {
    await who.getByLabel('Hide it on pages').fill(`/secret-of-${name}`);
    await who.getByLabel('Navbar title').fill(`Ask ${name}`);
  }
  await ben.getByRole('button', { name: 'Save Changes' }).click();
  await ben.getByText('Site updated successfully!').waitFor();
  await ben.getByRole('button', { name: 'OK' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile.' });
  await conflict.getByText('Ask Ben').waitFor();
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await page.getByText('Site updated successfully!').waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
  const hidden = ben.getByLabel('Hide it on pages');
  await expect.poll(() => hidden.inputValue()).toBe('/secret-of-Ben\n/secret-of-Ana');
  expect(await ben.getByLabel('Navbar title').inputValue()).toBe('Ask Ana');
  await ben.context().close();
});

test('German texts show on a German page at once, unless the page or its visitor chose another language', async () => {
  const [german, french] = await Promise.all([germanPage(), germanPage("language: 'fr'")]);
  await german.locator('parley-widget').getByText('Ahoy!').waitFor();
  await page.getByRole('button', { name: 'Add a language' }).click();
  await page.getByRole('menuitem', { name: 'German' }).click();
  await page.getByRole('textbox', { name: 'Welcome message' }).fill('Moin!');
  await save();
  await german.locator('parley-widget').getByText('Moin!').waitFor();
  // The title has no German text.
  await german.locator('parley-widget').getByText('Ask Ana').waitFor();
  expect(await french.locator('parley-widget').getByText('Ahoy!').count()).toBe(1);
  for (const [each, language, welcome] of [[german, 'en', 'Ahoy!'] as const, [french, 'de', 'Moin!'] as const]) {
    await each.reload();
    await each.evaluate((tag) => Reflect.get(window, 'Parley').setLanguage(tag), language);
    await each.locator('parley-widget').getByText(welcome).waitFor();
  }
  for (const each of [german, french]) await each.context().close();
});

test('what a visitor types is seen only where the site shows it, which it says, and is kept nowhere', async () => {
  const said = visitor.locator('parley-widget').getByText('The team sees what you type before you send it.');
  await widget.send('Hello');
  const desk = await ownerAt(shop);
  const inbox = inboxOf(desk);
  await inbox.openChat(0);
  await widget.composer.pressSequentially('Is the red ');
  await desk.getByText(/is typing…$/).waitFor();
  expect(await desk.getByText('Is the red').count()).toBe(0);
  expect(await said.count()).toBe(0);

  await page.getByRole('tab', { name: 'General' }).click();
  await page.locator('summary', { hasText: 'More' }).click();
  await page.getByRole('checkbox', { name: 'What visitors are typing' }).check();
  await save();
  await said.waitFor();
  await widget.composer.pressSequentially('lantern');
  const grey = desk.getByText(/^Is the red/).and(desk.locator('[aria-hidden]'));
  await expect.poll(() => grey.textContent()).toBe('Is the red lantern');
  await desk.reload();
  await expect.poll(inbox.messages).toEqual(['Hello']);
  expect(await grey.count()).toBe(0);
  await widget.composer.press('!');
  await expect.poll(() => grey.textContent()).toBe('Is the red lantern!');
  await widget.composer.press('Enter');
  await expect.poll(inbox.messages).toEqual(['Hello', 'Is the red lantern!']);
  await expect.poll(() => grey.count()).toBe(0);
  await desk.context().close();
});

test('disabling the widget removes it from pages, and enabling brings it back', async () => {
  await page.goto(`${shop.parley.origin}/dashboard/sites`);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Inactive').waitFor();
  await widget.launcher.waitFor({ state: 'detached' });
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Enable' }).click();
  await saved;
  await untilOnline(shop);
  await visitor.reload();
  await widget.launcher.waitFor();
});

test('deleting a site asks first, and removes its chats and its widget', async () => {
  await widget.send('Is anybody there?');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  const ask = page.getByRole('button', { name: 'Delete Example shop' });
  const dialog = page.getByRole('alertdialog', { name: 'Delete Website' });
  await ask.click();
  await dialog
    .getByText(
      'Are you sure you want to delete Example shop? This action cannot be undone and will remove all associated chat data.',
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await ask.click();
  await dialog.getByRole('button', { name: 'Delete Website' }).click();
  await page.getByText('Example shop was deleted').waitFor();
  await page.getByText('No websites yet').waitFor();
  await widget.launcher.waitFor({ state: 'detached' });
  const { chats } = await shop.api('GET /chats', { token: shop.owner.token });
  expect(chats).toEqual([]);
});

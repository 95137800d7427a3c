import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import type { Host } from './harness/host-page.ts';
import { type Account, addMember, hostPageOf, openSharedShop, ownerAt, type Shop, signedIn } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

let shop: Shop;
let host: Host;
let mate: Account;
let ines: Account;

beforeAll(async () => {
  shop = await openSharedShop();
  mate = await addMember(shop, 'Mate Horvat', 'agent');
  ines = await addMember(shop, 'Ines Roth', 'agent');
  const ofSite = { token: shop.owner.token, params: { id: shop.site._id } };
  for (const [name, { user }] of [['Orders', mate] as const, ['Invoices', ines] as const])
    await shop.api('POST /sites/:id/departments', { ...ofSite, body: { name, members: [user._id] } });
  host = await hostPageOf(shop);
});
afterAll(async () => {
  await host.stop();
  await shop.stop();
});

/** How often screen readers hear that a chat waits: where it rings. */
const rung = (desk: Page) => desk.getByRole('status').getByText('1 chat is waiting').count();
const row = (desk: Page) => desk.getByRole('region', { name: 'Chat list' }).getByRole('link', { name: /my parcel/ });

test('a chat rings at the members of the department that its visitor chose, then of the one it is handed to', async () => {
  const owner = await ownerAt(shop);
  const orders = await signedIn(shop, mate, '/dashboard/inbox');
  const invoices = await signedIn(shop, ines, '/dashboard/inbox');
  for (const desk of [owner, orders, invoices]) {
    await desk.getByText('No chats found').first().waitFor();
    // What rings is loaded after the screen.
    await desk.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('BackgroundTasks')),
    );
  }
  const page = await (await newContext(shop.browser)).newPage();
  await page.goto(host.url);
  const widget = widgetOf(page);
  await widget.open();
  await page.locator('parley-widget').getByRole('radio', { name: 'Orders' }).click();
  await widget.send('Where is my parcel?');

  await expect.poll(() => rung(orders)).toBe(1);
  await row(orders).click();
  await orders.getByRole('button', { name: 'Claim' }).last().click();
  await orders.getByRole('button', { name: 'More', exact: true }).click();
  await orders.getByRole('menuitem', { name: 'Hand to a teammate' }).click();
  await orders.getByRole('list', { name: 'Departments' }).getByRole('button', { name: 'Invoices' }).click();

  await expect.poll(() => rung(invoices)).toBe(1);
  await orders.getByText('Mate Horvat handed this chat to Invoices').waitFor();
  await row(owner).getByText('Invoices').waitFor();
  expect(await rung(owner)).toBe(0);
});

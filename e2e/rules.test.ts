import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import type { Host } from './harness/host-page.ts';
import { axeProblems } from './harness/screen-checks.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const REPLY = 'You find invoices in your account.';
let shop: Shop;
let host: Host;

beforeAll(async () => {
  shop = await openSharedShop();
  const { api, owner, site } = shop;
  const { token } = owner;
  await api('POST /sites/:id/departments', { token, params: { id: site._id }, body: { name: 'Accounts' } });
  await api('POST /canned-replies', { token, body: { siteId: site._id, shortcut: 'invoices', content: REPLY } });
  host = await hostPageOf(shop);
});
afterAll(async () => {
  await host.stop();
  await shop.stop();
});

/** Adds a condition or an action in the form of a rule, and gives its fields. */
async function add(desk: Page, what: 'condition' | 'action', name: string) {
  await desk.getByRole('button', { name: `Add ${what}` }).click();
  await desk.getByRole('menuitem', { name }).click();
  return desk.getByRole('group', { name, exact: true });
}

test('a rule that an owner makes puts a chat into a department, tags it and answers, and its log says so', async () => {
  const desk = await ownerAt(shop, `/dashboard/sites/${shop.site._id}?tab=rules`);
  await desk.getByRole('button', { name: 'Add rule' }).click();
  await desk.getByRole('textbox', { name: 'Name' }).fill('Bills');
  const words = await add(desk, 'condition', 'Words of the message');
  await words.getByRole('textbox').fill('invoice, bill');
  const department = await add(desk, 'action', 'Put it into a department');
  await department.getByRole('combobox').click();
  await desk.getByRole('option', { name: 'Accounts' }).click();
  const tag = await add(desk, 'action', 'Add a tag');
  await tag.getByRole('combobox').fill('money');
  const reply = await add(desk, 'action', 'Send a canned reply');
  await reply.getByRole('combobox').click();
  await desk.getByRole('option', { name: '/invoices' }).click();
  const problems = await axeProblems(desk);
  await desk.getByRole('button', { name: 'Add rule' }).last().click();
  await desk.getByRole('listitem', { name: 'Bills' }).waitFor();

  const page = await (await newContext(shop.browser)).newPage();
  await page.goto(host.url);
  const widget = widgetOf(page);
  await widget.open();
  await widget.send('Where is my INVOICE?');
  await expect.poll(widget.messages).toEqual(['Where is my INVOICE?', REPLY]);

  const runs = { token: shop.owner.token, params: { id: shop.site._id }, query: {} };
  await expect.poll(async () => (await shop.api('GET /sites/:id/rules/runs', runs)).runs).toHaveLength(1);
  await desk.reload();
  const entry = desk.getByRole('list', { name: 'What the rules did' }).getByRole('listitem').first();
  await entry.getByText('put it into Accounts').waitFor();
  expect(await entry.getByText('Done', { exact: true }).count()).toBe(3);
  problems.push(...(await axeProblems(desk)));
  await desk.goto(`${shop.parley.origin}/dashboard/inbox`);
  const inbox = inboxOf(desk);
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/Accounts/);
  await inbox.openChat(0);
  await desk.getByText('The rule “Bills” put this chat into Accounts').waitFor();
  await desk.getByText(REPLY).first().waitFor();
  await desk.getByText('money').first().waitFor();
  expect(problems).toEqual([]);
});

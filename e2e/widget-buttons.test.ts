import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { FlowButton, FlowTarget } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import type { Host } from './harness/host-page.ts';
import { axeProblems } from './harness/screen-checks.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const TITLE = 'How do I follow my parcel?';
let shop: Shop;
let host: Host;
let staff: Page;

const button = (label: string, target: FlowTarget = { kind: 'chat' }): FlowButton => ({
  id: randomUUID(),
  label,
  target,
});

beforeAll(async () => {
  shop = await openSharedShop();
  const { api, owner, site } = shop;
  const given = { token: owner.token, params: { id: site._id } };
  await api('PATCH /sites/:id/help-center', { ...given, body: { enabled: true, handle: 'buttons', rev: 0 } });
  const { article } = await api('POST /sites/:id/articles', {
    ...given,
    body: { title: TITLE, text: 'With its **number**.' },
  });
  await api('POST /articles/:id/publish', { token: owner.token, params: { id: article._id }, body: {} });
  const { departments } = await api('POST /sites/:id/departments', { ...given, body: { name: 'Invoices' } });
  const [invoices] = departments;
  const orders = button('Orders', {
    kind: 'question',
    question: 'What about your order?',
    buttons: [
      button('Where is it?', { kind: 'article', article: article._id }),
      button('The invoice', { kind: 'department', department: invoices?._id ?? '' }),
    ],
  });
  await api('PATCH /sites/:id', { ...given, body: { settings: { buttons: [orders, button('Opening hours')] } } });
  staff = await ownerAt(shop);
  host = await hostPageOf(shop, { strict: true });
});
afterAll(async () => {
  await shop.stop();
  await host.stop();
});

async function open() {
  const page = await (await newContext(shop.browser, { viewport: { width: 390, height: 700 } })).newPage();
  const problems = watch(page, shop.parley.origin, host.origin);
  await page.goto(host.url);
  const widget = widgetOf(page);
  const buttons = page.locator('parley-widget').getByRole('group');
  await widget.launcher.click();
  await buttons.getByRole('button', { name: 'Orders' }).waitFor();
  expect(await widget.composer.isVisible()).toBe(false);
  const tap = (name: string) => buttons.getByRole('button', { name }).click();
  return { page, widget, buttons, tap, problems };
}

test('a visitor is led to an article by buttons, also over a reload, and writes something else later', async () => {
  const { page, widget, buttons, tap, problems } = await open();
  const axe = (await axeProblems(page)).filter((problem) => !problem.startsWith('page-has-heading-one'));
  await tap('Orders');
  await page.getByRole('group', { name: 'What about your order?' }).waitFor();
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await page.reload();
  // On a phone, the panel does not open by itself.
  await widget.launcher.click();
  await page.getByRole('group', { name: 'What about your order?' }).waitFor();
  expect(await widget.messages()).toEqual(['Orders']);
  await tap('Where is it?');
  await page.locator('parley-widget').getByRole('heading', { name: TITLE }).waitFor();
  await page.locator('parley-widget').getByRole('button', { name: 'Back to the conversation' }).click();
  await widget.send('It has no number');
  await expect.poll(widget.messages).toEqual(['Orders', 'Where is it?', 'It has no number']);
  expect(await buttons.isVisible()).toBe(false);
  expect([...problems, ...axe]).toEqual([]);
  await page.context().close();
});

test('the chosen department reaches the agent, whose answer takes the buttons away', async () => {
  const one = await open();
  await one.tap('Orders');
  await one.tap('The invoice');
  await one.widget.composer.waitFor();
  const row = staff.getByRole('list', { name: 'Chats', exact: true }).getByRole('listitem').first();
  await expect.poll(() => row.textContent()).toContain('Invoices');

  const two = await open();
  await two.tap('Orders');
  await two.page.getByRole('group', { name: 'What about your order?' }).waitFor();
  const inbox = inboxOf(staff);
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/Orders/);
  await inbox.openChat(0);
  await inbox.claim();
  await inbox.send('Which order is it?');
  await two.widget.composer.waitFor();
  expect(await two.buttons.isVisible()).toBe(false);
  await expect.poll(two.widget.messages).toEqual(['Orders', 'Which order is it?']);

  const three = await open();
  await three.tap('Something else');
  await three.widget.send('Do you sell candles?');
  await expect.poll(three.widget.state).toMatch(/Sent|Delivered/);
  expect([...one.problems, ...two.problems, ...three.problems]).toEqual([]);
});

test('what a rule answers leaves the buttons, which lead on, also over a reload', async () => {
  const { api, owner, site } = shop;
  const given = { token: owner.token, params: { id: site._id } };
  const reply = { siteId: site._id, shortcut: 'soon', content: 'We answer **within a day**' };
  const { reply: soon } = await api('POST /canned-replies', { token: owner.token, body: reply });
  const actions = [{ do: 'reply' as const, reply: soon._id }];
  await api('POST /sites/:id/rules', { ...given, body: { name: 'Opened', event: 'opened', actions } });
  const { page, widget, tap, problems } = await open();
  await tap('Orders');
  await expect.poll(widget.messages).toEqual(['Orders', 'We answer within a day']);
  await page.reload();
  await widget.launcher.click();
  await page.getByRole('group', { name: 'What about your order?' }).waitFor();
  await tap('The invoice');
  await widget.composer.waitFor();
  await expect.poll(widget.messages).toEqual(['Orders', 'We answer within a day', 'The invoice']);
  expect(problems).toEqual([]);
  await page.context().close();
});

import type { Page } from 'playwright-core';
import type { VisitorSession } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxOf } from './harness/dashboard.ts';
import { type Account, addMember, openSharedShop, type Shop, signedIn, visit } from './harness/shop.ts';

/** What is typed and not sent, while the world changes: never lost, doubled, or sent to somebody else. */

let shop: Shop;
let ben: Account;
beforeAll(async () => {
  shop = await openSharedShop();
  ben = await addMember(shop, 'Ben Ito', 'agent');
});
afterAll(async () => {
  await shop.stop();
});

/** A visitor's chat that the owner has claimed, open in the owner's browser. */
async function openChat(name = 'Mina Park') {
  const { session, chatId } = await visit(shop, { name }, 'Hello');
  const { token } = shop.owner;
  const params = { id: chatId };
  await shop.api('POST /chats/:id/claim', { token, params });
  // A service worker would take requests past those who answer them in its place here.
  const options = { serviceWorkers: 'block' } as const;
  const page = await signedIn(shop, shop.owner, `/dashboard/inbox?chat=${chatId}`, options);
  await expect.poll(inboxOf(page).messages).toEqual(['Hello']);
  // Reading it changes the chat, which would undo at once what the page expects of closing it.
  await expect.poll(() => inboxOf(page).rows()).not.toContainEqual(expect.stringContaining('unread'));
  const notes = async () =>
    (await shop.api('GET /chats/:id/notes', { token, params, query: {} })).notes.map(({ content }) => content);
  return { page, session, chatId, notes, fields: fieldsOf(page) };
}

const fieldsOf = (page: Page) => ({
  message: page.getByRole('textbox', { name: 'Message', exact: true }),
  note: page.getByRole('textbox', { name: 'Note', exact: true }),
});

/** What the team has sent to the visitor. */
async function received({ visitorToken }: VisitorSession): Promise<string[]> {
  const params = { widgetCode: shop.site.widgetCode };
  const { messages } = await shop.api('POST /widget/:widgetCode/session', { params, body: { visitorToken } });
  return messages.filter(({ sender }) => sender === 'agent').map(({ content }) => content);
}

const closedNotice = (page: Page) => page.getByText(/^This chat is closed\./);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('a note that is begun on a closed chat stays a note when a colleague reopens the chat', async () => {
  const { page, session, chatId, notes, fields } = await openChat();
  await inboxOf(page).close();
  await closedNotice(page).waitFor();
  await fields.note.pressSequentially('He was rude: ');
  await shop.api('POST /chats/:id/reopen', { token: ben.token, params: { id: chatId } });
  await closedNotice(page).waitFor({ state: 'detached' });
  await page.keyboard.type('do not refund him.');
  expect([await focused(page), await fields.note.inputValue()]).toEqual(['Note', 'He was rude: do not refund him.']);
  await page.keyboard.press('Enter');
  await expect.poll(notes).toEqual(['He was rude: do not refund him.']);
  await page.getByRole('button', { name: 'Write a reply' }).click();
  await page.keyboard.type('Hello again');
  await page.keyboard.press('Enter');
  await expect.poll(() => received(session)).toEqual(['Hello again']);
});

test('a note that is begun while the chat is closing stays a note when the server refuses to close it', async () => {
  const { page, session, notes, fields } = await openChat();
  let refuse = () => {};
  const isLate = new Promise<void>((resolve) => (refuse = resolve));
  await page.route('**/close', async (route) => {
    await isLate;
    await route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', message: 'Try again later.' } });
  });
  await page.keyboard.press('e');
  await closedNotice(page).waitFor();
  await fields.note.pressSequentially('Never give him ');
  refuse();
  await closedNotice(page).waitFor({ state: 'detached' });
  await page.keyboard.type('a discount.');
  await page.keyboard.press('Enter');
  await expect.poll(notes).toEqual(['Never give him a discount.']);
  expect(await received(session)).toEqual([]);
});

test('a reply that is begun when the visitor ends the chat is locked, keeps its words, and can be sent later', async () => {
  const { page, session, chatId, fields } = await openChat();
  await fields.message.pressSequentially('I have looked into your order and ');
  await shop.api('POST /widget/:widgetCode/requests', {
    token: session.visitorToken,
    params: { widgetCode: shop.site.widgetCode },
    body: { event: 'close_chat', ask: { chatId } },
  });
  await closedNotice(page).waitFor();
  await page.keyboard.type('it ships tomorrow.');
  await page.keyboard.press('Enter');
  const words = 'I have looked into your order and it ships tomorrow.';
  expect([await focused(page), await fields.message.inputValue()]).toEqual(['Message', words]);
  await closedNotice(page).getByRole('button', { name: 'Reopen' }).click();
  await expect.poll(() => focused(page)).toBe('Message');
  await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
  expect(await received(session)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => received(session)).toEqual([words]);
  expect(await fields.message.inputValue()).toBe('');
});

test('a draft is the same in two tabs, and is sent once', async () => {
  const { page: first, session, chatId, fields: here } = await openChat();
  const second = await first.context().newPage();
  await second.goto(`${shop.parley.origin}/dashboard/inbox?chat=${chatId}`);
  const there = fieldsOf(second);
  await here.message.pressSequentially('Yes, tomorrow');
  await expect.poll(() => there.message.inputValue()).toBe('Yes, tomorrow');
  // The caret stays between the words that it stood between.
  await here.message.press('Home');
  for (let each = 0; each < 'Yes,'.length; each++) await first.keyboard.press('ArrowRight');
  await there.message.press('End');
  await second.keyboard.type(' at noon');
  await expect.poll(() => here.message.inputValue()).toBe('Yes, tomorrow at noon');
  await here.message.focus();
  await first.keyboard.type(' sir,');
  await expect.poll(() => there.message.inputValue()).toBe('Yes, sir, tomorrow at noon');

  await second.keyboard.press('Enter');
  await expect.poll(() => here.message.inputValue()).toBe('');
  await first.keyboard.press('Enter');
  await first.keyboard.type('Until then');
  await first.keyboard.press('Enter');
  await expect.poll(() => received(session)).toEqual(['Yes, sir, tomorrow at noon', 'Until then']);
});

test('a correction, a note on a person and contact details are still there after another chat and a reload', async () => {
  const { page, session, fields } = await openChat('Mina Nine');
  await visit(shop, { name: 'Tom Vega' }, 'Hi');
  await fields.message.fill('We open at eigth');
  await fields.message.press('Enter');
  await page.getByText('Sent', { exact: true }).waitFor({ state: 'attached' });
  await fields.message.press('ArrowUp');
  const correction = page.getByRole('textbox', { name: 'Edit message' });
  await correction.fill('We open at eight');
  await page.getByRole('button', { name: 'Add a note' }).click();
  const person = page.getByRole('textbox', { name: 'Note on this person' });
  await person.fill('Prefers mail');

  const row = (name: RegExp) => page.getByRole('list', { name: 'Chats', exact: true }).getByRole('link', { name });
  await row(/Tom Vega/).click();
  await expect.poll(inboxOf(page).messages).toEqual(['Hi']);
  expect([await correction.count(), await person.count()]).toEqual([0, 0]);
  await row(/Mina Nine/).click();
  const drafts = async () => [await correction.inputValue(), await person.inputValue()];
  await expect.poll(drafts).toEqual(['We open at eight', 'Prefers mail']);
  await page.getByRole('button', { name: 'Edit contact details' }).click();
  await page.getByRole('dialog').getByLabel('Phone').fill('030 12345');
  await page.reload();
  await expect.poll(drafts).toEqual(['We open at eight', 'Prefers mail']);
  await page.getByText('Not saved yet').waitFor();
  await page.getByRole('button', { name: 'Edit contact details' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: '030 12345' }).waitFor();
  await page.getByRole('region', { name: 'Note on this person' }).getByRole('button', { name: 'Save' }).click();
  await person.waitFor({ state: 'detached' });
  await correction.press('Enter');
  await expect.poll(() => received(session)).toEqual(['We open at eight']);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/cluster/processes.js';
import { newContext, watch } from './harness/browser.ts';
import { inDatabase } from './harness/database.ts';
import { type Mailbox, startMailbox } from './harness/mailbox.ts';
import { openShop, PASSWORD, type Shop, signedIn, visit } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const NEW_PASSWORD = 'green-kettle-orchard-17';
const PHONE = { width: 360, height: 740 };

let box: Mailbox;
let shop: Shop;
beforeAll(async () => {
  box = await startMailbox();
  const port = await freePort();
  const env = { SMTP_URL: box.url, PUBLIC_URL: `http://localhost:${port}` };
  shop = await openShop({ port, env });
});
afterAll(async () => {
  await shop.stop();
  await box.stop();
});

/** Waits for a mail to this address. @returns the link in it with this prefix */
async function linkTo(address: string, path: string): Promise<string> {
  const start = shop.parley.origin + path;
  const found = () =>
    box.mails
      .filter(({ to }) => to?.[0]?.address === address)
      .flatMap(({ text = '' }) => text.split('\n'))
      .find((line) => line.startsWith(start));
  await expect.poll(found).toBeDefined();
  return found() ?? '';
}

test('a new owner confirms the address with the mailed link, and the dashboard stops asking', async () => {
  const page = await signedIn(shop, shop.owner, '/dashboard');
  const bar = page.getByRole('region', { name: 'Confirm your email address' });
  await bar.waitFor();
  const elsewhere = await (await newContext(shop.browser, { viewport: PHONE })).newPage();
  const problems = watch(elsewhere, shop.parley.origin);
  await elsewhere.goto(await linkTo(shop.owner.user.email, '/confirm#'));
  await elsewhere.getByRole('button', { name: 'Confirm the address' }).click();
  await elsewhere.getByText(`${shop.owner.user.email} is confirmed.`).waitFor();
  await bar.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

/** Lets the time pass until the mail of this kind is due. */
async function makeDue(kind: 'answer' | 'team'): Promise<void> {
  const due = { $set: { dueAt: new Date(0) } };
  const update = () =>
    inDatabase(shop, async (db) => (await db.collection('notices').updateMany({ kind }, due)).matchedCount);
  await expect.poll(update).toBe(1);
}

test('a visitor who left gets the answer by mail, and continues the chat on another device', async () => {
  const { chatId } = await visit(shop, { name: 'Mina', email: 'mina@example.net' }, 'When do you open?');
  const { token } = shop.owner;
  const params = { id: chatId };
  await shop.api('POST /chats/:id/messages', { token, params, body: { content: 'At nine.' } });
  // After the two minutes in which the visitor can read the answer.
  await makeDue('answer');
  const link = await linkTo('mina@example.net', '/c/');

  const page = await (await newContext(shop.browser, { viewport: PHONE })).newPage();
  const problems = watch(page, shop.parley.origin);
  const widget = widgetOf(page);
  await page.goto(link);
  await expect.poll(widget.messages).toEqual(['When do you open?', 'At nine.']);
  // The secret is removed from the address.
  expect(page.url()).not.toContain('#');
  await widget.send('Thank you!');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  const { messages } = await shop.api('GET /chats/:id/messages', { token, params });
  expect(messages.at(-1)).toMatchObject({ sender: 'visitor', content: 'Thank you!' });
  expect(problems).toEqual([]);
});

test('an agent who is signed out claims and answers a chat from the mail about it', async () => {
  const { api, owner, site } = shop;
  const { token } = owner;
  const form = { siteId: site._id, shortcut: 'moment', content: 'One moment, {{visitor.name}}.', personal: true };
  const { reply } = await api('POST /canned-replies', { token, body: form });
  const data = { bySite: { [site._id]: reply._id } };
  await api('PATCH /settings', { token, body: { section: 'quickReplies', data } });
  // Nobody else waits, or the mail is about several chats.
  const { chats } = await api('GET /chats', { token });
  for (const { _id } of chats) await api('POST /chats/:id/close', { token, params: { id: _id } });
  const notices = () => inDatabase(shop, (db) => db.collection('notices').countDocuments({ kind: 'team' }));
  await expect.poll(notices).toBe(0);
  const { chatId } = await visit(shop, { name: 'Noor' }, 'Are you there?');
  await makeDue('team');
  const chatLink = `/dashboard/inbox?chat=${chatId}`;
  const claim = await linkTo(owner.user.email, `${chatLink}&do=claim`);
  const answer = await linkTo(owner.user.email, `${chatLink}&reply=${reply._id}`);
  // As the mail server opens links, to check them.
  for (const link of [claim, answer]) expect((await fetch(link)).status).toBe(200);
  const chat = async () => (await api('GET /chats/:id', { token, params: { id: chatId } })).chat;
  expect((await chat()).claimedBy).toBeNull();

  const page = await (await newContext(shop.browser, { viewport: PHONE })).newPage();
  const problems = watch(page, shop.parley.origin);
  await page.goto(claim);
  await page.getByLabel('Email').fill(owner.user.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  const isFocused = () => field.evaluate((area) => area === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  await expect.poll(async () => (await chat()).claimedBy?.name).toBe('Ana Oliveira');
  expect(page.url()).toBe(shop.parley.origin + chatLink);
  await page.goto(answer);
  await expect.poll(() => field.inputValue()).toBe('One moment, Noor.');
  expect(await isFocused()).toBe(true);
  expect((await chat()).lastSeq).toBe(1);
  await field.press('Enter');
  await expect.poll(async () => (await chat()).lastSeq).toBe(2);
  expect(problems).toEqual([]);
});

test('a forgotten password is reset with a mailed link', async () => {
  const page = await (await newContext(shop.browser)).newPage();
  await page.goto(`${shop.parley.origin}/forgot`);
  await page.getByLabel('Email').fill(shop.owner.user.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('we have sent it a link').waitFor();
  await page.goto(await linkTo(shop.owner.user.email, '/reset'));
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Email').fill(shop.owner.user.email);
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
  await expect(shop.api('GET /auth/profile', { token: shop.owner.token })).rejects.toThrow(/^401 /);
});

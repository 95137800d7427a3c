import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/cluster/processes.js';
import { newContext, watch } from './harness/browser.ts';
import { inDatabase } from './harness/database.ts';
import { type Mailbox, startMailbox } from './harness/mailbox.ts';
import { openShop, type Shop, visit } from './harness/shop.ts';
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
  const found = () => box.mails.find(({ to }) => to?.[0]?.address === address)?.text ?? '';
  await expect.poll(found).toContain(shop.parley.origin + path);
  return found().match(new RegExp(`${shop.parley.origin}${path}\\S+`))?.[0] ?? '';
}

test('a visitor who left gets the answer by mail, and continues the chat on another device', async () => {
  const { chatId } = await visit(shop, { name: 'Mina', email: 'mina@example.net' }, 'When do you open?');
  const { token } = shop.owner;
  const params = { id: chatId };
  await shop.api('POST /chats/:id/messages', { token, params, body: { content: 'At nine.' } });
  // After the two minutes in which the visitor can read the answer.
  await expect
    .poll(() =>
      inDatabase(shop, async (db) => {
        const due = { $set: { dueAt: new Date(0) } };
        return (await db.collection('notices').updateMany({ kind: 'answer' }, due)).matchedCount;
      }),
    )
    .toBe(1);
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

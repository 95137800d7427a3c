import { createTransport } from 'nodemailer';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/cluster/processes.js';
import { newContext, watch } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import { inDatabase } from './harness/database.ts';
import type { Host } from './harness/host-page.ts';
import { type Mailbox, startMailbox } from './harness/mailbox.ts';
import { hostPageOf, openShop, type Shop, signedIn } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const MINA = 'mina@example.net';
const PHONE = { width: 360, height: 740 };

let box: Mailbox;
let shop: Shop;
let host: Host;
/** The port on which Parley takes mails. */
let door: number;

beforeAll(async () => {
  const [port, listening] = await Promise.all([freePort(), freePort()]);
  [box, door] = [await startMailbox(), listening];
  const mails = { SMTP_URL: box.url, MAIL_FROM: 'chat@example.org', MAIL_IN_URL: `smtp://127.0.0.1:${door}` };
  shop = await openShop({ port, env: { ...mails, PUBLIC_URL: `http://localhost:${port}` } });
  host = await hostPageOf(shop);
});
afterAll(async () => {
  await shop.stop();
  await host.stop();
  await box.stop();
});

/** Lets the time pass after which a visitor who has left is mailed. @returns the mail with this number */
async function mailed(number: number): Promise<Email> {
  const mails = () => box.mails.filter(({ to }) => to?.[0]?.address === MINA);
  const due = { kind: 'answer', dueAt: { $exists: true }, takes: null };
  const isThere = async () => {
    await inDatabase(shop, (db) => db.collection('notices').updateMany(due, { $set: { dueAt: new Date(0) } }));
    return mails().length;
  };
  await expect.poll(isThere).toBe(number);
  return mails()[number - 1] as Email;
}

/** Answers a mail as Gmail does on a German phone, and hands it to Parley as her mail server does. */
async function answer(mail: Email, own: string, picture?: Buffer): Promise<void> {
  const to = mail.replyTo?.[0]?.address ?? '';
  const attribution = `Am Fr., 27. Nov. 2026 um 10:31 Uhr schrieb Example shop <\n${to}>:`;
  const quoted = (mail.text ?? '').split('\n').map((line) => `> ${line}`);
  const transport = createTransport({ host: '127.0.0.1', port: door, ignoreTLS: true });
  await transport.sendMail({
    from: `Mina <${MINA}>`,
    to,
    subject: `Re: ${mail.subject}`,
    inReplyTo: mail.messageId,
    references: `${mail.references} ${mail.messageId}`,
    text: `${own}\n\n${attribution}\n\n${quoted.join('\n')}`,
    html: `<div dir="auto">${own}</div><br><div class="gmail_quote"><div class="gmail_attr">${attribution}</div><blockquote>${mail.html}</blockquote></div>`,
    attachments: picture ? [{ filename: 'lamp.png', content: picture }] : [],
  });
}

test('a visitor who left answers the mail by mail, and goes on in the widget by its link', async () => {
  // Nobody is there, so the widget asks for an address.
  const visit = await (await newContext(shop.browser)).newPage();
  const ofVisitor = watch(visit, shop.parley.origin, host.origin);
  await visit.goto(host.url);
  const asking = widgetOf(visit);
  // What is sent before the session is open is refused first, and sent again.
  const session = visit.waitForResponse((answer) => answer.url().endsWith('/session'));
  await asking.open();
  await session;
  await visit.getByLabel('Name').fill('Mina');
  await visit.getByLabel('Email').fill(MINA);
  await asking.send('Habt ihr die Lampe auch in Blau?');
  await expect.poll(asking.state).toMatch(/Sent|Delivered/);
  const picture = await visit.screenshot();
  await visit.close();

  const page = await signedIn(shop, shop.owner, '/dashboard/inbox');
  const ofStaff = watch(page, shop.parley.origin);
  const inbox = inboxOf(page);
  await inbox.openChat(0);
  await inbox.claim();
  await inbox.send('Haben wir. Soll ich dir eine zurücklegen?');
  const first = await mailed(1);
  expect(first.text).toMatch(/^- - - Please write your answer above this line - - -\n/);

  await answer(first, 'ja');
  const said = ['Habt ihr die Lampe auch in Blau?', 'Haben wir. Soll ich dir eine zurücklegen?', 'ja'];
  await expect.poll(inbox.messages).toEqual(said);
  await expect.poll(inbox.state).toBe('Read');
  await page.getByText('answered by mail').waitFor();
  await page.getByRole('button', { name: 'Show the whole mail' }).click();
  await page.getByRole('region', { name: 'Whole mail' }).getByText('> > Haben wir. Soll ich').waitFor();

  await answer(first, 'Diese hier', picture);
  const lamp = page.getByRole('img', { name: 'lamp.png' });
  await expect.poll(() => lamp.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await inbox.send('Liegt bereit!');
  const second = await mailed(2);
  expect([second.replyTo, second.subject]).toEqual([first.replyTo, first.subject]);

  const phone = await (await newContext(shop.browser, { viewport: PHONE })).newPage();
  const ofPhone = watch(phone, shop.parley.origin);
  const link = second.text?.split('\n').find((line) => line.startsWith(`${shop.parley.origin}/c/`));
  await phone.goto(link ?? '');
  await expect.poll(widgetOf(phone).messages).toEqual([...said, 'Diese hier', '', 'Liegt bereit!']);
  await phone.getByRole('img', { name: 'lamp.png' }).waitFor();
  expect([ofVisitor, ofStaff, ofPhone]).toEqual([[], [], []]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { MESSAGE_MAX_LENGTH, type VisitorSession } from '../../../contract.ts';
import { UserModel } from '../auth/model.ts';
import { ChatModel } from '../chats/model.ts';
import type { Site } from '../sites/contract.ts';
import { VisitorModel } from '../visitors/model.ts';

const DAY_MS = 86_400_000;

let box: Mailbox;
let server: TestServer;
let owner: Account;
let site: Site;
let vera: VisitorSession;
let chatId: string;

async function begin(): Promise<void> {
  owner = await signUp(server.api, 'Olga');
  site = await createSite(server.api, owner.token);
  vera = await visit(server.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  chatId = await say(server.api, site, vera, 'Is it back?');
}

const selfCheck = () => server.api('POST /self-check/mail', { token: owner.token, body: {} });
const transcript = (body: object, { visitorToken } = vera) =>
  server.api(`POST /widget/${site.widgetCode}/transcript`, { token: visitorToken, body });

describe('with a mail server', () => {
  beforeAll(async () => {
    box = await startMailbox();
    server = await startServer({ ...mailingInto(box), rateLimits: true });
    await begin();
  });
  afterAll(async () => {
    await server.stop();
    await box.stop();
  });
  beforeEach(() => {
    box.mails.length = 0;
  });

  test('the self-check sends a mail to the caller, and reports the answer of the mail server', async () => {
    expect((await selfCheck()).body.data).toEqual({ to: owner.user.email });
    expect(box.mails[0]?.to?.[0]?.address).toBe(owner.user.email);
    box.refuse(554);
    const refused = await selfCheck();
    box.refuse(null);
    expect(refused).toMatchObject({ status: 409, body: { code: 'MAIL_FAILED' } });
    expect(refused.body.message).toBe('The mail server did not accept the mail (EENVELOPE, 554).');
    for (let times = 0; times < 3; times++) await selfCheck();
    expect((await selfCheck()).status).toBe(429);
  });

  /** Answers the chat, and waits until that is known of it. */
  async function answer(chat: string, content: string): Promise<void> {
    await server.api(`POST /chats/${chat}/messages`, { token: owner.token, body: { content } });
    await until(async () => ChatModel.exists({ _id: chat, firstResponseAt: { $exists: true } }));
  }
  const sentTo = (address: string) => box.mails.filter(({ to }) => to?.[0]?.address === address);

  test('a visitor can have the copy of an answered chat mailed once, to their own address', async () => {
    expect((await transcript({ chatId })).body).toMatchObject({ success: false, code: 'NOT_ANSWERED' });
    await answer(chatId, 'Yes\nit is');
    expect((await transcript({ chatId })).status).toBe(200);
    expect((await transcript({ chatId })).body).toMatchObject({ success: false, code: 'TRANSCRIPT_SENT' });
    const own = await until(async () => sentTo('vera@example.com')[0]);
    expect(own?.subject).toBe('Your chat with Corner Shop');
    expect(own?.text).toMatch(/Vera, \d{4}-\d\d-\d\d \d\d:\d\d UTC:\n> Is it back\?\n\nOlga, [^\n]+\n> Yes\n> it is\n/);
  });

  test('the copy of a very long chat has only its last messages', async () => {
    const talker = await visit(server.api, site);
    const theirs = await say(server.api, site, talker, 'The first one');
    for (let n = 0; n < 25; n++) await answer(theirs, `${'<'.repeat(MESSAGE_MAX_LENGTH - 3)}#${n}`);
    expect((await transcript({ chatId: theirs, email: 'long@example.com' }, talker)).status).toBe(200);
    const { text } = await until(async () => sentTo('long@example.com')[0]);
    expect(text).toContain('has only its last 20 messages');
    expect([text?.includes('<#4'), text?.includes('<#5'), text?.includes('<#24')]).toEqual([false, true, true]);
  });

  test('a copy needs an address, which is stored for the visitor, and a chat of their own', async () => {
    const nameless = await visit(server.api, site);
    const theirs = await say(server.api, site, nameless, 'Hello');
    await answer(theirs, 'Hi');
    expect((await transcript({ chatId: theirs }, nameless)).status).toBe(422);
    expect((await transcript({ chatId: theirs, email: 'not an address' }, nameless)).status).toBe(422);
    expect((await transcript({ chatId: theirs })).status).toBe(404);
    expect((await transcript({ chatId: theirs, email: 'kim@example.com' }, nameless)).status).toBe(200);
    await until(async () => sentTo('kim@example.com')[0]);
    const { body } = await server.api(`GET /chats/${theirs}`, { token: owner.token });
    expect(body.data.chat.visitorInfo.email).toBe('kim@example.com');
  });

  test('the copy of a verified visitor is sent to no other address', async () => {
    const proved = await visit(server.api, site, { visitor: { email: 'pia@example.com' } });
    const theirs = await say(server.api, site, proved, 'Hello');
    await VisitorModel.updateOne({ _id: proved.visitor._id }, { $set: { verified: true, userId: 'p1' } });
    await answer(theirs, 'Hi');
    const refused = await transcript({ chatId: theirs, email: 'victim@example.com' }, proved);
    expect(refused.body).toMatchObject({ success: false, code: 'ANOTHER_ADDRESS' });
    expect((await transcript({ chatId: theirs }, proved)).status).toBe(200);
    await until(async () => sentTo('pia@example.com')[0]);
    expect(sentTo('victim@example.com')).toEqual([]);
  });

  test('the number of copies is limited for each visitor and for each mailbox', async () => {
    const statuses = [];
    for (let times = 0; times < 5; times++) {
      const stranger = await visit(server.api, site);
      const theirs = await say(server.api, site, stranger, 'Read this');
      await answer(theirs, 'Hi');
      const email = `victim+${times}@example.com`;
      statuses.push((await transcript({ chatId: theirs, email }, stranger)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const stranger = await visit(server.api, site);
    const theirs = await say(server.api, site, stranger, 'Read this');
    await answer(theirs, 'Hi');
    const others = [];
    for (let times = 0; times < 6; times++)
      others.push((await transcript({ chatId: theirs, email: `other${times}@example.com` }, stranger)).status);
    expect(others).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a new account can invite ten a day, and a mailbox gets two mails from all senders', async () => {
    const fresh = await signUp(server.api, 'Go to https://evil.example NOW');
    const shop = await createSite(server.api, fresh.token, 'PayPal.com');
    const invite = (email: string, { token } = fresh, siteId = shop._id) =>
      server.api('POST /team/invites', { token, body: { siteId, email } });
    const mailed = [await invite('vic@example.com'), await invite('vic+a@example.com')];
    mailed.push(await invite('vic@example.com', owner, site._id));
    expect(mailed.map(({ body }) => body.data.mailed)).toEqual([true, true, false]);
    expect(mailed[2]?.body.message).toContain('Copy the link');
    const mail = await until(async () => sentTo('vic@example.com')[0]);
    expect(mail?.subject).toBe('Go to https evil example NOW invited you to the team of PayPal com');
    const statuses = [];
    for (let number = 0; number < 9; number++) statuses.push((await invite(`n${number}@example.com`)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 201, 201, 429]);
    await UserModel.updateOne({ _id: fresh.user._id }, { $set: { createdAt: new Date(Date.now() - 2 * DAY_MS) } });
    await until(async () => (await invite('late@example.com')).status === 201);
  });

  test('a new invite and a resent one are mailed, each with its own link', async () => {
    const body = { siteId: site._id, email: 'nina@example.com', role: 'viewer' };
    const made = await server.api('POST /team/invites', { token: owner.token, body });
    const first = made.body.data.invite._id;
    const again = await server.api(`POST /team/invites/${first}/resend`, { token: owner.token, body: {} });
    expect(again.body.data.mailed).toBe(true);
    await until(async () => box.mails.filter(({ to }) => to?.[0]?.address === body.email).length === 2);
    const links = box.mails.filter(({ subject }) => subject === 'Olga invited you to the team of Corner Shop');
    expect(links.map(({ text }) => text?.match(/example\.com\/invite\/(\S+)/)?.[1])).toEqual([
      first,
      again.body.data.invite._id,
    ]);
    expect(links[0]?.text).toContain('with the role viewer');
  });
});

describe('without a mail server', () => {
  beforeAll(async () => {
    server = await startServer();
    await begin();
  });
  afterAll(() => server.stop());

  test('everything else works, and the answers say how to use the link', async () => {
    expect((await selfCheck()).body).toMatchObject({ success: false, code: 'MAIL_OFF' });
    expect((await transcript({ chatId })).body).toMatchObject({ success: false, code: 'MAIL_OFF' });
    const body = { siteId: site._id, email: 'nina@example.com' };
    const made = await server.api('POST /team/invites', { token: owner.token, body });
    expect(made.body).toMatchObject({ success: true, data: { mailed: false } });
    expect(made.body.message).toContain('Copy the link');
    expect((await newChat(server.api, site, owner.token)).lastSeq).toBe(1);
  });
});

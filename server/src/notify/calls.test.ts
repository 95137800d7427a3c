import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { VisitorSession } from '../../contract.ts';
import { type Account, createSite, newChat, say, signUp, until, visit } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { type Mailbox, mailingInto, startMailbox } from '../../test/mailbox.ts';
import type { Site } from '../sites/contract.ts';

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

  test('the self-check mails the caller, and says what the mail server said', async () => {
    expect((await selfCheck()).body.data).toEqual({ to: owner.user.email });
    expect(box.mails[0]?.to?.[0]?.address).toBe(owner.user.email);
    box.refuse(554);
    const refused = await selfCheck();
    box.refuse(null);
    expect(refused).toMatchObject({ status: 409, body: { code: 'MAIL_FAILED' } });
    expect(refused.body.message).toBe('The mail server did not take the mail (EENVELOPE, 554).');
    for (let times = 0; times < 3; times++) await selfCheck();
    expect((await selfCheck()).status).toBe(429);
  });

  test('a visitor has the copy of a chat mailed, to the own address or another', async () => {
    const body = { content: 'Yes\nit is' };
    await server.api(`POST /chats/${chatId}/messages`, { token: owner.token, body });
    for (const more of [{}, { email: 'other@example.com' }])
      expect((await transcript({ chatId, ...more })).status).toBe(200);
    await until(async () => box.mails.length >= 2);
    const [own, other] = box.mails;
    expect([own, other].map((mail) => mail?.to?.[0]?.address)).toEqual(['vera@example.com', 'other@example.com']);
    expect(own?.subject).toBe('Your chat with Corner Shop');
    expect(own?.text).toMatch(/Vera, \d{4}-\d\d-\d\d \d\d:\d\d UTC:\n> Is it back\?\n\nOlga, [^\n]+\n> Yes\n> it is\n/);
  });

  test('a copy needs an address and an own chat, and is not for flooding', async () => {
    const nameless = await visit(server.api, site);
    const theirs = await say(server.api, site, nameless, 'Hello');
    expect((await transcript({ chatId: theirs }, nameless)).status).toBe(422);
    expect((await transcript({ chatId: theirs, email: 'not an address' }, nameless)).status).toBe(422);
    expect((await transcript({ chatId: theirs })).status).toBe(404);
    const [email, answers] = ['victim@example.com', [] as number[]];
    for (let times = 0; times < 6; times++)
      answers.push((await transcript({ chatId: theirs, email }, nameless)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a new invite and one sent again are mailed, each with its own link', async () => {
    const body = { siteId: site._id, email: 'nina@example.com', role: 'viewer' };
    const made = await server.api('POST /team/invites', { token: owner.token, body });
    const first = made.body.data.invite._id;
    const again = await server.api(`POST /team/invites/${first}/resend`, { token: owner.token, body: {} });
    expect(again.body.data.mailed).toBe(true);
    await until(async () => box.mails.filter(({ to }) => to?.[0]?.address === body.email).length === 2);
    const links = box.mails.filter(({ subject }) => subject === 'Olga invites you to answer chats of Corner Shop');
    expect(links.map(({ text }) => text?.match(/example\.com\/invite\/(\S+)/)?.[1])).toEqual([
      first,
      again.body.data.invite._id,
    ]);
    expect(links[0]?.text).toContain('as viewer');
  });
});

describe('without a mail server', () => {
  beforeAll(async () => {
    server = await startServer();
    await begin();
  });
  afterAll(() => server.stop());

  test('everything else works, and answers say where the link is', async () => {
    expect((await selfCheck()).body).toMatchObject({ success: false, code: 'MAIL_OFF' });
    expect((await transcript({ chatId })).body).toMatchObject({ success: false, code: 'MAIL_OFF' });
    const body = { siteId: site._id, email: 'nina@example.com' };
    const made = await server.api('POST /team/invites', { token: owner.token, body });
    expect(made.body).toMatchObject({ success: true, data: { mailed: false } });
    expect(made.body.message).toContain('copy the link');
    expect((await newChat(server.api, site, owner.token)).lastSeq).toBe(1);
  });
});

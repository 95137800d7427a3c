import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { connectStaff, hangUp } from '#test/sockets';
import type { Site } from '../sites/contract.ts';
import { NoticeModel } from './model.ts';

const MINUTE_MS = 60_000;

let box: Mailbox;
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer(mailingInto(box));
  owner = await speaker('Olga', 'ar');
  site = await createSite(server.api, owner.token, 'Corner Shop');
  const body = { settings: { autoAssign: false } };
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body });
});
afterAll(async () => {
  hangUp();
  await server.stop();
  await box.stop();
});

async function speaker(name: string, language: string): Promise<Account> {
  const account = await signUp(server.api, name);
  await server.api('PATCH /settings', { token: account.token, body: { section: 'language', data: { language } } });
  return account;
}

const mailTo = (email: string) => until(async () => box.mails.find(({ to }) => to?.[0]?.address === email));

test('a mail to the team is in the language of each reader, and runs in its direction', async () => {
  const agent = await speaker('Ben', 'de');
  const other = await speaker('Cleo', 'auto');
  for (const account of [agent, other]) await join(site, account, 'agent');
  await connectStaff(server.url, owner.token);
  const chat = await newChat(server.api, site, owner.token, 'Is it back?');
  await until(async () => NoticeModel.exists({ chat: chat._id, kind: 'team', dueAt: { $exists: true } }));
  server.advance(4 * MINUTE_MS);

  const german = await mailTo(agent.user.email);
  expect(german.subject).toBe('Vera wartet auf Corner Shop');
  expect(german.text).toContain('Vera wartet auf Corner Shop seit 3 Minuten auf eine Antwort.');
  expect(german.html).toContain('<html lang="de" dir="ltr">');
  const arabic = await mailTo(owner.user.email);
  expect(arabic.subject).toBe('Vera ينتظر على Corner Shop');
  expect(arabic.html).toContain('<div lang="ar" dir="rtl"');
  // Names keep their own direction among the words, and only what people wrote has one of its own.
  expect(arabic.html).toMatch(/ينتظر \u2068Vera\u2069 ردًا على \u2068Corner Shop\u2069 منذ [3٣] دقائق\./);
  expect(arabic.html?.match(/dir="auto"/g)).toHaveLength(1);
  expect((await mailTo(other.user.email)).subject).toBe('Vera is waiting on Corner Shop');
});

test('a mail to a visitor is in the language that the widget shows', async () => {
  const readers = { es: 'Corner Shop te ha respondido', ja: 'Corner Shop replied to you' };
  const ana = await speaker('Ana', 'fr');
  await join(site, ana, 'agent');
  for (const [speaks, subject] of Object.entries(readers)) {
    const email = `${speaks}@example.com`;
    const visitor = await visit(server.api, site, { visitor: { name: 'Vera', email }, speaks });
    const chatId = await say(server.api, site, visitor, 'Hello');
    await server.api(`POST /chats/${chatId}/messages`, { token: ana.token, body: { content: 'Yes' } });
    await until(async () => (await NoticeModel.findById(`${chatId}:answer`).lean())?.wantedSeq);
    server.advance(10 * MINUTE_MS);
    expect((await mailTo(email)).subject).toBe(subject);
  }
});

test('an invite is in the language of the invited person, or of who invites', async () => {
  const known = await speaker('Dora', 'pt');
  for (const email of [known.user.email, 'new@example.com'])
    await server.api('POST /team/invites', { token: owner.token, body: { siteId: site._id, email } });
  expect((await mailTo(known.user.email)).subject).toBe('Olga convidou você para a equipe de Corner Shop');
  expect((await mailTo('new@example.com')).subject).toBe('دعاك Olga إلى فريق Corner Shop');
});

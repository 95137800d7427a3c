import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, mailed } from '#test/mailIn';
import type { RawMail } from '#test/mails';
import { MessageModel } from '../../chats/messageModel.ts';
import { VisitorModel } from '../../visitors/model.ts';
import { ReplyAddressModel } from '../replyAddresses.ts';

let box: Mailbox;
let server: TestServer;
let site: Awaited<ReturnType<typeof createSite>>;

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer({
    ...answeringInto(box),
    rateLimits: true,
    limits: { siteFileBytes: 1_000, newChatsPerAddress: 1_000, registerPerIp: 1_000 },
  });
  site = await createSite(server.api, (await signUp(server.api, 'Olga')).token);
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});

async function mailedVisitor() {
  const email = `vera-${randomUUID()}@example.com`;
  const session = await visit(server.api, site, { visitor: { name: 'Vera', email } });
  const visitor = session.visitor._id;
  const chat = await say(server.api, site, session, 'Hello?');
  const sent = await mailed({ chat, site: site._id, visitor, to: email });
  return { ...sent, chat, visitor, email, mail: { from: email, to: sent.replyTo, inReplyTo: sent.messageId } };
}

const receive = async (mail: RawMail, query = '') => (await handOverMail(server.url, mail, { query })).outcome;
/** What a program is answered about a mail that is for later. */
const LATER = { status: 503, outcome: undefined, retryAfter: 600 };
const refused = (reason: string) => ({ end: 'refused', reason });
const messagesOf = (chat: string) => MessageModel.countDocuments({ chat });

test.each([
  ['a vacation', { headers: [['Auto-Submitted', 'auto-replied']] }, 'automatic'],
  ['bulk mail', { headers: [['Precedence', 'bulk']] }, 'automatic'],
  ['a mailing list', { headers: [['List-Id', '<news.example.com>']] }, 'list'],
  ['an empty return path', { headers: [['Return-Path', '<>']] }, 'automatic'],
  ['a mail of the address itself', { from: 'Corner Shop <chat@example.com>' }, 'own'],
] as [string, RawMail, string][])('%s is no message', async (_, change, reason) => {
  const { chat, mail } = await mailedVisitor();
  expect(await receive({ ...mail, ...change })).toEqual(refused(reason));
  expect(await messagesOf(chat)).toBe(1);
});

test('an empty sender of the envelope is that of machines', async () => {
  const { mail } = await mailedVisitor();
  expect(await receive(mail, '?from=')).toEqual(refused('automatic'));
});

test('our own mail that comes back is known by its id', async () => {
  const { mail, messageId } = await mailedVisitor();
  expect(await receive({ ...mail, messageId })).toEqual(refused('own'));
});

test('a mail that belongs to no chat is none, whatever its subject and text say', async () => {
  const { chat, email, replyTo } = await mailedVisitor();
  expect(await receive({ from: email, to: 'chat@example.com', subject: replyTo, text: replyTo })).toEqual(
    refused('unknown'),
  );
  expect(await messagesOf(chat)).toBe(1);
});

test('the recipient of the envelope counts where the headers do not name it', async () => {
  const { chat, email, replyTo } = await mailedVisitor();
  const query = `?to=${encodeURIComponent(replyTo)}`;
  expect(await receive({ from: email, to: 'shop@example.com' }, query)).toEqual({ end: 'added' });
  expect(await messagesOf(chat)).toBe(2);
});

test('an address ends after thirty days; what came before is known', async () => {
  const { chat, replyTo, mail } = await mailedVisitor();
  const known = { ...mail, messageId: `<${randomUUID()}@mail.example.com>` };
  await receive(known);
  const [token] = replyTo.slice('chat+'.length).split('@');
  await ReplyAddressModel.updateOne({ _id: token ?? '' }, { expiresAt: new Date() });
  expect(await receive({ ...mail, text: 'Still there?' })).toEqual(refused('expired'));
  expect(await receive(known)).toEqual({ end: 'known' });
  expect(await messagesOf(chat)).toBe(2);
});

test('of machines that do not say that they are some, ten mails are taken in an hour, and no other', async () => {
  const { chat, mail } = await mailedVisitor();
  const outcomes = [];
  const send = (round: number) =>
    handOverMail(server.url, { ...mail, messageId: `<${round}-${chat}@x>`, text: `I am away, round ${round}` });
  for (let round = 0; round < 12; round++) outcomes.push(await send(round));
  expect(outcomes.slice(0, 10).map(({ outcome }) => outcome)).toEqual(Array(10).fill({ end: 'added' }));
  expect(outcomes.slice(10).map(({ outcome }) => outcome)).toEqual([refused('tooMany'), refused('tooMany')]);
  expect(await messagesOf(chat)).toBe(11);
  // What was taken is known meanwhile.
  expect((await send(9)).outcome).toEqual({ end: 'known' });
  expect(await messagesOf(chat)).toBe(11);
});

test("of a website that is full, the text comes and the file's name is kept", async () => {
  const { chat, mail } = await mailedVisitor();
  const files = [{ name: 'large.txt', content: 'x'.repeat(2_000), type: 'text/plain' }];
  expect(await receive({ ...mail, files })).toEqual({ end: 'added' });
  const stored = await MessageModel.findOne({ chat, seq: 2 }).lean();
  expect(stored).toMatchObject({ content: 'yes', mail: { whole: 'yes\n[large.txt]' } });
  expect(await handOverMail(server.url, { ...mail, text: '', files })).toEqual(LATER);
});

test("a report that an address does not exist marks the visitor's, and nobody else's", async () => {
  const { chat, visitor, email, messageId } = await mailedVisitor();
  const report = (status: string, id: string) => ({
    from: 'MAILER-DAEMON@mail.example.com',
    to: 'chat@example.com',
    headers: [['Return-Path', '<>']] as [string, string][],
    multipart: 'report; report-type=delivery-status',
    parts: [
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example.com\n\nFinal-Recipient: rfc822; ${email}\nAction: failed\nStatus: ${status}\n`,
      `Content-Type: message/rfc822\n\nMessage-ID: ${id}\nSubject: Hello\n\nHello\n`,
    ],
  });
  expect(await receive(report('4.2.2', messageId))).toEqual(refused('report'));
  expect(await receive(report('5.1.1', '<foreign@example.com>'))).toEqual(refused('report'));
  expect((await VisitorModel.findById(visitor).lean())?.bounced).toBeUndefined();
  expect(await receive(report('5.1.1', messageId))).toEqual({ end: 'bounce' });
  expect((await VisitorModel.findById(visitor).lean())?.bounced).toMatchObject({ email, status: '5.1.1' });
  expect(await messagesOf(chat)).toBe(1);
});

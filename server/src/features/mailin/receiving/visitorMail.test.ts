import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, mailed } from '#test/mailIn';
import type { RawMail } from '#test/mails';
import { type Receiver, startReceiver } from '#test/receivers';
import { connectStaff, hangUp } from '#test/sockets';
import type { StaffMessage, VisitorSession } from '../../../../contract.ts';
import { VisitorModel } from '../../visitors/model.ts';

let box: Mailbox;
let receiver: Receiver;
let server: TestServer;
let owner: Account;
let site: Awaited<ReturnType<typeof createSite>>;

beforeAll(async () => {
  box = await startMailbox();
  receiver = await startReceiver();
  server = await startServer(answeringInto(box), { webhookAgent: receiver.agent });
  owner = await signUp(server.api, 'Olga');
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
  await box.stop();
  await receiver.stop();
});

/** A visitor who wrote, was answered, and left; and the mail about it. */
async function leftVisitor(email = `vera-${randomUUID()}@example.com`) {
  const session: VisitorSession = await visit(server.api, site, { visitor: { name: 'Vera', email } });
  const chat = await say(server.api, site, session, 'Do you ship to Spain?');
  await as(`POST /chats/${chat}/messages`, { content: 'We do. Shall I send you the prices?' });
  const about = { chat, site: site._id, visitor: session.visitor._id, to: email };
  return { session, chat, email, about, ...(await mailed(about)) };
}

const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const thread = async (chat: string): Promise<StaffMessage[]> =>
  (await as(`GET /chats/${chat}/messages`)).body.data.messages;
const receive = async (mail: RawMail) => (await handOverMail(server.url, mail)).outcome;
const refused = (reason: string) => ({ end: 'refused', reason });
const last = async (chat: string) => (await thread(chat)).at(-1);

test("'yes' in an answer is exactly that in the chat, and the team sees it at once", async () => {
  const { chat, email, replyTo, messageId } = await leftVisitor();
  const ear = await connectStaff(server.url, owner.token);
  await ear.ask('open_chat', { chatId: chat });
  const text = `yes\r\n\r\nOn Fri, 27 Nov 2026, Corner Shop <chat@example.com> wrote:\r\n> We do. Shall I send you the prices?\r\n`;
  expect(await receive({ from: email, to: replyTo, inReplyTo: messageId, text })).toEqual({ end: 'added' });
  const shown = await until(async () => ear.heard('new_message').find(({ message }) => message.content === 'yes'));
  expect(shown.message).toMatchObject({ sender: 'visitor', senderName: 'Vera', mail: { more: true } });
  const { body } = await as(`GET /chats/${chat}/messages/${shown.message._id}/mail`);
  expect(body.data.mail).toMatchObject({ from: null, subject: 'Re: Your chat' });
  expect(body.data.mail.text).toContain('> We do. Shall I send you the prices?');
  await until(async () => (await as(`GET /chats/${chat}`)).body.data.chat.unread === 1);
  hangUp();
});

test('an answer without its address belongs by the mail that it answers', async () => {
  const { chat, email, messageId } = await leftVisitor();
  expect(await receive({ from: email, inReplyTo: messageId, text: 'yes' })).toEqual({ end: 'added' });
  expect(await last(chat)).toMatchObject({ content: 'yes', mail: {} });
});

test('exports and webhooks say which messages came by mail', async () => {
  await as(`POST /sites/${site._id}/webhooks`, { url: receiver.url('/mails'), events: ['message.created'] });
  const { chat, email, replyTo } = await leftVisitor();
  await receive({ from: email, to: replyTo, text: 'Yes, do' });
  const told = () => receiver.received('/mails').map(({ payload }) => payload.data.message);
  await until(async () => told().length === 3);
  expect(told().map(({ content, byMail }) => byMail && content)).toEqual([false, false, 'Yes, do']);
  const headers = { Authorization: `Bearer ${owner.token}` };
  const exported = await fetch(`${server.url}/api/chats/${chat}/export?format=txt`, { headers });
  expect(await exported.text()).toMatch(
    /Visitor Vera: Do you ship to Spain\?\n.*\n.*Visitor Vera \(by mail\): Yes, do\n/,
  );
});

test('from another address, it says so, and the visitor stays who they are', async () => {
  const { chat, email, session, replyTo } = await leftVisitor();
  expect(await receive({ from: 'Someone <Partner@Example.net>', to: replyTo })).toEqual({ end: 'added' });
  expect((await last(chat))?.mail).toEqual({ from: 'partner@example.net' });
  expect((await as(`GET /chats/${chat}`)).body.data.chat.visitorInfo.email).toBe(email);
  const { body } = await server.api(`POST /widget/${site.widgetCode}/session`, {
    body: { visitorToken: session.visitorToken },
  });
  expect(JSON.stringify(body)).not.toContain('partner@example.net');
});

test('a token of another chat only ever writes as the visitor of that chat', async () => {
  const [mine, other] = [await leftVisitor(), await leftVisitor()];
  await receive({ from: mine.email, to: other.replyTo, inReplyTo: mine.messageId, text: 'I am in' });
  expect(await last(other.chat)).toMatchObject({ content: 'I am in', mail: { from: mine.email } });
  expect(await thread(mine.chat)).toHaveLength(2);
});

test('the same mail again, also at the same time, is one message', async () => {
  const { chat, email, replyTo } = await leftVisitor();
  const mail = { from: email, to: replyTo, messageId: `<${randomUUID()}@mail.example.com>`, files: [note('a.txt')] };
  const outcomes = await Promise.all([receive(mail), receive(mail), receive(mail)]);
  expect(outcomes).toContainEqual({ end: 'added' });
  expect(await receive(mail)).toEqual({ end: 'known' });
  expect((await thread(chat)).map(({ content }) => content).slice(2)).toEqual(['yes', 'a.txt']);
});

test('what a try before has not stored is added', async () => {
  const { chat, email, replyTo } = await leftVisitor();
  const mail = { from: email, to: replyTo, messageId: `<${randomUUID()}@mail.example.com>`, text: 'See the list' };
  await receive(mail);
  expect(await receive({ ...mail, files: [note('list.txt')] })).toEqual({ end: 'added' });
  expect((await thread(chat)).slice(2).map(({ content }) => content)).toEqual(['See the list', 'list.txt']);
});

test('a person may answer two mails with the same word, and a machine one only once', async () => {
  const { chat, about, email, replyTo, messageId } = await leftVisitor();
  const answer = { from: email, to: replyTo, inReplyTo: messageId };
  expect(await receive(answer)).toEqual({ end: 'added' });
  expect(await receive(answer)).toEqual(refused('repeated'));
  const next = await mailed(about, '<mail-2@chat.example.com>');
  expect(await receive({ ...answer, inReplyTo: next.messageId })).toEqual({ end: 'added' });
  expect((await thread(chat)).slice(2).map(({ content }) => content)).toEqual(['yes', 'yes']);
});

test('a closed chat is followed by a new one', async () => {
  const { chat, email, replyTo, session } = await leftVisitor();
  await as(`POST /chats/${chat}/close`);
  expect(await receive({ from: email, to: replyTo, text: 'One more thing' })).toEqual({ end: 'added' });
  const { body } = await as(`GET /visitors/${session.visitor._id}/chats`);
  expect(body.data.chats.map(({ status }: { status: string }) => status)).toEqual(['waiting', 'closed']);
});

test('whoever answers has read what was mailed, and the address works again', async () => {
  const { chat, about, email } = await leftVisitor();
  await VisitorModel.updateOne({ _id: about.visitor }, { bounced: { email, status: '5.1.1', at: new Date() } });
  const { replyTo, messageId } = await until(async () => mailedLater(about));
  await receive({ from: email, to: replyTo, inReplyTo: messageId });
  await until(async () => (await as(`GET /chats/${chat}`)).body.data.chat.lastSeq === 3);
  const visitor = await VisitorModel.findById(about.visitor).lean();
  expect(visitor?.bounced).toBeUndefined();
});

const mailedLater = (about: Parameters<typeof mailed>[0]) => mailed(about, '<mail-3@chat.example.com>');

test('blocked, erased and unknown visitors store nothing', async () => {
  const blocked = await leftVisitor();
  await as(`POST /visitors/${blocked.session.visitor._id}/block`);
  expect(await receive({ from: blocked.email, to: blocked.replyTo })).toEqual(refused('blocked'));
  const erased = await leftVisitor();
  await as(`DELETE /visitors/${erased.session.visitor._id}`);
  expect(await receive({ from: erased.email, to: erased.replyTo })).toEqual(refused('unknown'));
  expect(await thread(blocked.chat)).toHaveLength(2);
});

test("a member's address is not a visitor's, unless it was written to", async () => {
  const { chat, replyTo } = await leftVisitor();
  const colleague = await signUp(server.api, 'Ben');
  await join(site, colleague, 'agent');
  expect(await receive({ from: colleague.user.email, to: replyTo })).toEqual(refused('own'));
  expect(await thread(chat)).toHaveLength(2);
  const trying = await leftVisitor(owner.user.email);
  expect(await receive({ from: owner.user.email, to: trying.replyTo })).toEqual({ end: 'added' });
});

test('card numbers are masked in all that is kept', async () => {
  const { chat, email, replyTo } = await leftVisitor();
  const card = '4111 1111 1111 1111';
  const text = `My card is ${card}\n\n> What is your card? ${card}`;
  await receive({ from: email, to: replyTo, text, subject: `Re: ${card}` });
  const message = await last(chat);
  expect(message?.content).toBe('My card is •••• •••• •••• 1111');
  const { body } = await as(`GET /chats/${chat}/messages/${message?._id}/mail`);
  expect(JSON.stringify(body)).not.toContain('4111');
  expect(body.data.mail.text).toContain('> What is your card? •••• •••• •••• 1111');
});

test('a long mail is shown in part and kept in whole', async () => {
  const { chat, email, replyTo, session } = await leftVisitor();
  await receive({ from: email, to: replyTo, text: 'word '.repeat(2_000) });
  const message = await last(chat);
  expect(message?.content).toHaveLength(5_000);
  const { body } = await as(`GET /chats/${chat}/messages/${message?._id}/mail`);
  expect(body.data.mail.text).toHaveLength(9_999);
  const exported = await as(`GET /visitors/${session.visitor._id}/export`);
  expect(JSON.stringify(exported.body)).toContain(body.data.mail.text);
});

test('files come after the text; an empty mail is none', async () => {
  const { chat, email, replyTo } = await leftVisitor();
  expect(await receive({ from: email, to: replyTo, text: ' \n ' })).toEqual(refused('empty'));
  expect(await receive({ from: email, to: replyTo, text: '', files: [note('only.txt')] })).toEqual({ end: 'added' });
  expect(await last(chat)).toMatchObject({ type: 'file', content: 'only.txt', mail: {} });
});

test('a file that is too large is named in the whole mail', async () => {
  const { chat, email, replyTo } = await leftVisitor();
  const files = [{ name: 'film.mov', content: Buffer.alloc(10 * 1024 * 1024 + 1) }];
  expect(await receive({ from: email, to: replyTo, files })).toEqual({ end: 'added' });
  const message = await last(chat);
  expect(message).toMatchObject({ content: 'yes', mail: { more: true } });
  const { body } = await as(`GET /chats/${chat}/messages/${message?._id}/mail`);
  expect(body.data.mail.text).toBe('yes\n[film.mov]');
  expect(await receive({ from: email, to: replyTo, text: '', files })).toEqual(refused('tooLarge'));
});

const note = (name: string) => ({ name, content: `The content of ${name}`, type: 'text/plain' });

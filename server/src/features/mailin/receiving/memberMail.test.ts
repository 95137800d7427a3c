import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, mailed } from '#test/mailIn';
import type { RawMail } from '#test/mails';
import type { StaffMessage } from '../../../../contract.ts';
import { UserModel, userCache } from '../../auth/model.ts';

let box: Mailbox;
let server: TestServer;
let owner: Account;
let agent: Account;
let site: Awaited<ReturnType<typeof createSite>>;

beforeAll(async () => {
  box = await startMailbox();
  server = await startServer(answeringInto(box));
  owner = await signUp(server.api, 'Olga');
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  await server.stop();
  await box.stop();
});

/** A chat that waits, and the mail about it to a new agent who wants to answer by mail. */
async function askedAgent() {
  agent = await signUp(server.api, 'Ada');
  await join(site, agent, 'agent');
  const set = { section: 'notifications', data: { answerByMail: true } };
  await server.api('PATCH /settings', { token: agent.token, body: set });
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const chat = await say(server.api, site, session, 'Is anybody there?');
  const about = { chat, site: site._id, visitor: session.visitor._id, user: agent.user._id, to: agent.user.email };
  const { replyTo, messageId } = await mailed(about);
  return { chat, mail: { from: agent.user.email, to: replyTo, inReplyTo: messageId, text: 'I am' } };
}

const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const thread = async (chat: string): Promise<StaffMessage[]> =>
  (await as(`GET /chats/${chat}/messages`)).body.data.messages;
const receive = async (mail: RawMail) => (await handOverMail(server.url, mail)).outcome;
const NOT_ALLOWED = { end: 'refused', reason: 'notAllowed' };

test("a member's answer goes to the visitor, and claims the chat", async () => {
  const { chat, mail } = await askedAgent();
  expect(await receive(mail)).toEqual({ end: 'added' });
  expect((await thread(chat)).at(-1)).toMatchObject({ sender: 'agent', senderName: 'Ada', content: 'I am', mail: {} });
  expect((await as(`GET /chats/${chat}`)).body.data.chat.claimedBy.name).toBe('Ada');
});

test('a retry stores nothing again and claims nothing again', async () => {
  const { chat, mail } = await askedAgent();
  const same = { ...mail, messageId: '<one@mail.example.com>' };
  expect(await receive(same)).toEqual({ end: 'added' });
  await as(`POST /chats/${chat}/close`);
  expect(await receive(same)).toEqual({ end: 'known' });
  expect((await thread(chat)).filter(({ content }) => content === 'I am')).toHaveLength(1);
});

test('of a closed chat it becomes a note, once', async () => {
  const { chat, mail } = await askedAgent();
  await as(`POST /chats/${chat}/close`);
  const late = { ...mail, messageId: '<late@mail.example.com>' };
  expect(await receive(late)).toEqual({ end: 'added' });
  await as(`POST /chats/${chat}/reopen`);
  expect(await receive(late)).toEqual({ end: 'known' });
  const { notes } = (await as(`GET /chats/${chat}/notes`)).body.data;
  const text = 'This answer came by mail after the chat was closed, so the visitor did not get it:\nI am';
  expect(notes.map(({ content }: { content: string }) => content)).toEqual([text]);
  expect((await thread(chat)).filter(({ content }) => content === 'I am')).toEqual([]);
});

test('files of a closed chat are named in the note', async () => {
  const { chat, mail } = await askedAgent();
  await as(`POST /chats/${chat}/close`);
  const files = [{ name: 'offer.txt', content: 'The offer', type: 'text/plain' }];
  expect(await receive({ ...mail, text: '', files })).toEqual({ end: 'added' });
  const { notes } = (await as(`GET /chats/${chat}/notes`)).body.data;
  expect(notes[0].content).toMatch(/did not get it:\n\[offer\.txt\]$/);
});

test('another address is not the member, even the one that was written to before', async () => {
  const { chat, mail } = await askedAgent();
  expect(await receive({ ...mail, from: 'vera@example.com' })).toEqual(NOT_ALLOWED);
  await UserModel.updateOne({ _id: agent.user._id }, { email: `new-${agent.user.email}` });
  expect(await receive(mail)).toEqual(NOT_ALLOWED);
  expect(await thread(chat)).toHaveLength(1);
});

test.each([
  ['is suspended', { suspendedAt: new Date() }],
  ['has not proved the address', { unprovedEmail: true }],
  ['has switched it off', { 'notifications.answerByMail': false }],
])('an account that %s answers nothing', async (_, change) => {
  const { chat, mail } = await askedAgent();
  await UserModel.updateOne({ _id: agent.user._id }, { $set: change });
  userCache.forget(agent.user._id);
  expect(await receive(mail)).toEqual(NOT_ALLOWED);
  expect(await thread(chat)).toHaveLength(1);
});

test('a member answers with the rights of now', async () => {
  const { chat, mail } = await askedAgent();
  await as(`PATCH /team/members/${agent.user._id}`, { siteId: site._id, role: 'viewer' });
  expect(await receive(mail)).toEqual(NOT_ALLOWED);
  await as(`DELETE /team/members/${agent.user._id}`, { siteId: site._id });
  expect((await receive(mail))?.end).toBe('refused');
  expect(await thread(chat)).toHaveLength(1);
});

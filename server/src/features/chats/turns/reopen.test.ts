import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Report, Site, StaffMessage, VisitorSession } from '../../../../contract.ts';
import { type SiteDoc, SiteModel } from '../../sites/model.ts';
import { closeIdleChats } from '../maintenance.ts';
import { MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel } from '../model.ts';
import { chatRows } from '../row/rowRepair.ts';
import { rateChat } from './ratingAndTags.ts';

const FOUR_STARS = { score: 4, comment: null };

let server: TestServer;
let owner: Account;
let ben: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 10 });
  owner = await signUp(server.api, 'Olga Owner');
  ben = await signUp(server.api, 'Ben Okafor');
  site = await createSite(server.api, owner.token);
  await join(site, ben, 'agent');
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const reopen = (chatId: string, who = owner) => as(who)(`POST /chats/${chatId}/reopen`);
const close = (chatId: string) => as(owner)(`POST /chats/${chatId}/close`);
const rowOf = async (chatId: string): Promise<Chat> => (await as(owner)(`GET /chats/${chatId}`)).body.data.chat;
const lines = async (chatId: string): Promise<[number, string][]> => {
  const { messages } = (await as(owner)(`GET /chats/${chatId}/messages`)).body.data;
  return messages.map(({ seq, content }: StaffMessage) => [seq, content]);
};

async function closedChat(): Promise<{ session: VisitorSession; chatId: string }> {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const chatId = await say(server.api, site, session, 'Hello');
  await close(chatId);
  return { session, chatId };
}

test('a reopened chat is active, claimed by the agent who reopened it, and its visitor goes on writing in it', async () => {
  const { session, chatId } = await closedChat();
  const [ear, vera] = [
    await connectStaff(server.url, owner.token),
    await connectVisitor(server.url, session.visitorToken),
  ];
  const answer = await reopen(chatId, ben);
  expect(answer.status).toBe(200);
  expect(answer.body.data.chat).toMatchObject({ status: 'active', closedAt: null, claimedBy: { name: 'Ben Okafor' } });
  await until(async () => ear.heard('chat_reopened').length > 0);
  expect(ear.heard('chat_reopened')).toEqual([{ chatId, by: { _id: ben.user._id, name: 'Ben Okafor' } }]);
  await until(async () => ear.heard('chat_updated').some(({ chat }) => chat.status === 'active' && chat.lastSeq === 3));
  await until(async () => vera.heard('chat_claimed').length > 0 && vera.heard('new_message').length > 0);
  expect(vera.heard('new_message')[0].message).toMatchObject({ sender: 'system', event: 'reopened', seq: 3 });
  expect((await vera.ask('sync', {})).chat).toMatchObject({
    _id: chatId,
    status: 'active',
    agent: { name: 'Ben Okafor' },
  });
  const sent = await vera.ask('send_message', { clientId: randomUUID(), content: 'One more thing' });
  expect(sent.message).toMatchObject({ chatId, seq: 4 });
  expect(await lines(chatId)).toEqual([
    [1, 'Hello'],
    [2, 'Chat closed'],
    [3, 'Chat reopened'],
    [4, 'One more thing'],
  ]);
});

test('a chat can be closed and reopened any number of times; a repeat by the same agent changes nothing', async () => {
  const { session, chatId } = await closedChat();
  for (let round = 0; round < 3; round++) {
    expect((await reopen(chatId)).status).toBe(200);
    expect((await reopen(chatId)).body.data.chat.status).toBe('active');
    expect((await close(chatId)).body.data.chat.status).toBe('closed');
    expect((await close(chatId)).body.data.chat.status).toBe('closed');
  }
  expect((await lines(chatId)).map(([, text]) => text).slice(1)).toEqual([
    'Chat closed',
    ...Array(3).fill(['Chat reopened', 'Chat closed']).flat(),
  ]);
  // The row goes on showing what the chat is about.
  expect(await rowOf(chatId)).toMatchObject({ closedAt: expect.any(String), lastMessage: 'Hello' });
  // The end of the last close counts: the visitor's next message begins a new chat.
  expect(await say(server.api, site, session, 'Again')).not.toBe(chatId);
});

test('is refused for an open chat, and once the visitor has begun a newer one, open or closed', async () => {
  const { session, chatId } = await closedChat();
  const newer = await say(server.api, site, session, 'New question');
  expect((await reopen(newer)).body).toMatchObject({ code: 'CHAT_NOT_CLOSED', message: 'This chat is not closed.' });
  expect((await reopen(chatId)).body.code).toBe('NEWER_CHAT');
  await close(newer);
  expect((await reopen(chatId)).status).toBe(409);
  expect((await reopen(newer)).status).toBe(200);
  expect(await lines(chatId)).toHaveLength(2);
});

test('of two agents at the same moment one reopens the chat, and the other is told who was faster', async () => {
  for (let round = 0; round < 5; round++) {
    const { chatId } = await closedChat();
    const answers = await Promise.all([reopen(chatId), reopen(chatId, ben)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won, lost] = answers[0]?.status === 200 ? answers : [...answers].reverse();
    const winner = won?.body.data.chat.claimedBy.name;
    expect(lost?.body).toMatchObject({
      code: 'CHAT_NOT_CLOSED',
      message: `${winner} already reopened this chat.`,
    });
    expect(await lines(chatId)).toHaveLength(3);
  }
});

test('a visitor who writes while the chat is reopened has one open chat, and no message is lost', async () => {
  for (let round = 0; round < 10; round++) {
    const { session, chatId } = await closedChat();
    const [answer, sentTo] = await Promise.all([reopen(chatId), say(server.api, site, session, 'Me too')]);
    const open = await ChatModel.find({ visitor: session.visitor._id, open: true }).lean();
    expect(open.map(({ _id }) => String(_id))).toEqual([sentTo]);
    expect(answer.status).toBe(sentTo === chatId ? 200 : 409);
    expect((await rowOf(chatId)).status).toBe(sentTo === chatId ? 'active' : 'closed');
    expect((await lines(sentTo)).at(-1)?.[1]).toBe('Me too');
  }
});

/** Leaves what a crash leaves right after the message of a reopening. */
const interruptReopening = (chatId: string) =>
  MessageModel.create({
    chat: chatId,
    site: site._id,
    seq: 3,
    senderKey: `s:${chatId}`,
    clientId: randomUUID(),
    sender: 'system',
    author: ben.user._id,
    authorName: 'Ben Okafor',
    event: 'reopened',
    content: 'Chat reopened',
    createdAt: new Date(),
  });

async function repairRows(): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await chatRows.repair({ after: now - 60, until: now + 1 }, new AbortController().signal);
}

test('a reopening that a crash interrupted after its message is completed by the reconciler, and by the next message', async () => {
  const { chatId } = await closedChat();
  await interruptReopening(chatId);
  await repairRows();
  expect(await rowOf(chatId)).toMatchObject({ status: 'active', claimedBy: { name: 'Ben Okafor' }, lastSeq: 3 });

  const other = await closedChat();
  await interruptReopening(other.chatId);
  expect((await as(owner)(`POST /chats/${other.chatId}/messages`, { content: 'Sorry' })).status).toBe(201);
  expect(await rowOf(other.chatId)).toMatchObject({ status: 'active', claimedBy: { name: 'Ben Okafor' } });
});

describe('in the reports', () => {
  beforeEach(async () => {
    site = await createSite(server.api, owner.token);
    await join(site, ben, 'agent');
  });

  async function resolvedChat() {
    const session = await visit(server.api, site);
    const chatId = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${chatId}/claim`);
    await close(chatId);
    return { session, chatId };
  }

  const rate = ({ visitorToken }: VisitorSession, chatId: string, score: number) =>
    server.api(`POST /widget/${site.widgetCode}/rating`, { token: visitorToken, body: { chatId, score } });

  /** What the report shows of each agent, when all is counted: resolutions, ratings, and their average. */
  async function shown(): Promise<string[]> {
    await until(async () => !(await ChatModel.exists({ site: site._id, uncounted: { $exists: true } })));
    const { agents } = (await as(owner)(`GET /reports?siteId=${site._id}`)).body.data as Report;
    return agents.map((one) => `${one.agent?.name}: ${one.resolved}, ${one.ratings}, ${one.rating}`).sort();
  }

  test('a chat that is reopened and closed without a word counts as if it had stayed closed, each time', async () => {
    const { session, chatId } = await resolvedChat();
    for (let round = 0; round < 3; round++) {
      await reopen(chatId, ben);
      await as(ben)(`POST /chats/${chatId}/close`);
    }
    expect(await shown()).toEqual(['Olga Owner: 1, 0, null']);
    await rate(session, chatId, 4);
    expect(await shown()).toEqual(['Olga Owner: 1, 1, 4']);
    await reopen(chatId, ben);
    await as(ben)(`POST /chats/${chatId}/messages`, { content: 'One more thing' });
    await as(ben)(`POST /chats/${chatId}/close`);
    expect(await shown()).toEqual(['Ben Okafor: 1, 0, null', 'Olga Owner: 1, 1, 4']);
    await rate(session, chatId, 2);
    expect(await shown()).toEqual(['Ben Okafor: 1, 1, 2', 'Olga Owner: 1, 1, 4']);
    await reopen(chatId);
    await say(server.api, site, session, 'Thank you');
    await close(chatId);
    expect(await shown()).toEqual(['Ben Okafor: 1, 1, 2', 'Olga Owner: 2, 1, 4']);
  });

  test('each rating counts in the turn in which it was given, although the clocks of the nodes differ', async () => {
    const { session, chatId } = await resolvedChat();
    await rate(session, chatId, 5);
    const now = new Date();
    // Stored by a node whose clock is an hour ahead; figures of tomorrow would not be among those of today.
    const hour = new Date(Math.min(now.getTime() + 3_600_000, now.setUTCHours(23, 59, 59, 0)));
    await ChatModel.updateOne({ _id: chatId }, { ratedAt: hour });
    await reopen(chatId, ben);
    await as(ben)(`POST /chats/${chatId}/messages`, { content: 'One more thing' });
    await as(ben)(`POST /chats/${chatId}/close`);
    expect(await shown()).toEqual(['Ben Okafor: 1, 0, null', 'Olga Owner: 1, 1, 5']);
    await ChatModel.updateOne({ _id: chatId }, { reopenedAt: hour });
    await rate(session, chatId, 2);
    expect(await shown()).toEqual(['Ben Okafor: 1, 1, 2', 'Olga Owner: 1, 1, 5']);
    const before = await ChatModel.findById(chatId).orFail().lean<ChatDoc>();
    await reopen(chatId);
    await say(server.api, site, session, 'Thank you');
    await close(chatId);
    // The chat was read before it was reopened.
    await rateChat({ chat: before, site: await SiteModel.findById(site._id).orFail().lean<SiteDoc>() }, FOUR_STARS);
    expect(await shown()).toEqual(['Ben Okafor: 1, 1, 2', 'Olga Owner: 2, 2, 4.5']);
  });

  test('a reopening that comes after a newer chat of the visitor counts as nothing', async () => {
    const { session, chatId } = await resolvedChat();
    await interruptReopening(chatId);
    const newer = await say(server.api, site, session, 'New question');
    await as(owner)(`POST /chats/${newer}/claim`);
    await close(newer);
    await repairRows();
    expect((await lines(chatId)).map(([, text]) => text).slice(1)).toEqual([
      'Chat closed',
      'Chat reopened',
      'Chat closed',
    ]);
    expect(await rowOf(chatId)).toMatchObject({ status: 'closed' });
    expect(await shown()).toEqual(['Olga Owner: 2, 0, null']);
    await rate(session, chatId, 5);
    expect(await shown()).toEqual(['Olga Owner: 2, 1, 5']);
  });
});

test('the reconciler does not close a reopened chat when it looks at the closing message only', async () => {
  const { chatId } = await closedChat();
  const closing = await MessageModel.findOne({ chat: chatId, event: 'closed' }).orFail().lean();
  const second = closing._id.getTimestamp().getTime() / 1000;
  await until(async () => Date.now() / 1000 > second + 1);
  await reopen(chatId);
  await chatRows.repair({ after: second - 1, until: second }, new AbortController().signal);
  expect((await rowOf(chatId)).status).toBe('active');
});

test('a reopened chat that was idle for long is not closed at once, and its rating stays', async () => {
  const { session, chatId } = await closedChat();
  const long = new Date(Date.now() - 100 * 3_600_000);
  await ChatModel.updateOne({ _id: chatId }, { $set: { lastActivity: long } });
  await MessageModel.updateMany({ chat: chatId }, { $set: { createdAt: long } });
  await server.api(`POST /widget/${site.widgetCode}/rating`, {
    token: session.visitorToken,
    body: { chatId, score: 4 },
  });
  await reopen(chatId);
  // As if the row were not written yet.
  await ChatModel.updateOne({ _id: chatId }, { $set: { lastActivity: long } });
  await closeIdleChats(Date.now(), new AbortController().signal);
  expect(await rowOf(chatId)).toMatchObject({ status: 'active', rating: { score: 4 } });
});

test('exports name the agent who reopened the chat', async () => {
  const { chatId } = await closedChat();
  await reopen(chatId, ben);
  const headers = { Authorization: `Bearer ${owner.token}` };
  const text = await (await fetch(`${server.url}/api/chats/${chatId}/export?format=txt`, { headers })).text();
  expect(text).toContain('System: Chat reopened by Ben Okafor');
});

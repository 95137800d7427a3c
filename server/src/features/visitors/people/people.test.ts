import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Chat, LiveVisitor, Site, VisitorSession } from '../../../../contract.ts';
import { ChatModel } from '../../chats/model.ts';
import { sweepCopies } from '../edits.ts';
import { VisitorModel } from '../model.ts';

let server: TestServer;
let owner: Account;
let agent: Account;
let viewer: Account;
let stranger: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  [owner, agent, viewer, stranger] = (await Promise.all(
    ['Olga', 'Ben', 'Vic', 'Sam'].map((name) => signUp(server.api, name)),
  )) as [Account, Account, Account, Account];
});
beforeEach(async () => {
  await server.api(`DELETE /sites/${site?._id ?? 'none'}`, { token: owner.token });
  site = await createSite(server.api, owner.token);
  await join(site, agent, 'agent');
  await join(site, viewer, 'viewer');
});
afterEach(hangUp);
afterAll(() => server.stop());

const unknownId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const asVisitor = ({ visitorToken }: VisitorSession, call: string, body?: object) =>
  server.api(call.replace(':code', site.widgetCode), { token: visitorToken, body });
const words = (content: string) => ({ clientId: randomUUID(), content });
const vera = (more: object = {}) => visit(server.api, site, { visitor: { name: 'Vera' }, ...more });
const row = async (id: string): Promise<Chat> => (await as(owner)(`GET /chats/${id}`)).body.data.chat;
const once = (ear: Ear, event: string) => until(async () => ear.heard(event).length > 0 && ear.heard(event));

describe('online visitors', () => {
  const live = async (query = '', who = owner) =>
    (await as(who)(`GET /sites/${site._id}/visitors${query}`)).body.data as {
      visitors: LiveVisitor[];
      nextCursor: string | null;
    };
  const page = { url: 'https://shop.example.com/a', title: 'A' };

  test('are listed with their open chat and, when enabled, their page; bots are not', async () => {
    const session = await vera({ page });
    await connectVisitor(server.url, session.visitorToken);
    const bot = await server.api(`POST /widget/${site.widgetCode}/session`, {
      body: {},
      headers: { 'User-Agent': 'Googlebot/2.1' },
    });
    await connectVisitor(server.url, bot.body.data.visitorToken);
    const expected = {
      _id: session.visitor._id,
      name: 'Vera',
      email: null,
      location: null,
      blocked: false,
      page: null,
      userId: null,
      verified: false,
      attributes: [],
      since: expect.any(String),
      openChatId: null,
    };
    expect(await live()).toEqual({ visitors: [expected], nextCursor: null });
    const chatId = await say(server.api, site, session, 'Hello');
    await as(owner)(`PATCH /sites/${site._id}`, { settings: { visitorPages: true } });
    expect((await live()).visitors).toEqual([{ ...expected, page, openChatId: chatId }]);
    expect((await live('', viewer)).visitors).toHaveLength(1);
  });

  test('are paged, latest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const session = await vera();
      await connectVisitor(server.url, session.visitorToken);
      ids.unshift(session.visitor._id);
      await until(async () => (await live()).visitors.length === i + 1);
    }
    const first = await live('?limit=2');
    const second = await live(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.visitors, ...second.visitors].map(({ _id }) => _id).sort()).toEqual(ids.sort());
    expect(second.nextCursor).toBeNull();
    expect((await as(owner)(`GET /sites/${site._id}/visitors?cursor=x`)).body.code).toBe('INVALID_CURSOR');
  });

  test('are sent to the team as they arrive when the site has enabled it', async () => {
    await as(owner)(`PATCH /sites/${site._id}`, { settings: { visitorPages: true } });
    const ear = await connectStaff(server.url, owner.token);
    const session = await vera();
    await connectVisitor(server.url, session.visitorToken);
    const heard = await until(async () => ear.heard('user_online').find(({ kind }) => kind === 'visitor'));
    expect(heard).toEqual({ kind: 'visitor', visitorId: session.visitor._id, siteId: site._id });
  });
});

describe('a chat started by an agent', () => {
  const reach = (id: string, body: object = words('May I help?'), who = agent) =>
    as(who)(`POST /visitors/${id}/chats`, body);

  test('with an online visitor is active and claimed, and reaches the widget', async () => {
    const { visitor, visitorToken } = await vera();
    const ear = await connectVisitor(server.url, visitorToken);
    const desk = await connectStaff(server.url, owner.token);
    const body = words('May I help?');
    const made = await reach(visitor._id, body);
    expect(made.status).toBe(201);
    const { chat, message } = made.body.data;
    expect(chat).toMatchObject({ status: 'active', claimedBy: { _id: agent.user._id }, visitorId: visitor._id });
    expect(message).toMatchObject({ seq: 1, sender: 'agent', content: 'May I help?' });
    expect((await once(ear, 'new_message'))[0].message).toMatchObject({ chatId: chat._id, content: 'May I help?' });
    expect(await once(ear, 'chat_claimed')).toEqual([{ chatId: chat._id, agent: { name: 'Ben', avatar: null } }]);
    expect((await once(desk, 'new_chat'))[0].chat._id).toBe(chat._id);

    const again = await reach(visitor._id, body);
    expect([again.status, again.body.data.message._id]).toEqual([200, message._id]);
    const second = await reach(visitor._id);
    expect([second.status, second.body.code]).toEqual([409, 'CHAT_OPEN']);
    const answer = await ear.ask('send_message', words('Yes please'));
    expect(answer.message).toMatchObject({ chatId: chat._id, seq: 2 });
  });

  test('twice at once, or while the visitor writes, is one chat', async () => {
    const session = await vera();
    await connectVisitor(server.url, session.visitorToken);
    const answers = await Promise.all([
      reach(session.visitor._id),
      reach(session.visitor._id, words('Hi'), owner),
      say(server.api, site, session, 'Hello'),
    ]);
    expect(answers.filter((answer) => typeof answer !== 'string' && answer.status === 201).length).toBeLessThan(2);
    expect(await ChatModel.countDocuments({ visitor: session.visitor._id })).toBe(1);
  });

  test('is refused for a visitor who is offline or blocked, and without text', async () => {
    const { visitor, visitorToken } = await vera();
    expect((await reach(visitor._id)).body.code).toBe('VISITOR_OFFLINE');
    await connectVisitor(server.url, visitorToken);
    expect((await reach(visitor._id, { content: ' ' })).status).toBe(422);
    await as(agent)(`POST /visitors/${visitor._id}/block`);
    expect((await reach(visitor._id)).body.code).toBe('BLOCKED');
    expect(await ChatModel.countDocuments({ visitor: visitor._id })).toBe(0);
  });
});

test('the chats of a visitor are listed newest first', async () => {
  const session = await vera();
  const ids: string[] = [];
  for (const content of ['One', 'Two', 'Three']) {
    const id = await say(server.api, site, session, content);
    ids.unshift(id);
    await as(owner)(`POST /chats/${id}/close`);
  }
  const page = async (query: string) =>
    (await as(viewer)(`GET /visitors/${session.visitor._id}/chats${query}`)).body.data;
  const first = await page('?limit=2');
  const rest = await page(`?limit=2&cursor=${first.nextCursor}`);
  expect([...first.chats, ...rest.chats].map(({ _id }: Chat) => _id)).toEqual(ids);
  expect(rest.nextCursor).toBeNull();
});

describe('blocking a visitor', () => {
  test('is completed later for the chats when it was interrupted', async () => {
    const session = await vera();
    const chatId = await say(server.api, site, session, 'Rude words');
    await VisitorModel.updateOne({ _id: session.visitor._id }, { $set: { blocked: true, unmarked: true } });
    expect((await row(chatId)).blocked).toBe(false);
    await sweepCopies(Date.now(), new AbortController().signal);
    expect((await row(chatId)).blocked).toBe(true);
    expect(await VisitorModel.exists({ unmarked: true })).toBeNull();
  });

  test('refuses messages on every path until it is undone, and shows in the chat rows', async () => {
    const session = await vera();
    const ear = await connectVisitor(server.url, session.visitorToken);
    const desk = await connectStaff(server.url, owner.token);
    const chatId = await say(server.api, site, session, 'Rude words');
    const blocked = await as(agent)(`POST /visitors/${session.visitor._id}/block`);
    expect(blocked.body.data).toEqual({ blocked: true });
    expect((await as(agent)(`POST /visitors/${session.visitor._id}/block`)).status).toBe(200);
    await until(async () => desk.heard('chat_updated').some(({ chat }) => chat._id === chatId && chat.blocked));

    const refused = [
      await asVisitor(session, 'POST /widget/:code/messages', words('More')),
      await asVisitor(session, 'POST /widget/:code/offline', { ...words('More'), name: 'X', email: 'x@example.com' }),
      await asVisitor(session, 'POST /widget/:code/rating', { chatId, score: 1, comment: 'Bah' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'BLOCKED']));
    expect(await ear.ask('send_message', words('More'))).toMatchObject({
      ok: false,
      code: 'BLOCKED',
      retryable: false,
    });
    expect(await row(chatId)).toMatchObject({ blocked: true, rating: null, visitorInfo: { name: 'Vera' } });

    await as(agent)(`DELETE /visitors/${session.visitor._id}/block`);
    expect((await ear.ask('send_message', words('Sorry'))).ok).toBe(true);
    expect((await row(chatId)).blocked).toBe(false);
  });
});

describe('permissions', () => {
  const calls: [string, ('viewer' | 'agent' | 'owner')[]][] = [
    ['GET /visitors/:id/chats', ['viewer', 'agent', 'owner']],
    ['GET /visitors/:id/export', ['viewer', 'agent', 'owner']],
    ['POST /visitors/:id/block', ['agent', 'owner']],
    ['DELETE /visitors/:id/block', ['agent', 'owner']],
    ['POST /visitors/:id/chats', ['agent', 'owner']],
    ['DELETE /visitors/:id', ['owner']],
  ];

  test.each(calls)('%s is for %j', async (call, allowed) => {
    const session = await vera();
    await connectVisitor(server.url, session.visitorToken);
    const { _id } = session.visitor;
    const ask = (who: Account, id: string) =>
      as(who)(call.replace(':id', id), call.startsWith('GET') ? undefined : words('Hi'));
    const foreign = await ask(stranger, _id);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await ask(stranger, unknownId)).body);
    expect((await ask(owner, 'zzz')).body.code).toBe('INVALID_ID');
    expect((await server.api(call.replace(':id', _id))).status).toBe(401);
    expect((await asVisitor(session, call.replace(':id', _id))).status).toBe(401);
    const statuses = { viewer: 0, agent: 0, owner: 0 };
    for (const [name, who] of Object.entries({ viewer, agent, owner }))
      statuses[name as keyof typeof statuses] = (await ask(who, _id)).status;
    for (const [name, status] of Object.entries(statuses))
      expect([name, status === 403]).toEqual([name, !allowed.includes(name as 'viewer')]);
  });
});

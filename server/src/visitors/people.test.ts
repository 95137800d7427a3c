import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Chat, LiveVisitor, Site, VisitorSession } from '../../contract.ts';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { connectStaff, connectVisitor, type Ear, hangUp } from '../../test/sockets.ts';
import { ChatModel, MessageModel, NoteModel } from '../chats/model.ts';
import { VisitorModel } from './model.ts';

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

describe('who is there', () => {
  const live = async (query = '', who = owner) =>
    (await as(who)(`GET /sites/${site._id}/visitors${query}`)).body.data as {
      visitors: LiveVisitor[];
      nextCursor: string | null;
    };
  const page = { url: 'https://shop.example.com/a', title: 'A' };

  test('is listed with open chat and, where the site wants it, page; machines are left out', async () => {
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
      since: expect.any(String),
      openChatId: null,
    };
    expect(await live()).toEqual({ visitors: [expected], nextCursor: null });
    const chatId = await say(server.api, site, session, 'Hello');
    await as(owner)(`PATCH /sites/${site._id}`, { settings: { visitorPages: true } });
    expect((await live()).visitors).toEqual([{ ...expected, page, openChatId: chatId }]);
    expect((await live('', viewer)).visitors).toHaveLength(1);
  });

  test('comes in pages, the latest comer first', async () => {
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

  test('is told to the team as they come where the site wants it', async () => {
    await as(owner)(`PATCH /sites/${site._id}`, { settings: { visitorPages: true } });
    const ear = await connectStaff(server.url, owner.token);
    const session = await vera();
    await connectVisitor(server.url, session.visitorToken);
    const heard = await until(async () => ear.heard('user_online').find(({ kind }) => kind === 'visitor'));
    expect(heard).toEqual({ kind: 'visitor', visitorId: session.visitor._id, siteId: site._id });
  });
});

describe('an agent writes first', () => {
  const reach = (id: string, body: object = words('May I help?'), who = agent) =>
    as(who)(`POST /visitors/${id}/chats`, body);

  test('to a visitor who is there: an active chat of the agent begins, and the widget hears it', async () => {
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

  test('two at once make one chat, and so does a visitor who writes at that moment', async () => {
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

  test('not to one who has left, who is blocked, or with nothing to say', async () => {
    const { visitor, visitorToken } = await vera();
    expect((await reach(visitor._id)).body.code).toBe('VISITOR_OFFLINE');
    await connectVisitor(server.url, visitorToken);
    expect((await reach(visitor._id, { content: ' ' })).status).toBe(422);
    await as(agent)(`POST /visitors/${visitor._id}/block`);
    expect((await reach(visitor._id)).body.code).toBe('BLOCKED');
    expect(await ChatModel.countDocuments({ visitor: visitor._id })).toBe(0);
  });
});

test("a visitor's chats are listed from the latest on", async () => {
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

describe('blocking', () => {
  test('refuses messages at every door until it is lifted, and shows in the rows', async () => {
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

describe('names', () => {
  test('said later reach the open chat, and not the closed one', async () => {
    const session = await visit(server.api, site);
    const old = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${old}/close`);
    const open = await say(server.api, site, session, 'Again');
    const desk = await connectStaff(server.url, owner.token);
    await visit(server.api, site, {
      visitorToken: session.visitorToken,
      visitor: { name: 'Vera', email: 'vera@example.com' },
    });
    await until(async () => desk.heard('chat_updated').some(({ chat }) => chat.visitorInfo.name === 'Vera'));
    expect((await row(open)).visitorInfo).toMatchObject({ name: 'Vera', email: 'vera@example.com' });
    expect((await row(old)).visitorInfo.name).toBeNull();
  });

  test('come with the offline form, which starts a waiting chat once', async () => {
    const session = await visit(server.api, site);
    const form = { ...words('Call me back'), name: 'Vera', email: 'vera@example.com' };
    const send = (body: object) => asVisitor(session, 'POST /widget/:code/offline', body);
    const made = await send(form);
    expect([made.status, made.body.data.chat.status]).toEqual([201, 'waiting']);
    expect((await send(form)).status).toBe(200);
    expect(await row(made.body.data.chat._id)).toMatchObject({
      visitorInfo: { name: 'Vera', email: 'vera@example.com' },
    });
    for (const part of ['name', 'email', 'content', 'clientId'])
      expect((await send({ ...form, [part]: undefined })).status).toBe(422);
    expect((await send({ ...form, email: 'nowhere' })).status).toBe(422);
    expect((await server.api(`POST /widget/${site.widgetCode}/offline`, { body: form })).status).toBe(401);
  });
});

describe('the visitor', () => {
  test('rates the own chat, at both doors; the last word counts', async () => {
    const session = await vera();
    const ear = await connectVisitor(server.url, session.visitorToken);
    const desk = await connectStaff(server.url, owner.token);
    const chatId = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${chatId}/close`);
    const rated = await asVisitor(session, 'POST /widget/:code/rating', { chatId, score: 2, comment: ' Slow ' });
    expect(rated.body.data.chat.rating).toEqual({ score: 2, comment: 'Slow' });
    expect(await ear.ask('rate', { chatId, score: 5 })).toEqual({ ok: true });
    expect((await row(chatId)).rating).toEqual({ score: 5, comment: null });
    await until(async () => desk.heard('chat_updated').some(({ chat }) => chat.rating?.score === 5));
    const resumed = await visit(server.api, site, { visitorToken: session.visitorToken });
    expect(resumed.chat?.rating).toEqual({ score: 5, comment: null });
  });

  test.each([{ score: 0 }, { score: 6 }, { score: 4.5 }, { score: '5' }, {}, { score: 3, comment: 'x'.repeat(1001) }])(
    'a rating of %j is refused',
    async (body) => {
      const session = await vera();
      const chatId = await say(server.api, site, session, 'Hello');
      expect((await asVisitor(session, 'POST /widget/:code/rating', { chatId, ...body })).status).toBe(422);
    },
  );

  test("neither rates nor ends another's chat", async () => {
    const chat = await newChat(server.api, site, owner.token);
    const session = await vera();
    const ear = await connectVisitor(server.url, session.visitorToken);
    for (const chatId of [chat._id, unknownId]) {
      const rated = await asVisitor(session, 'POST /widget/:code/rating', { chatId, score: 5 });
      expect([rated.status, rated.body.code]).toEqual([404, 'CHAT_NOT_FOUND']);
      expect((await ear.ask('rate', { chatId, score: 5 })).code).toBe('CHAT_NOT_FOUND');
      expect((await ear.ask('close_chat', { chatId })).code).toBe('CHAT_NOT_FOUND');
    }
    expect(await row(chat._id)).toMatchObject({ status: 'waiting', rating: null });
  });

  test('ends the own chat, once', async () => {
    const session = await vera();
    const [ear, desk] = [
      await connectVisitor(server.url, session.visitorToken),
      await connectStaff(server.url, owner.token),
    ];
    const { chat } = await ear.ask('send_message', words('Never mind'));
    expect(await ear.ask('close_chat', { chatId: chat._id })).toEqual({ ok: true });
    expect(await ear.ask('close_chat', { chatId: chat._id })).toEqual({ ok: true });
    expect(await once(desk, 'chat_closed')).toEqual([{ chatId: chat._id, closedBy: null }]);
    expect(await once(ear, 'chat_closed')).toEqual([{ chatId: chat._id }]);
    const { messages } = (await as(owner)(`GET /chats/${chat._id}/messages`)).body.data;
    expect(
      messages.map(({ sender, event, senderName }: Record<string, unknown>) => [sender, event, senderName]),
    ).toEqual([
      ['visitor', null, 'Vera'],
      ['system', 'closed', 'Vera'],
    ]);
  });
});

describe("a person's data", () => {
  test('is given whole, as one file', async () => {
    const session = await vera({ page: { url: 'https://shop.example.com/a', title: 'A' } });
    const chatId = await say(server.api, site, session, 'First "quoted" 👋');
    await as(owner)(`POST /chats/${chatId}/close`);
    const second = await say(server.api, site, session, 'Second');
    for (let i = 0; i < 120; i++) await as(owner)(`POST /chats/${second}/messages`, { content: `m${i}` });
    await as(owner)(`POST /chats/${second}/notes`, { content: 'Friendly' });
    const { status, body, headers } = await as(viewer)(`GET /visitors/${session.visitor._id}/export`);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toContain(`visitor-${session.visitor._id}.json`);
    const { visitor, chats } = body.data;
    expect(visitor).toMatchObject({ name: 'Vera', site: { _id: site._id }, page: { title: 'A' }, blocked: false });
    expect(JSON.stringify(visitor)).not.toContain('tokenHash');
    expect(
      chats.map(({ _id, messages, notes }: { _id: string; messages: []; notes: [] }) => [
        _id,
        messages.length,
        notes.length,
      ]),
    ).toEqual([
      [chatId, 2, 0],
      [second, 121, 1],
    ]);
    expect(chats[0].messages[0].content).toBe('First "quoted" 👋');
    const empty = await as(owner)(`GET /visitors/${(await vera()).visitor._id}/export`);
    expect(empty.body.data.chats).toEqual([]);
  });

  const leftOf = async (session: VisitorSession, chatId: string) => ({
    chats: await ChatModel.countDocuments({ visitor: session.visitor._id }),
    words: await MessageModel.countDocuments({ chat: chatId, event: null }),
    notes: await NoteModel.countDocuments({ chat: chatId }),
    person: await VisitorModel.findById(session.visitor._id, {
      name: 1,
      email: 1,
      page: 1,
      userAgent: 1,
      _id: 0,
    }).lean(),
  });
  const nothing = { chats: 0, words: 0, notes: 0, person: { name: null, email: null, page: null, userAgent: '' } };

  test.each(['the team', 'the visitor'])('is erased by %s: nothing is left, and everybody hears of it', async (by) => {
    const session = await vera();
    const ear = await connectVisitor(server.url, session.visitorToken);
    const desk = await connectStaff(server.url, viewer.token);
    const chatId = await say(server.api, site, session, 'Forget me');
    await as(owner)(`POST /chats/${chatId}/notes`, { content: 'About Vera' });
    const erased =
      by === 'the team'
        ? await as(owner)(`DELETE /visitors/${session.visitor._id}`)
        : await asVisitor(session, 'DELETE /widget/:code/me');
    expect(erased.status).toBe(200);
    expect(await leftOf(session, chatId)).toEqual(nothing);
    expect(await once(ear, 'session_ended')).toEqual([{ reason: 'erased' }]);
    await until(async () => !ear.socket.connected);
    expect(await once(desk, 'visitor_erased')).toEqual([{ visitorId: session.visitor._id, siteId: site._id }]);
    expect(await once(desk, 'chat_deleted')).toEqual([{ chatId }]);
    expect((await as(owner)(`GET /visitors/${session.visitor._id}/export`)).status).toBe(404);
    expect((await asVisitor(session, 'POST /widget/:code/messages', words('Me?'))).status).toBe(401);
    const fresh = await visit(server.api, site, { visitorToken: session.visitorToken });
    expect(fresh.visitor).toEqual({ _id: expect.not.stringMatching(session.visitor._id), name: null, email: null });
  });
});

describe('rights', () => {
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

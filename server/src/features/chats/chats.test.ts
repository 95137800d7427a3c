import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import type { Chat, Site, StaffMessage } from '../../../contract.ts';
import { SiteModel } from '../sites/model.ts';
import { BY_WAIT, listFilter, waitingFilter } from './lists/lists.ts';
import { MessageModel } from './messageModel.ts';
import { ChatModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const unknownId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const thread = async (chat: Chat) =>
  (await as(owner)(`GET /chats/${chat._id}/messages`)).body.data.messages as StaffMessage[];

async function team(role: 'admin' | 'agent' | 'viewer', name = 'Ben Okafor'): Promise<Account> {
  const member = await signUp(server.api, name);
  await join(site, member, role);
  return member;
}

describe('chat lists', () => {
  test('the first message of a visitor creates a waiting chat, returned as the entity of the spec', async () => {
    const chat = await newChat(server.api, site, owner.token, 'Do you ship to Norway?');
    const { body } = await as(owner)('GET /chats');
    expect(body.data.chats[0]).toEqual({
      _id: chat._id,
      status: 'waiting',
      visitorId: expect.any(String),
      visitorInfo: { name: 'Vera', email: null, userAgent: expect.stringContaining('Firefox'), location: null },
      site: { _id: site._id, name: site.name },
      claimedBy: null,
      assignedAt: null,
      handedBy: null,
      waitingSince: expect.any(String),
      tags: [],
      rating: null,
      blocked: false,
      metadata: { lastMessage: 'Do you ship to Norway?', lastActivity: expect.any(String) },
      lastMessage: 'Do you ship to Norway?',
      lastSeq: 1,
      unread: 1,
      messages: [expect.objectContaining({ sender: 'visitor', content: 'Do you ship to Norway?', seq: 1 })],
      rev: expect.any(Number),
      createdAt: expect.any(String),
      closedAt: null,
    });
  });

  test('pages have no gaps and no duplicates, newest activity first', async () => {
    const { token } = await signUp(server.api);
    const mine = await createSite(server.api, token);
    for (let i = 0; i < 5; i++) await newChat(server.api, mine, token, `Message ${i}`);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await server.api(`GET /chats?limit=2${cursor && `&cursor=${cursor}`}`, { token });
      seen.push(...page.body.data.chats.map((chat: Chat) => chat.lastMessage));
      cursor = page.body.data.nextCursor;
    }
    expect(seen).toEqual(['Message 4', 'Message 3', 'Message 2', 'Message 1', 'Message 0']);
  });

  test('can be filtered by status, for all sites or one', async () => {
    const { token } = await signUp(server.api);
    const one = await createSite(server.api, token, 'One');
    const two = await createSite(server.api, token, 'Two');
    const waiting = await newChat(server.api, one, token);
    const closed = await newChat(server.api, two, token);
    await server.api(`POST /chats/${closed._id}/close`, { token });
    const ids = async (call: string) =>
      (await server.api(call, { token })).body.data.chats.map((chat: Chat) => chat._id);
    expect((await ids('GET /chats')).sort()).toEqual([waiting._id, closed._id].sort());
    expect(await ids('GET /chats?status=closed')).toEqual([closed._id]);
    expect(await ids('GET /chats?status=waiting')).toEqual([waiting._id]);
    expect(await ids(`GET /chats/site/${one._id}?status=all`)).toEqual([waiting._id]);
    expect(await ids(`GET /chats/site/${two._id}?status=active`)).toEqual([]);
  });

  test.each(['status=open', 'limit=0', 'limit=1000', 'limit=ten', 'limit=1&limit=2'])(
    'the query ?%s is refused',
    async (query) => {
      expect((await as(owner)(`GET /chats?${query}`)).status).toBe(422);
    },
  );

  test('an invalid cursor is refused', async () => {
    expect((await as(owner)('GET /chats?cursor=nonsense')).body.code).toBe('INVALID_CURSOR');
  });

  test('chats of bots are in no list and no count', async () => {
    const { token } = await signUp(server.api);
    const mine = await createSite(server.api, token);
    const opened = await server.api(`POST /widget/${mine.widgetCode}/session`, {
      body: {},
      headers: { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    });
    await say(server.api, mine, opened.body.data, 'I index you');
    expect((await server.api('GET /chats', { token })).body.data.chats).toEqual([]);
    expect((await server.api('GET /sites', { token })).body.data.sites[0].stats.totalChats).toBe(0);
  });

  test('every list and count uses an index', async ({ skip }) => {
    await needPlans(skip);
    const filters: Record<string, unknown>[] = [{}, { status: 'waiting' }, { lastActivity: { $lte: new Date() } }];
    for (const filter of filters) {
      const plan = await ChatModel.find({ site: { $in: [site._id, unknownId] }, bot: false, ...filter })
        .sort({ lastActivity: -1, _id: -1 })
        .limit(50)
        .explain('queryPlanner');
      expect(JSON.stringify(plan)).toContain('IXSCAN');
      expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
    }
    const choices = listFilter({ claimedBy: 'me' }, new Types.ObjectId(owner.user._id), []);
    const sites = await SiteModel.find({ _id: site._id }).lean();
    const plans = [
      ChatModel.find({ ...choices, site: { $in: [site._id, unknownId] }, bot: false }).sort({
        lastActivity: -1,
        _id: -1,
      }),
      ChatModel.find(waitingFilter(sites, choices, undefined))
        .sort({ waitingSince: 1, _id: 1 })
        .hint(BY_WAIT),
      ChatModel.find(waitingFilter(sites, {}, `5-${unknownId}`))
        .sort({ waitingSince: 1, _id: 1 })
        .hint(BY_WAIT),
    ];
    for (const plan of plans) {
      const told = JSON.stringify(await plan.limit(50).explain('queryPlanner'));
      expect(told).toContain('IXSCAN');
      expect(told).not.toMatch(/COLLSCAN|"SORT"/);
    }
    const newest = await MessageModel.find({ chat: unknownId }).sort({ seq: -1 }).limit(1).explain('queryPlanner');
    expect(JSON.stringify(newest)).not.toMatch(/COLLSCAN|"SORT"/);
  });
});

describe('messages of a chat', () => {
  test('are returned as the newest page in ascending order, and before or after a seq', async () => {
    const session = await visit(server.api, site);
    for (let i = 1; i <= 7; i++) await say(server.api, site, session, `m${i}`);
    const { chat } = await visit(server.api, site, { visitorToken: session.visitorToken });
    const page = async (query: string) => {
      const { data } = (await as(owner)(`GET /chats/${chat?._id}/messages?${query}`)).body;
      return [data.messages.map((message: StaffMessage) => message.seq), data.more];
    };
    expect(await page('limit=3')).toEqual([[5, 6, 7], true]);
    expect(await page('limit=3&before=5')).toEqual([[2, 3, 4], true]);
    expect(await page('limit=3&before=2')).toEqual([[1], false]);
    expect(await page('limit=3&after=2')).toEqual([[3, 4, 5], true]);
    expect(await page('after=7')).toEqual([[], false]);
    const whole = (await as(owner)(`GET /chats/${chat?._id}`)).body.data.chat;
    expect(whole.messages).toHaveLength(7);
    expect(whole.messages[6]).toMatchObject({ content: 'm7', text: 'm7', sender: 'visitor', type: 'text' });
  });
});

describe('answering', () => {
  test('both calls of the spec store the same message, and the first answer claims the chat', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const inbox = await as(owner)(`POST /chats/${chat._id}/messages`, { content: 'Hello', type: 'text' });
    expect(inbox.status).toBe(201);
    const console = await as(owner)(`POST /chats/${chat._id}/message`, { text: 'There' });
    expect(console.status).toBe(201);
    expect((await thread(chat)).map(({ content, sender, seq }) => [seq, sender, content])).toEqual([
      [1, 'visitor', 'Hello'],
      [2, 'agent', 'Hello'],
      [3, 'agent', 'There'],
    ]);
    expect(inbox.body.data.message).toMatchObject({ senderName: owner.user.name, senderId: owner.user._id });
    const now = (await as(owner)(`GET /chats/${chat._id}`)).body.data.chat;
    expect(now).toMatchObject({ status: 'active', claimedBy: { _id: owner.user._id, name: owner.user.name } });
  });

  test('an answer of a colleague does not take the chat over', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const ben = await team('agent');
    await as(owner)(`POST /chats/${chat._id}/claim`);
    expect((await as(ben)(`POST /chats/${chat._id}/messages`, { content: 'Me too' })).status).toBe(201);
    const now = (await as(owner)(`GET /chats/${chat._id}`)).body.data.chat;
    expect(now.claimedBy.name).toBe(owner.user.name);
  });

  test('a retry returns the first message and stores nothing; a different text with its id is refused', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const clientId = randomUUID();
    const send = (content: string) => as(owner)(`POST /chats/${chat._id}/messages`, { content, clientId });
    const answers = await Promise.all([send('Once'), send('Once'), send('Once')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.message._id)).size).toBe(1);
    expect((await thread(chat)).filter(({ content }) => content === 'Once')).toHaveLength(1);
    const other = await send('Twice');
    expect([other.status, other.body.code]).toEqual([409, 'ID_CONFLICT']);
  });

  test('concurrent messages leave no gap and no duplicate number', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const sends = Array.from({ length: 25 }, (_, i) =>
      as(owner)(`POST /chats/${chat._id}/messages`, { content: `n${i}` }),
    );
    expect(new Set((await Promise.all(sends)).map(({ status }) => status))).toEqual(new Set([201]));
    expect((await thread(chat)).map(({ seq }) => seq)).toEqual(Array.from({ length: 26 }, (_, i) => i + 1));
    const now = await until(async () => {
      const { data } = (await as(owner)(`GET /chats/${chat._id}`)).body;
      return data.chat.lastSeq === 26 && data.chat;
    });
    expect(now.lastMessage).toBe((await thread(chat)).at(-1)?.content);
  });

  test.each([
    {},
    { content: '' },
    { content: ' \n ' },
    { content: 5 },
    { content: ['a'] },
    { content: { $gt: '' } },
    { content: 'x'.repeat(5001) },
    { content: 'ok', clientId: 'mine' },
    { content: 'ok', type: 'html' },
  ])('the message %j is refused and not stored', async (body) => {
    const chat = await newChat(server.api, site, owner.token);
    expect((await as(owner)(`POST /chats/${chat._id}/messages`, body)).status).toBe(422);
    expect(await thread(chat)).toHaveLength(1);
  });

  test('the text is stored unchanged', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const content = '  <b>"quoted"</b> & \n\t سلام 👩‍👩‍👧 $where \u202Eabc  ';
    await as(owner)(`POST /chats/${chat._id}/messages`, { content });
    expect((await thread(chat)).at(-1)?.content).toBe(content);
  });
});

describe('claiming and closing', () => {
  test("of six concurrent claims one wins, and the others get the winner's name", async () => {
    const chat = await newChat(server.api, site, owner.token);
    const six = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => team('agent', `Agent ${name}`)));
    const answers = await Promise.all(six.map((agent) => as(agent)(`POST /chats/${chat._id}/claim`)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const winner = won[0]?.body.data.chat.claimedBy.name;
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.code]).toEqual([409, 'CHAT_ALREADY_CLAIMED']);
      expect(body.message).toContain(winner);
    }
  });

  test('claiming your own chat again changes nothing', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const first = await as(owner)(`POST /chats/${chat._id}/claim`);
    const second = await as(owner)(`POST /chats/${chat._id}/claim`);
    expect(first.body.data.chat.status).toBe('active');
    expect(second).toMatchObject({ status: 200, body: { data: { chat: { rev: first.body.data.chat.rev } } } });
  });

  test('closing adds one system message, also when two close at once', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const ben = await team('agent');
    const answers = await Promise.all([owner, ben].map((who) => as(who)(`POST /chats/${chat._id}/close`)));
    expect(answers.map(({ status, body }) => [status, body.data.chat.status])).toEqual([
      [200, 'closed'],
      [200, 'closed'],
    ]);
    expect((await thread(chat)).map(({ sender, event }) => [sender, event])).toEqual([
      ['visitor', null],
      ['system', 'closed'],
    ]);
    const late = await as(owner)(`POST /chats/${chat._id}/messages`, { content: 'Late' });
    expect([late.status, late.body.code]).toEqual([409, 'CHAT_CLOSED']);
    expect((await as(owner)(`POST /chats/${chat._id}/claim`)).body.code).toBe('CHAT_CLOSED');
  });

  test('an answer concurrent with a close is either stored before it or refused', async () => {
    for (let round = 0; round < 5; round++) {
      const chat = await newChat(server.api, site, owner.token);
      const [sent] = await Promise.all([
        as(owner)(`POST /chats/${chat._id}/messages`, { content: 'Just in time?' }),
        as(owner)(`POST /chats/${chat._id}/close`),
      ]);
      const messages = await thread(chat);
      expect(messages.at(-1)?.event).toBe('closed');
      expect(messages.some(({ sender }) => sender === 'agent')).toBe(sent.status === 201);
    }
  });
});

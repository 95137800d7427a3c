import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { COLUMNS, endedImport, fileOfChats, PLAN, uploadHistory } from '#test/pastChats';
import type { HistoryImport, ImportRunBody, Site } from '../../../contract.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { prepareMessages } from '../chats/messages/importedMessages.ts';
import { storeImportedChats, storeImportedMessages } from '../chats/messages/importing.ts';
import { ChatModel } from '../chats/model.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { VisitorModel } from '../visitors/model.ts';

/** Enough that an import of them is cancelled in the middle. */
const MANY = 600;

const CSV = [
  COLUMNS,
  'c1,2024-05-06 09:00,visitor,,"Where is my order, please?",Mina@Example.com,Mina Park',
  'c1,06/05/2024 09:05:30,agent,Ben,=SUM(A1) <b>On its way</b>,,',
  'c1,2024-05-06T09:06:00Z,visitor,,My card is 4111 1111 1111 1111,,',
  'c2,1715000000,incoming,,Hello again,mina@example.com,',
  'c2,1715000060000,outgoing,Ben,Hello Mina,,',
  'c3,yesterday,visitor,,No time,,',
  'c3,2024-05-06,visitor,,,,',
  ',2024-05-06,visitor,,No conversation,,',
  'c3,2024-05-06,nobody,,Who?,,',
  'c3,2024-05-06,system,,Chat started,,',
  'c3,2099-05-06,visitor,,Later,,',
].join('\r\n');

let server: TestServer;
let ana: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  ana = await signUp(server.api);
});
beforeEach(async () => {
  await server.api(`DELETE /sites/${site?._id}`, { token: ana.token });
  site = await createSite(server.api, ana.token);
});
afterAll(() => server.stop());

const upload = (file: string | object) =>
  uploadHistory(server.url, ana.token, site._id, typeof file === 'string' ? file : JSON.stringify(file));

const run = (id: string, body: Partial<ImportRunBody>) =>
  server.api(`POST /sites/${site._id}/imports/${id}/run`, {
    token: ana.token,
    body: { ...PLAN, dryRun: false, ...body },
  });

const ended = (id: string) => endedImport(server.api, ana.token, site._id, id);

async function importAll(file: string | object, plan: Partial<ImportRunBody> = {}): Promise<HistoryImport> {
  const { _id, plan: guessed } = await upload(file);
  expect((await run(_id, { columns: guessed.columns, ...plan })).body.code).toBeUndefined();
  return ended(_id);
}

const get = async (call: string) => (await server.api(`GET ${call}`, { token: ana.token })).body.data;

test('a CSV file becomes closed chats on their own dates, which history, search and exports know', async () => {
  const uploaded = await upload(CSV);
  expect(uploaded).toMatchObject({ status: 'uploaded', rows: 11, plan: { columns: PLAN.columns } });
  expect(uploaded.columns[2]).toEqual({ name: 'From', samples: ['visitor', 'agent', 'incoming'] });
  await run(uploaded._id, { dryRun: true });
  const counts = {
    chats: 2,
    messages: 5,
    people: 1,
    knownChats: 0,
    knownMessages: 0,
    skipped: [
      { why: 'badTime', rows: 1, lines: [7] },
      { why: 'noText', rows: 1, lines: [8] },
      { why: 'noConversation', rows: 1, lines: [9] },
      { why: 'badSender', rows: 1, lines: [10] },
      { why: 'system', rows: 1, lines: [11] },
      { why: 'timeOutOfRange', rows: 1, lines: [12] },
    ],
  };
  expect(await ended(uploaded._id)).toMatchObject({ status: 'checked', total: 2, done: 2, counts });
  expect((await get(`/chats/history?siteId=${site._id}`)).chats).toEqual([]);

  await run(uploaded._id, {});
  expect(await ended(uploaded._id)).toMatchObject({ status: 'done', counts });
  const { chats } = await get(`/chats/history?siteId=${site._id}`);
  expect(chats).toMatchObject([
    { status: 'closed', createdAt: '2024-05-06T12:53:20.000Z', visitorInfo: { name: 'Mina Park' }, tags: ['imported'] },
    { status: 'closed', createdAt: '2024-05-06T07:00:00.000Z', visitorInfo: { email: 'mina@example.com' }, unread: 0 },
  ]);
  expect(chats[0].visitorId).toBe(chats[1].visitorId);
  const { messages } = await get(`/chats/${chats[1]._id}/messages`);
  expect(messages).toMatchObject([
    { sender: 'visitor', content: 'Where is my order, please?', timestamp: '2024-05-06T07:00:00.000Z', seq: 1 },
    {
      sender: 'agent',
      senderName: 'Ben',
      content: '=SUM(A1) <b>On its way</b>',
      timestamp: '2024-05-06T07:05:30.000Z',
    },
    { sender: 'visitor', content: 'My card is •••• •••• •••• 1111', timestamp: '2024-05-06T09:06:00.000Z' },
    { sender: 'system', event: 'closed', seq: 4 },
  ]);
  expect((await get('/search?q=order')).messages).toMatchObject([{ chatId: chats[1]._id }]);
  expect((await get('/search?q=mina')).chats).toHaveLength(2);
  const text = await fetch(`${server.url}/api/chats/export?siteId=${site._id}`, {
    headers: { Authorization: `Bearer ${ana.token}` },
  });
  expect(await text.text()).toContain('On its way');
});

test('nobody is told of imported chats, and no figures count them', async () => {
  const before = await get(`/overview?siteId=${site._id}`);
  await importAll(CSV);
  expect((await get('/notices')).notices ?? []).toEqual([]);
  expect((await get('/chats')).chats).toMatchObject([{ unread: 0 }, { unread: 0 }]);
  expect(await ChatModel.exists({ uncounted: { $exists: true } })).toBeNull();
  const { recent, recentChats, activity, ...after } = await get(`/overview?siteId=${site._id}`);
  expect(before).toMatchObject(after);
});

test('a second run doubles nothing, and adds the chats that are new', async () => {
  await importAll(CSV);
  const stored = { chats: await ChatModel.countDocuments(), messages: await MessageModel.countDocuments() };
  const more = `${CSV}\r\nc4,2024-06-01,visitor,,One more,mina@example.com,\r\nc1,2024-07-01,visitor,,Late,,`;
  const again = await importAll(more);
  expect(again.counts).toMatchObject({ chats: 1, messages: 1, people: 0, knownChats: 2, knownMessages: 6 });
  expect(await ChatModel.countDocuments()).toBe(stored.chats + 1);
  expect(await MessageModel.countDocuments()).toBe(stored.messages + 2);
  expect(await VisitorModel.countDocuments({ site: site._id })).toBe(1);
});

test('JSON of tawk.to, Crisp, Chatwoot and Intercom is understood without a hand', async () => {
  const files: Record<string, object> = {
    'tawk.to': [
      {
        id: 't1',
        visitor: { name: 'Mina Park', email: 'mina@example.com' },
        messages: [
          { sender: { t: 'v' }, type: 'msg', msg: 'Hi', time: '2024-05-06T07:00:00.000Z', attchs: [{ url: 'x' }] },
          { sender: { t: 'a', n: 'Ben' }, type: 'msg', msg: 'Hello', time: '2024-05-06T07:01:00.000Z' },
          { sender: { t: 's' }, type: 'msg', msg: 'Ben joined', time: '2024-05-06T07:00:30.000Z' },
        ],
      },
    ],
    Crisp: {
      conversations: [
        {
          session_id: 's1',
          meta: { nickname: 'Mina Park', email: 'mina@example.com' },
          messages: [
            { fingerprint: 1, from: 'user', content: 'Hi', timestamp: 1714978800000, user: { nickname: 'Mina' } },
            { fingerprint: 2, from: 'operator', content: 'Hello', timestamp: 1714978860000, user: { nickname: 'Ben' } },
            { fingerprint: 2, from: 'operator', content: 'Hello', timestamp: 1714978860000, user: { nickname: 'Ben' } },
          ],
        },
      ],
    },
    Chatwoot: [
      {
        id: 7,
        meta: { sender: { name: 'Mina Park', email: 'mina@example.com' } },
        messages: [
          { id: 1, content: 'Hi', message_type: 0, created_at: 1714978800, private: false, sender: { name: 'Mina' } },
          { id: 2, content: 'Hello', message_type: 1, created_at: 1714978860, private: false, sender: { name: 'Ben' } },
          { id: 3, content: 'VIP', message_type: 1, created_at: 1714978870, private: true, sender: { name: 'Ben' } },
        ],
      },
    ],
    Intercom: {
      conversations: [
        {
          id: '9',
          created_at: 1714978800,
          source: { id: 1, body: 'Hi', author: { type: 'user', name: 'Mina Park', email: 'mina@example.com' } },
          conversation_parts: {
            conversation_parts: [
              {
                id: 2,
                part_type: 'comment',
                body: '<p>Hello</p>',
                created_at: 1714978860,
                author: { type: 'admin', name: 'Ben' },
              },
              { id: 3, part_type: 'note', body: 'VIP', created_at: 1714978861, author: { type: 'admin', name: 'Ben' } },
            ],
          },
        },
      ],
    },
  };
  for (const [source, file] of Object.entries(files)) {
    const done = await importAll(file);
    expect(done, source).toMatchObject({ status: 'done', source, counts: { chats: 1, messages: 2 } });
    expect(
      done.counts.skipped.flatMap(({ rows }) => rows),
      source,
    ).toEqual([1]);
    const { chats } = await get(`/chats/history?siteId=${site._id}&limit=1`);
    expect(chats[0].visitorInfo, source).toMatchObject({ name: 'Mina Park', email: 'mina@example.com' });
    expect((await get(`/chats/${chats[0]._id}/messages`)).messages, source).toMatchObject([
      { sender: 'visitor', content: 'Hi', timestamp: '2024-05-06T07:00:00.000Z' },
      { sender: 'agent', content: 'Hello', senderName: 'Ben', timestamp: '2024-05-06T07:01:00.000Z' },
      { event: 'closed' },
    ]);
    await ChatModel.deleteMany({ site: site._id });
  }
});

test('what is erased or deleted is gone, and retention keeps old chats out', async () => {
  await importAll(CSV);
  const { chats } = await get(`/chats/history?siteId=${site._id}`);
  await server.api(`DELETE /visitors/${chats[0].visitorId}`, { token: ana.token });
  await until(async () => (await ChatModel.countDocuments({ site: site._id })) === 0);
  expect((await importAll(CSV)).counts).toMatchObject({
    chats: 0,
    skipped: expect.arrayContaining([{ why: 'erased', rows: 5, lines: [2, 5] }]),
  });
  await VisitorModel.deleteMany({ site: site._id });
  const settings = { retentionDays: 30 };
  await server.api(`PATCH /sites/${site._id}`, { token: ana.token, body: { settings } });
  expect((await importAll(CSV)).counts).toMatchObject({
    chats: 0,
    skipped: expect.arrayContaining([{ why: 'retention', rows: 5, lines: [2, 5] }]),
  });
});

test('bad files, bad plans and strangers are refused', async () => {
  for (const file of ['', '{"a": 1}', '[1, 2]', 'a,b\n"open', '{"a":'])
    await expect(upload(file)).rejects.toThrow(/VALIDATION|422|read|empty/i);
  const { _id } = await upload(CSV);
  const { text, ...columns } = PLAN.columns;
  expect((await run(_id, { columns })).body.errors).toMatchObject([{ path: 'columns.text' }]);
  expect((await run(_id, { columns: { ...PLAN.columns, note: 'None' } })).body.errors).toMatchObject([
    { path: 'columns.note' },
  ]);
  expect((await run(_id, { timeZone: 'Mars' })).status).toBe(422);
  const agent = await signUp(server.api);
  await join(site, agent, 'agent');
  expect((await server.api(`GET /sites/${site._id}/imports`, { token: agent.token })).status).toBe(403);

  await server.api(`DELETE /sites/${site._id}/imports/${_id}`, { token: ana.token });
  expect((await run(_id, {})).status).toBe(404);
  const { _id: done } = await importAll(CSV);
  expect((await run(done, {})).body.code).toBe('IMPORT_OVER');
});

test('a run that is started again with other columns adds nothing behind the end of a chat', async () => {
  const doc = await SiteModel.findById(site._id).lean<SiteDoc>();
  const [visitor, run] = [new Types.ObjectId(), new Types.ObjectId()];
  const said = ['Hi', 'Hello'].map((text, i) => ({
    seq: i + 1,
    at: 1714978800000 + i,
    sender: 'visitor' as const,
    text,
  }));
  const store = async (messages: typeof said) => {
    const at = { firstAt: messages[0]?.at ?? 0, lastAt: messages.at(-1)?.at ?? 0, lastText: 'Hi' };
    const past = { key: 'c1', visitor, person: { name: null, email: null }, messages: messages.length, ...at };
    const chat = (await storeImportedChats(doc as SiteDoc, run, [past])).get('c1');
    const named = messages.map((one) => ({ ...one, name: null }));
    if (chat)
      await storeImportedMessages(doc as SiteDoc, [{ chat, messages: prepareMessages(named, `${chat._id}`, true) }]);
    return chat;
  };
  const chat = await store(said.slice(0, 1));
  await store(said);
  const messages = await MessageModel.find({ chat: chat?._id ?? run })
    .sort({ seq: 1 })
    .lean();
  expect(messages.map(({ content }) => content)).toEqual(['Hi', 'Chat closed']);
});

test('an import that is cancelled stops, and keeps what it has stored', async () => {
  const { _id } = await upload(fileOfChats(MANY));
  await run(_id, {});
  await until(async () => (await ChatModel.countDocuments({ site: site._id })) > 0);
  const { body } = await server.api(`DELETE /sites/${site._id}/imports/${_id}`, { token: ana.token });
  expect(body.data.import.status).toBe('cancelled');
  await run((await upload(fileOfChats(MANY)))._id, { dryRun: true });
  const [{ _id: next }] = (await get(`/sites/${site._id}/imports`)).imports;
  const { counts } = await ended(next);
  expect(counts.knownChats).toBeGreaterThan(0);
  expect(counts.chats).toBe(MANY - counts.knownChats);
});

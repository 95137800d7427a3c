import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { COLUMNS, endedImport, fileOfChats, PLAN, uploadHistory } from '#test/pastChats';
import type { HistoryImport, ImportRunBody, Site } from '../../../contract.ts';
import { events } from '../../platform/events/index.ts';
import { createSecretBox } from '../../platform/secrets/secretBox.ts';
import { HOUR_MS } from '../../platform/time/time.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { VisitorModel } from '../visitors/model.ts';
import { sweepErased } from '../visitors/people/people.ts';
import { createErasedPeople } from './erased.ts';
import { ImportModel } from './model.ts';

const LONG = 1_200;

let server: TestServer;
let ana: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  ana = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, ana.token);
});
afterAll(() => server.stop());

const upload = (file: string) => uploadHistory(server.url, ana.token, site._id, file);
const run = (id: string, body: Partial<ImportRunBody> = {}) =>
  server.api(`POST /sites/${site._id}/imports/${id}/run`, {
    token: ana.token,
    body: { ...PLAN, dryRun: false, ...body },
  });

async function importAll(file: string, plan: Partial<ImportRunBody> = {}): Promise<HistoryImport> {
  const { _id } = await upload(file);
  await run(_id, plan);
  return endedImport(server.api, ana.token, site._id, _id);
}

/** The chats of a shop, which numbers them from 1. */
const shop = (name: string, chats: number, minute: number) =>
  [
    COLUMNS,
    ...Array.from({ length: chats }, (_, i) => {
      const at = `2024-05-0${i + 1} 09:${String(minute).padStart(2, '0')}:1${i}`;
      return `${i + 1},${at},visitor,,Hello ${name},${name}${i}@example.com,`;
    }),
  ].join('\n');

test('shops that number their chats alike are both imported, and each again is known', async () => {
  const [books, shoes] = [shop('books', 5, 10), shop('shoes', 5, 27)];
  expect((await importAll(books)).counts).toMatchObject({ chats: 5, knownChats: 0 });
  expect((await importAll(shoes)).counts).toMatchObject({ chats: 5, knownChats: 0, people: 5 });
  for (const file of [books, shoes])
    expect((await importAll(file)).counts).toMatchObject({ chats: 0, knownChats: 5, people: 0 });
  // The times were meant in another zone.
  expect((await importAll(shoes, { timeZone: 'Asia/Kathmandu' })).counts).toMatchObject({ chats: 0, knownChats: 5 });
  const more = `${shoes}\n6,2024-06-01,visitor,,One more,shoes0@example.com,`;
  expect((await importAll(more)).counts).toMatchObject({ chats: 1, knownChats: 5, people: 0 });
  expect(await ChatModel.countDocuments({ site: site._id })).toBe(11);
});

/** The hourly jobs of a time when no tombstone is left. The server has remembered the erased people with a key of its own. */
async function sweep(): Promise<void> {
  const { signal } = new AbortController();
  const later = Date.now() + 2 * HOUR_MS;
  await createErasedPeople(createSecretBox('of another server')).sweep(later, signal);
  await sweepErased(later, signal);
}

test('what was erased does not come back with the same file, however late and however it is read', async () => {
  const file = `${shop('books', 2, 10)}\n7,2024-05-09 09:00,visitor,,Nameless,,`;
  await importAll(file);
  const gone = await ChatModel.find({ site: site._id, createdAt: { $gt: new Date('2024-05-02') } }).lean();
  expect(gone).toHaveLength(2);
  for (const { visitor } of gone) await server.api(`DELETE /visitors/${visitor}`, { token: ana.token });
  await until(async () => (await ChatModel.countDocuments({ site: site._id })) === 1);
  await sweep();
  expect(await VisitorModel.countDocuments({ site: site._id })).toBe(1);
  const skipped = [{ why: 'erased', rows: 2, lines: [3, 4] }];
  expect((await importAll(file)).counts).toMatchObject({ chats: 0, knownChats: 1, skipped });
  const { visitorEmail: _, ...columns } = PLAN.columns;
  expect((await importAll(file, { columns })).counts).toMatchObject({ chats: 0, knownChats: 1, skipped });
  // Another shop has the same numbers.
  expect((await importAll(shop('shoes', 5, 27))).counts).toMatchObject({ chats: 5 });
});

test('a person who is erased while the file is imported stays erased', async () => {
  const file = [
    COLUMNS,
    ...Array.from({ length: 300 }, (_, i) => `c${i},2024-05-06 09:00,visitor,,Question ${i},mina@example.com,`),
  ].join('\n');
  const { _id } = await upload(file);
  await run(_id);
  const { visitor } = await until(async () => (await ChatModel.findOne({ site: site._id }).lean()) ?? false);
  await server.api(`DELETE /visitors/${visitor}`, { token: ana.token });
  await endedImport(server.api, ana.token, site._id, _id);
  await until(async () => (await ChatModel.countDocuments({ site: site._id })) === 0);
});

test('a long conversation is stored as one chat, in several steps', async () => {
  const rows = Array.from({ length: LONG }, (_, i) => `c1,${1714978800 + i},visitor,,Message ${i},,`);
  expect(await importAll([COLUMNS, ...rows].join('\n'))).toMatchObject({
    status: 'done',
    total: 1,
    counts: { chats: 1, messages: LONG },
  });
  const chat = await ChatModel.findOne({ site: site._id }).orFail().lean();
  expect(chat).toMatchObject({ lastSeq: LONG + 1, lastMessage: `Message ${LONG - 1}` });
  const messages = await MessageModel.find({ chat: chat._id }).sort({ seq: 1 }).lean();
  expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: LONG + 1 }, (_, i) => i + 1));
  expect([messages[700]?.content, messages.at(-1)?.event]).toEqual(['Message 700', 'closed']);
});

test('columns of messages are found beside thousands of the conversation', async () => {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`field ${i}`, i]));
  const messages = Array.from({ length: 3_000 }, (_, i) => ({
    from: 'user',
    content: `Hi ${i}`,
    timestamp: 1714978800 + i,
  }));
  const { rows, plan } = await upload(JSON.stringify([{ session_id: 's1', ...many, messages }]));
  expect(rows).toBe(messages.length);
  expect(plan.columns).toMatchObject({
    conversation: 'session_id',
    text: 'messages.content',
    time: 'messages.timestamp',
    sender: 'messages.from',
  });
});

test('a site has one file, which counts as its storage until it is imported or deleted', async () => {
  const bytes = async () =>
    (await server.api(`GET /sites/${site._id}/usage`, { token: ana.token })).body.data.usage.files.bytes;
  const kept = () => ImportModel.countDocuments({ site: site._id, size: { $exists: true } });
  const [small, large] = [fileOfChats(1), fileOfChats(20)];
  const first = await upload(small);
  expect(await bytes()).toBe(small.length);
  // As after a run that found no room.
  await ImportModel.updateOne({ _id: new Types.ObjectId(first._id) }, { status: 'failed', failure: 'SITE_FULL' });
  const second = await upload(large);
  expect([await kept(), await bytes()]).toEqual([1, large.length]);
  await run(second._id);
  await endedImport(server.api, ana.token, site._id, second._id);
  expect([await kept(), await bytes()]).toEqual([0, 0]);
});

test('an import that killed its process again and again is given up, and can be started again', async () => {
  const { _id } = await upload(fileOfChats(1));
  const id = new Types.ObjectId(_id);
  await ImportModel.updateOne({ _id: id }, { status: 'importing', active: true, takes: 5, dueAt: new Date() });
  await events.emit('importAwaited', { importId: _id });
  expect(await endedImport(server.api, ana.token, site._id, _id)).toMatchObject({
    status: 'failed',
    failure: 'UNAVAILABLE',
  });
  await run(_id);
  expect(await endedImport(server.api, ana.token, site._id, _id)).toMatchObject({ status: 'done' });
});

test('imports of one person do not keep those of others waiting', async () => {
  const others: { at: Site; id: string }[] = [];
  for (let i = 0; i < 4; i++) {
    const at = await createSite(server.api, ana.token);
    others.push({ at, id: (await uploadHistory(server.url, ana.token, at._id, fileOfChats(150)))._id });
  }
  const ben = await signUp(server.api);
  const own = await createSite(server.api, ben.token);
  const { _id } = await uploadHistory(server.url, ben.token, own._id, fileOfChats(1));
  const start = (at: Site, id: string, token: string) =>
    server.api(`POST /sites/${at._id}/imports/${id}/run`, { token, body: { ...PLAN, dryRun: false } });
  for (const { at, id } of others) await start(at, id, ana.token);
  await start(own, _id, ben.token);
  await endedImport(server.api, ben.token, own._id, _id);
  const left = await ImportModel.countDocuments({ by: new Types.ObjectId(ana.user._id), active: true });
  expect(left).toBeGreaterThan(1);
});

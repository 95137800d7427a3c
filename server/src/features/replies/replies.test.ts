import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import type { CannedReply, Site } from '../../../contract.ts';
import { REPLY_LIMIT } from './contract.ts';
import { ReplyModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const unknownId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const add = (shortcut: string, content = 'Hello!', who = owner, siteId = site._id) =>
  as(who)('POST /canned-replies', { siteId, shortcut, content });
const list = async (query = '', who = owner) =>
  (await as(who)(`GET /canned-replies?siteId=${site._id}${query}`)).body.data as {
    replies: CannedReply[];
    nextCursor: string | null;
  };
const shortcuts = async (query = '') => (await list(query)).replies.map(({ shortcut }) => shortcut);

test('a reply is created, found, changed and deleted', async () => {
  const made = await add('/Hello', 'Hello, how can I help?\n– Ana');
  expect(made.status).toBe(201);
  const { reply } = made.body.data;
  expect(reply).toEqual({
    _id: expect.any(String),
    siteId: site._id,
    shortcut: 'hello',
    content: 'Hello, how can I help?\n– Ana',
    personal: false,
    files: [],
  });
  expect(await list()).toEqual({ replies: [reply], nextCursor: null });
  const changed = await as(owner)(`PATCH /canned-replies/${reply._id}`, { content: 'Hi', siteId: unknownId });
  expect(changed.body.data.reply).toEqual({ ...reply, content: 'Hi' });
  expect((await as(owner)(`DELETE /canned-replies/${reply._id}`)).status).toBe(200);
  expect((await as(owner)(`DELETE /canned-replies/${reply._id}`)).status).toBe(404);
  expect(await list()).toEqual({ replies: [], nextCursor: null });
});

test('a shortcut is unique for each site, also when two create it at once', async () => {
  const answers = await Promise.all([add('bye'), add('BYE')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const { _id } = (await add('hello')).body.data.reply;
  const renamed = await as(owner)(`PATCH /canned-replies/${_id}`, { shortcut: 'bye' });
  expect([renamed.status, renamed.body.code]).toEqual([409, 'SHORTCUT_TAKEN']);
  const other = await createSite(server.api, owner.token);
  expect((await add('bye', 'Bye', owner, other._id)).status).toBe(201);
});

test('the list is sorted by shortcut, paged, and filtered by the beginning of the shortcut', async ({ skip }) => {
  for (const shortcut of ['refund', 'hours', 'hello', 'über', 'help']) await add(shortcut);
  expect(await shortcuts()).toEqual(['hello', 'help', 'hours', 'refund', 'über']);
  const first = await list('&limit=2');
  expect(first.nextCursor).toBe('help');
  expect(await shortcuts(`&limit=2&cursor=${first.nextCursor}`)).toEqual(['hours', 'refund']);
  expect(await shortcuts('&q=He')).toEqual(['hello', 'help']);
  expect(await shortcuts('&q=.*')).toEqual([]);
  await needPlans(skip);
  const plan = await ReplyModel.find({ site: site._id, owner: null, shortcut: { $gte: 'h', $lt: 'i' } })
    .sort({ shortcut: 1 })
    .explain('queryPlanner');
  expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
});

test.each([
  [{ shortcut: 'two words' }, 'shortcut'],
  [{ shortcut: '' }, 'shortcut'],
  [{ shortcut: '/' }, 'shortcut'],
  [{ shortcut: 'x'.repeat(51) }, 'shortcut'],
  [{ shortcut: { $ne: '' } }, 'shortcut'],
  [{ shortcut: ['hello'] }, 'shortcut'],
  [{ content: '  ' }, 'content'],
  [{ content: 7 }, 'content'],
  [{ content: 'x'.repeat(5001) }, 'content'],
  [{ content: 'Dear {{visitor.nmae}}' }, 'content'],
  [{ content: '{{constructor}} {{}}' }, 'content'],
])('%j is refused', async (part, path) => {
  const { _id } = (await add('fine')).body.data.reply;
  const refused = [
    await as(owner)('POST /canned-replies', { siteId: site._id, shortcut: 'ok', content: 'Ok', ...part }),
    await as(owner)(`PATCH /canned-replies/${_id}`, part),
  ];
  for (const { status, body } of refused) expect([status, body.errors[0].path]).toEqual([422, path]);
  expect(await shortcuts()).toEqual(['fine']);
});

test('a site cannot exceed its limit, also with concurrent calls', async () => {
  const rows = Array.from({ length: REPLY_LIMIT - 1 }, (_, i) => ({ site: site._id, shortcut: `s${i}`, content: 'x' }));
  await ReplyModel.insertMany(rows);
  const answers = await Promise.all(['a', 'b', 'c'].map((shortcut) => add(shortcut)));
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThan(2);
  expect(await ReplyModel.countDocuments({ site: site._id })).toBeLessThanOrEqual(REPLY_LIMIT);
  await add('d');
  const over = await add('e');
  expect([over.status, over.body.code]).toEqual([409, 'REPLY_LIMIT_REACHED']);
});

test('members can read, owner and admins can write, strangers see nothing', async () => {
  const { _id } = (await add('hello')).body.data.reply;
  const stranger = await signUp(server.api);
  for (const [role, status] of [
    ['viewer', 403],
    ['agent', 403],
    ['admin', 200],
  ] as const) {
    const member = await signUp(server.api);
    await join(site, member, role);
    expect((await list('', member)).replies).toHaveLength(1);
    expect((await as(member)(`PATCH /canned-replies/${_id}`, { content: role })).status).toBe(status);
    if (status === 200) continue;
    expect((await add('mine', 'Hi', member)).status).toBe(status);
    expect((await as(member)(`DELETE /canned-replies/${_id}`)).status).toBe(status);
  }
  for (const verb of ['PATCH', 'DELETE']) {
    const ask = (id: string) => as(stranger)(`${verb} /canned-replies/${id}`, { content: 'Mine' });
    expect((await ask(_id)).status).toBe(404);
    expect((await ask(_id)).body).toEqual((await ask(unknownId)).body);
    expect((await ask('zzz')).body.code).toBe('INVALID_ID');
  }
  expect((await add('mine', 'Hi', stranger)).body.code).toBe('SITE_NOT_FOUND');
  expect((await as(stranger)(`GET /canned-replies?siteId=${site._id}`)).status).toBe(404);
  expect((await as(owner)('GET /canned-replies')).status).toBe(422);
  expect((await server.api(`GET /canned-replies?siteId=${site._id}`)).status).toBe(401);
  expect((await list()).replies[0]?.content).toBe('admin');
});

test('deleting a site deletes its replies', async () => {
  await add('hello');
  await as(owner)(`DELETE /sites/${site._id}`);
  await until(async () => (await ReplyModel.countDocuments({ site: site._id })) === 0);
});

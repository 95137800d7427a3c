import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, hangUp } from '#test/sockets';
import type { Chat, SavedView, Site } from '../../../contract.ts';
import { type ListConditions, listFilter, listIndex } from '../chats/lists/lists.ts';
import { ChatModel } from '../chats/model.ts';
import { COUNT_MAX, SAVED_VIEWS_MAX } from './contract.ts';
import { SavedViewsModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const chatOf = (shop = site) => newChat(server.api, shop, owner.token);
const tag = ({ _id }: Chat, ...tags: string[]) => as(owner)(`PUT /chats/${_id}/tags`, { tags });
const listed = async (query: string, who = owner): Promise<string[]> =>
  (await as(who)(`GET /chats?${query}`)).body.data.chats.map(({ _id }: Chat) => _id);
const counted = async (query = '', who = owner) => (await as(who)(`GET /inbox/counts?${query}`)).body.data.counts;

describe('the filters', () => {
  test('chats are listed by tag, agent and none, with any other filter', async () => {
    const ben = await signUp(server.api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const [first, second, third] = [await chatOf(), await chatOf(), await chatOf()];
    await tag(first, 'Refund', 'vip');
    await tag(third, 'refund');
    await as(ben)(`POST /chats/${third._id}/claim`);
    expect(await listed('tag=refund')).toEqual([third._id, first._id]);
    expect(await listed('tag=%20REFUND%20')).toEqual([third._id, first._id]);
    expect(await listed('tag=refund&status=waiting')).toEqual([first._id]);
    expect(await listed('tag=refund&claimedBy=none')).toEqual([first._id]);
    expect(await listed(`tag=refund&claimedBy=${ben.user._id}&unread=yes`)).toEqual([third._id]);
    expect(await listed('tag=refund&sort=waiting')).toEqual([first._id, third._id]);
    expect(await listed('tag=vi')).toEqual([]);
    expect(await listed('claimedBy=none')).toEqual([second._id, first._id]);
    await as(owner)(`POST /chats/${second._id}/claim`);
    await as(owner)(`POST /chats/${second._id}/transfer`, { userId: ben.user._id });
    expect(await listed('claimedBy=me&handed=yes', ben)).toEqual([second._id]);
    for (const bad of ['claimedBy=ben', 'tag=', `tag=${'x'.repeat(31)}`, 'handed=no'])
      expect((await as(owner)(`GET /chats?${bad}`)).status).toBe(422);
  });

  test('every list reads an index in its order', async ({ skip }) => {
    await needPlans(skip);
    const lists: ListConditions[] = [
      { tag: 'refund' },
      { tag: 'refund', status: 'closed' },
      { tag: 'refund', claimedBy: 'none' },
      { claimedBy: 'none' },
      { claimedBy: 'me', handed: 'yes' },
      { status: 'snoozed' },
      { status: 'snoozed', claimedBy: 'me', tag: 'refund' },
    ];
    for (const conditions of lists) {
      const index = listIndex(conditions);
      const found = ChatModel.find({
        site: { $in: [new Types.ObjectId(site._id), new Types.ObjectId()] },
        bot: false,
        ...listFilter(conditions, new Types.ObjectId(owner.user._id), []),
      })
        .sort({ lastActivity: -1, _id: -1 })
        .limit(50);
      const plan = JSON.stringify(await (index ? found.hint(index) : found).explain('queryPlanner'));
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
    }
  });

  test('the tags in use are offered, those of other people’s sites not', async () => {
    const other = await createSite(server.api, owner.token, 'Second');
    await tag(await chatOf(), 'vip', 'refund');
    await tag(await chatOf(), 'refund', 'über');
    await tag(await chatOf(other), 'angebot');
    const tags = async (query = '', who = owner) => (await as(who)(`GET /inbox/tags?${query}`)).body.data.tags;
    expect(await tags()).toEqual(['angebot', 'refund', 'vip', 'über']);
    expect(await tags(`siteId=${site._id}`)).toEqual(['refund', 'vip', 'über']);
    const stranger = await signUp(server.api);
    expect(await tags('', stranger)).toEqual([]);
    expect((await as(stranger)(`GET /inbox/tags?siteId=${site._id}`)).status).toBe(404);
  });
});

describe('the counts', () => {
  test('cover all chats, and what is filtered by agent and tag', async () => {
    const [first, second] = [await chatOf(), await chatOf(), await chatOf()];
    expect(await counted()).toMatchObject({ waiting: 3, active: 0, snoozed: 0, unread: 3 });
    await as(owner)(`POST /chats/${first._id}/claim`);
    await as(owner)(`POST /chats/${second._id}/close`);
    await tag(first, 'refund');
    // Counts are shared for a moment.
    await until(async () => (await counted()).waiting === 1);
    expect(await counted()).toMatchObject({ waiting: 1, active: 1, snoozed: 0, unread: 3 });
    expect(await counted('claimedBy=me')).toMatchObject({ waiting: 0, active: 1 });
    expect(await counted('claimedBy=none&tag=refund')).toMatchObject({ waiting: 0, active: 0 });
    expect(await counted('tag=refund')).toMatchObject({ waiting: 0, active: 1 });
    expect(await counted(`siteId=${site._id}`)).toMatchObject({ waiting: 1 });
    const stranger = await signUp(server.api);
    expect(await counted('', stranger)).toMatchObject({ waiting: 0, active: 0, snoozed: 0, unread: 0 });
    expect((await as(stranger)(`GET /inbox/counts?siteId=${site._id}`)).status).toBe(404);
  });

  test('stop at their limit', async () => {
    const at = new Date();
    const rows = Array.from({ length: COUNT_MAX + 5 }, () => ({
      site: site._id,
      visitor: new Types.ObjectId(),
      status: 'waiting',
      bot: false,
      lastSeq: 1,
      createdAt: at,
      lastActivity: at,
      updatedAt: at,
    }));
    await ChatModel.insertMany(rows);
    expect(await counted()).toMatchObject({ waiting: COUNT_MAX, active: 0, snoozed: 0, unread: 0 });
  });
});

describe('saved views', () => {
  const views = async (who = owner): Promise<SavedView[]> => (await as(who)('GET /inbox/views')).body.data.views;
  const names = async (who = owner) => (await views(who)).map(({ name }) => name);
  const save = (name: string, filter: object = {}, who = owner) => as(who)('POST /inbox/views', { name, ...filter });

  test('are stored, changed, sorted and deleted, and all tabs of their owner hear it', async () => {
    const tab = await connectStaff(server.url, owner.token);
    const made = await save('  Refunds ', { tag: 'Refund', status: 'waiting', siteId: site._id, claimedBy: 'none' });
    expect(made.status).toBe(201);
    const [refunds] = made.body.data.views;
    const filter = { tag: 'refund', status: 'waiting', siteId: site._id, claimedBy: 'none' };
    expect(refunds).toEqual({ _id: expect.any(String), name: 'Refunds', ...filter });
    await until(async () => tab.heard('views_changed').length === 1);
    await save('Mine', { claimedBy: 'me', unread: 'yes', sort: 'waiting' });
    await save('Third', { other: 'ignored' });
    const [first, second, third] = await views();
    expect(third).toEqual({ _id: third?._id, name: 'Third' });
    const order = { ids: [third?._id, 'a'.repeat(24), first?._id] };
    expect((await as(owner)('PUT /inbox/views', order)).body.data.views.map(({ name }: SavedView) => name)).toEqual([
      'Third',
      'Refunds',
      'Mine',
    ]);
    await as(owner)(`PUT /inbox/views/${second?._id}`, { name: 'My own', claimedBy: 'me' });
    expect(await views()).toContainEqual({ _id: second?._id, name: 'My own', claimedBy: 'me' });
    expect((await as(owner)(`DELETE /inbox/views/${first?._id}`)).status).toBe(200);
    expect((await as(owner)(`DELETE /inbox/views/${first?._id}`)).body.code).toBe('VIEW_NOT_FOUND');
    expect(await names()).toEqual(['Third', 'My own']);
    await until(async () => tab.heard('views_changed').length === 6);
  });

  test('belong to one user, and name only sites that the user is on', async () => {
    const ben = await signUp(server.api, 'Ben');
    await join(site, ben, 'viewer');
    const [own] = (await save('Own', { siteId: site._id })).body.data.views;
    expect(await names(ben)).toEqual([]);
    expect((await as(ben)(`PUT /inbox/views/${own._id}`, { name: 'Mine' })).status).toBe(404);
    expect((await as(ben)(`DELETE /inbox/views/${own._id}`)).status).toBe(404);
    const foreign = await createSite(server.api, (await signUp(server.api)).token);
    expect((await save('Foreign', { siteId: foreign._id })).body.code).toBe('SITE_NOT_FOUND');
    await save('Shop', { siteId: site._id }, ben);
    await as(owner)(`DELETE /team/members/${ben.user._id}`, { siteId: site._id });
    expect(await names(ben)).toEqual([]);
  });

  test('have a limit, also with concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => save(`View ${i}`)));
    expect(answers.filter(({ status }) => status === 201).length).toBe((await views()).length);
    for (let i = (await views()).length; i < SAVED_VIEWS_MAX; i++) await save(`View ${i}`);
    expect((await save('One more')).body.code).toBe('VIEW_LIMIT_REACHED');
    expect(await views()).toHaveLength(SAVED_VIEWS_MAX);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ name: 'x', tag: 'x'.repeat(31) }, 'tag'],
    [{ name: 'x', status: 'open' }, 'status'],
    [{ name: 'x', claimedBy: { $ne: 1 } }, 'claimedBy'],
    [{ name: 'x', siteId: 7 }, 'siteId'],
  ])('%j is refused', async (form, path) => {
    const { status, body } = await as(owner)('POST /inbox/views', form);
    expect([status, body.errors[0].path]).toEqual([422, path]);
    expect((await as(owner)('PUT /inbox/views', { ids: Array(21).fill('a'.repeat(24)) })).status).toBe(422);
  });

  test('go with their site and with their owner', async () => {
    const ben = await signUp(server.api, 'Ben');
    await save('Shop', { siteId: site._id });
    await save('All');
    await save('All', {}, ben);
    await as(owner)(`DELETE /sites/${site._id}`);
    await until(async () => !(await SavedViewsModel.exists({ 'views.site': site._id })));
    expect(await names()).toEqual(['All']);
    const exported = await as(ben)('GET /auth/account/export');
    expect(exported.body.savedViews).toEqual(await views(ben));
    await as(ben)('DELETE /auth/account', { currentPassword: ben.password });
    expect(await SavedViewsModel.exists({ _id: ben.user._id })).toBeNull();
  });
});

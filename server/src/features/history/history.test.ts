import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import type { HistoryRow, Site } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';
import { SiteModel } from '../sites/model.ts';
import { historyFilter } from './find.ts';

let server: TestServer;
let owner: Account;
let ben: Account;
let shop: Site;
let blog: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api, 'Ana Ruiz');
  ben = await signUp(server.api, 'Ben Okafor');
  shop = await createSite(server.api, owner.token, 'Shop');
  blog = await createSite(server.api, owner.token, 'Blog');
  await join(shop, ben, 'agent');
});
afterAll(() => server.stop());
beforeEach(() => ChatModel.deleteMany({}));

const history = (query = '', { token } = owner) => server.api(`GET /chats/history?${query}`, { token });
const texts = async (query: string, account = owner) =>
  (await history(query, account)).body.data.chats.map((chat: HistoryRow) => chat.lastMessage) as string[];

/** A chat whose times are moved to where the test needs them. */
async function chatOf(site: Site, text: string, createdAt: string, minutes = 0, claimer?: Account): Promise<string> {
  const { _id } = await newChat(server.api, site, owner.token, text);
  if (claimer) await server.api(`POST /chats/${_id}/claim`, { token: claimer.token });
  const lastActivity = new Date(Date.parse(createdAt) + minutes * 60_000);
  await ChatModel.updateOne({ _id }, { $set: { createdAt: new Date(createdAt), lastActivity } });
  return _id;
}

describe('the list', () => {
  test('shows the newest chats first, each with its duration in whole minutes', async () => {
    await chatOf(shop, 'old', '2026-05-01T10:00:00Z', 90);
    await chatOf(blog, 'new', '2026-05-02T10:00:00Z', 2.9);
    const { body } = await history();
    expect(body.data.nextCursor).toBe(null);
    expect(body.data.chats).toMatchObject([
      { lastMessage: 'new', durationMinutes: 2, site: { name: 'Blog' }, claimedBy: null },
      { lastMessage: 'old', durationMinutes: 90, site: { name: 'Shop' }, visitorInfo: { name: 'Vera' } },
    ]);
  });

  test('filters by site, supporter, status and text, alone and combined', async () => {
    await chatOf(shop, 'ana in shop', '2026-05-01T10:00:00Z', 0, owner);
    const closed = await chatOf(shop, 'ben in shop', '2026-05-02T10:00:00Z', 0, ben);
    await chatOf(blog, 'ana in blog', '2026-05-03T10:00:00Z', 0, owner);
    await chatOf(blog, 'nobody in blog', '2026-05-04T10:00:00Z');
    await server.api(`POST /chats/${closed}/close`, { token: ben.token });

    // The last message stands in the list a moment after it was answered.
    await expect.poll(() => texts(`siteId=${shop._id}`)).toEqual(['ben in shop', 'ana in shop']);
    expect(await texts(`supporter=${owner.user._id}`)).toEqual(['ana in blog', 'ana in shop']);
    expect(await texts('supporter=ana%20ruiz')).toEqual(['ana in blog', 'ana in shop']);
    expect(await texts(`supporter=Ana%20Ruiz&siteId=${blog._id}`)).toEqual(['ana in blog']);
    expect(await texts('supporter=Nobody%20Known')).toEqual([]);
    expect(await texts('status=closed')).toEqual(['ben in shop']);
    expect(await texts('status=active&supporter=Ben%20Okafor')).toEqual([]);
    expect(await texts('status=all&search=')).toHaveLength(4);
    await until(async () => (await texts('search=nobody')).length === 1);
    expect(await texts(`search=shop&supporter=${ben.user._id}`)).toEqual(['ben in shop']);
    expect(await texts('search=.*')).toEqual([]);
    expect(await texts('', ben)).toEqual(['ben in shop', 'ana in shop']);
  });

  test('has a total on the first page, except for a text search', async () => {
    for (const day of ['01', '02', '03']) await chatOf(shop, `on ${day}`, `2026-05-${day}T10:00:00Z`);
    const { body } = await history('limit=2');
    expect(body.data).toMatchObject({ total: 3, nextCursor: expect.any(String) });
    expect((await history(`limit=2&cursor=${body.data.nextCursor}`)).body.data.total).toBe(null);
    expect((await history('startDate=2026-05-02')).body.data.total).toBe(2);
    expect((await history('search=on')).body.data.total).toBe(null);
  });

  test('filters by whole days, both inclusive, in the requested time zone', async () => {
    await chatOf(shop, 'first', '2026-05-01T00:00:00Z');
    await chatOf(shop, 'late', '2026-05-01T23:59:59.999Z');
    await chatOf(shop, 'next', '2026-05-02T00:00:00Z');
    expect(await texts('startDate=2026-05-01&endDate=2026-05-01')).toEqual(['late', 'first']);
    expect(await texts('startDate=2026-05-02')).toEqual(['next']);
    expect(await texts('endDate=2026-04-30')).toEqual([]);
    expect(await texts('startDate=2026-05-02&tz=Europe/Berlin')).toEqual(['next', 'late']);
    expect(await texts('endDate=2026-04-30&tz=America/New_York')).toEqual(['first']);
    expect(await texts('startDate=2026-05-03&endDate=2026-05-01')).toEqual([]);
  });

  test('has pages without gaps or duplicates, also for chats created at the same time', async () => {
    for (let i = 0; i < 5; i++) await chatOf(shop, `n${i}`, '2026-05-01T10:00:00Z');
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await history(`limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.chats.map((chat: HistoryRow) => chat.lastMessage));
      cursor = body.data.nextCursor;
    }
    expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
    expect((await history('cursor=x')).body.code).toBe('INVALID_CURSOR');
  });

  test.each([
    'status=open',
    'startDate=2026-02-30',
    'endDate=tomorrow',
    'startDate[$gt]=2026-01-01&startDate=1',
    'tz=Mars/Base',
    'limit=0',
    'supporter=a&supporter=b',
    `search=${'x'.repeat(201)}`,
  ])('refuses the query ?%s', async (query) => {
    expect((await history(query)).status).toBe(422);
  });

  test('uses an index with any filters', async ({ skip }) => {
    await needPlans(skip);
    const sites = await SiteModel.find().lean();
    const days = { startDate: '2026-05-01', endDate: '2026-05-03' };
    const supporter = owner.user._id;
    for (const filters of [{}, days, { status: 'closed' as const }, { supporter }, { supporter, ...days }]) {
      const plan = await ChatModel.find(await historyFilter(sites, filters))
        .sort({ createdAt: -1, _id: -1 })
        .limit(51)
        .explain('queryPlanner');
      expect(JSON.stringify(plan)).toContain('IXSCAN');
      expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
    }
    const claimer = { site: new Types.ObjectId(shop._id), bot: false, claimedBy: { $gt: new Types.ObjectId() } };
    const plan = await ChatModel.find(claimer).sort({ claimedBy: 1 }).limit(1).explain('queryPlanner');
    expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
  });
});

describe('supporters', () => {
  const names = async (query = '', { token } = owner) =>
    (await server.api(`GET /chats/supporters${query}`, { token })).body.data.supporters.map(
      ({ name }: { name: string }) => name,
    );

  test('are all people who have claimed chats, each once, also former members', async () => {
    for (const claimer of [owner, ben, owner]) await chatOf(shop, 'x', '2026-05-01T10:00:00Z', 0, claimer);
    const cleo = await signUp(server.api, 'Cleo Former');
    const chat = await chatOf(blog, 'x', '2026-05-01T10:00:00Z');
    await ChatModel.updateOne({ _id: chat }, { $set: { claimedBy: new Types.ObjectId(cleo.user._id) } });
    expect(await names()).toEqual(['Ana Ruiz', 'Ben Okafor', 'Cleo Former']);
    expect(await names(`?siteId=${shop._id}`)).toEqual(['Ana Ruiz', 'Ben Okafor']);
    expect(await names('', ben)).toEqual(['Ana Ruiz', 'Ben Okafor']);
    expect(await names('', cleo)).toEqual([]);
  });
});

describe('permissions', () => {
  test.each(['history', 'supporters'])('%s: a stranger gets the same answer as for an unknown site', async (call) => {
    const { token } = await signUp(server.api);
    const ask = (siteId: string) => server.api(`GET /chats/${call}?siteId=${siteId}`, { token });
    const [foreign, unknown, odd] = [await ask(shop._id), await ask('a'.repeat(24)), await ask('zzz')];
    expect([foreign.status, odd.status]).toEqual([404, 400]);
    expect(foreign.body).toEqual(unknown.body);
    expect((await server.api(`GET /chats/${call}`)).status).toBe(401);
  });
});

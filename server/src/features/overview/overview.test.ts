import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Chat, Overview, Site } from '../../../contract.ts';
import { addDays } from '../../platform/time/calendar.ts';
import { RemovalModel } from '../chats/lists/removals.ts';
import { ChatModel } from '../chats/model.ts';
import { countBatch, MARKED } from './count.ts';
import { ALL_TIME, BatchModel, FigureModel } from './model.ts';
import { figuresFilter } from './read.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Shop {
  owner: Account;
  site: Site;
}

async function newShop(): Promise<Shop> {
  const owner = await signUp(server.api);
  return { owner, site: await createSite(server.api, owner.token) };
}

async function overview({ owner }: Shop, query = ''): Promise<Overview> {
  return (await server.api(`GET /overview?${query}`, { token: owner.token })).body.data;
}

/** Waits until the figures say so. */
const shows = (shop: Shop, wanted: Partial<Overview>) =>
  until(async () => {
    const now = await overview(shop);
    return Object.entries(wanted).every(([name, value]) => now[name as keyof Overview] === value) && now;
  });

/** Adds chats of another time, and has them counted. */
async function past({ site }: Shop, chats: { ago: number; answeredAfter?: number }[]): Promise<void> {
  const docs = chats.map(({ ago, answeredAfter }) => {
    const createdAt = new Date(Date.now() - ago);
    const firstResponseAt = answeredAfter ? new Date(createdAt.getTime() + answeredAfter) : undefined;
    const visitorInfo = { name: null, email: null, userAgent: '', location: null };
    const times = { createdAt, firstResponseAt, lastActivity: createdAt, updatedAt: createdAt };
    const uncounted = new Types.ObjectId();
    return { site: site._id, visitor: new Types.ObjectId(), bot: false, visitorInfo, lastSeq: 1, ...times, uncounted };
  });
  await ChatModel.insertMany(docs);
  await countAll();
}

const countAll = async () => {
  while (await countBatch());
};

describe('the figures', () => {
  test('of a new site are zero, or null without data', async () => {
    const shop = await newShop();
    const empty = await overview(shop);
    const today = new Date().toISOString().slice(0, 10);
    expect(empty).toEqual({
      totalChats: 0,
      activeChats: 0,
      sites: 1,
      visitors: 0,
      growthPercent: null,
      avgResponseMinutes: null,
      avgResponseMinutesLastWeek: null,
      recent: [],
      perDay: Array.from({ length: 14 }, (_, i) => ({ day: addDays(today, i - 13), chats: 0, responseMinutes: null })),
    });
  });

  test('count chats, active chats and named visitors, with the five newest chats', async () => {
    const shop = await newShop();
    const chats: Chat[] = [];
    for (let i = 0; i < 6; i++) chats.push(await newChat(server.api, shop.site, shop.owner.token, `n${i}`));
    await say(server.api, shop.site, await visit(server.api, shop.site), 'without a name');
    await server.api(`POST /chats/${chats[0]?._id}/claim`, { token: shop.owner.token });
    // The row of a chat follows its first message, the figures follow both, each by itself.
    await until(async () => (await overview(shop)).recent[0]?.lastMessage === 'without a name');
    const now = await shows(shop, { totalChats: 7, activeChats: 1, visitors: 6 });
    expect(now.recent.map(({ lastMessage }) => lastMessage)).toEqual(['without a name', 'n5', 'n4', 'n3', 'n2']);
    expect(now.perDay.at(-1)?.chats).toBe(7);
    const { body } = await server.api('GET /sites', { token: shop.owner.token });
    expect(body.data.sites[0].stats).toEqual({ totalChats: 7, activeChats: 1 });
  });

  test('count a visitor once who gives their name later', async () => {
    const shop = await newShop();
    const session = await visit(server.api, shop.site);
    await say(server.api, shop.site, session, 'Hello');
    await shows(shop, { totalChats: 1, visitors: 0 });
    for (const name of ['Vera', 'Vera Lund'])
      await visit(server.api, shop.site, { visitorToken: session.visitorToken, visitor: { name } });
    await say(server.api, shop.site, session, 'It is me');
    await shows(shop, { totalChats: 1, visitors: 1 });
  });

  test('do not include chats of bots or deleted chats', async () => {
    const shop = await newShop();
    const machine = { 'User-Agent': 'curl/8.0' };
    const opened = await server.api(`POST /widget/${shop.site.widgetCode}/session`, { body: {}, headers: machine });
    await say(server.api, shop.site, opened.body.data, 'I look whether you are up');
    const chat = await newChat(server.api, shop.site, shop.owner.token);
    await newChat(server.api, shop.site, shop.owner.token);
    await server.api(`POST /chats/${chat._id}/messages`, { token: shop.owner.token, body: { content: 'Hello' } });
    await shows(shop, { totalChats: 2, visitors: 2 });
    await until(async () => (await overview(shop)).avgResponseMinutes !== null);
    await server.api(`DELETE /chats/${chat._id}`, { token: shop.owner.token });
    await shows(shop, { totalChats: 1, visitors: 1, avgResponseMinutes: null });
  });

  test('use the first answer of an agent as the response time', async () => {
    const shop = await newShop();
    const chat = await newChat(server.api, shop.site, shop.owner.token);
    const begun = new Date(Date.now() - 10 * MINUTE_MS);
    await ChatModel.updateOne({ _id: chat._id }, { $set: { createdAt: begun } });
    for (const content of ['One', 'Two'])
      await server.api(`POST /chats/${chat._id}/messages`, { token: shop.owner.token, body: { content } });
    const now = await until(async () => {
      const figures = await overview(shop);
      return figures.avgResponseMinutes !== null && figures;
    });
    expect(now.avgResponseMinutes).toBeGreaterThan(9);
    expect(now.avgResponseMinutes).toBeLessThan(11);
    expect(now.perDay.at(-1)?.responseMinutes).toBe(now.avgResponseMinutes);
    const figures = await FigureModel.find({ site: shop.site._id }).lean();
    expect(figures.flatMap(({ answered = {} }) => Object.values(answered).flatMap(Object.values))).toEqual([1]);
  });
});

describe('weeks and days', () => {
  test('the last seven days are compared with the seven before', async () => {
    const shop = await newShop();
    await past(shop, [
      ...[1, 2, 3].map((days) => ({ ago: days * DAY_MS, answeredAfter: 4 * MINUTE_MS })),
      ...[8, 9].map((days) => ({ ago: days * DAY_MS, answeredAfter: 30 * MINUTE_MS })),
      { ago: 15 * DAY_MS, answeredAfter: 500 * MINUTE_MS },
    ]);
    const now = await overview(shop);
    expect(now.growthPercent).toBe(50);
    expect(now.avgResponseMinutes).toBeGreaterThan(3.6);
    expect(now.avgResponseMinutes).toBeLessThan(4.4);
    expect(now.avgResponseMinutesLastWeek).toBeGreaterThan(27);
    expect(now.avgResponseMinutesLastWeek).toBeLessThan(33);
    expect(now.perDay.reduce((sum, { chats }) => sum + chats, 0)).toBe(5);
    expect(now.totalChats).toBe(6);
  });

  test('chats are counted on the days of the requested time zone', async () => {
    const shop = await newShop();
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const evening = Date.parse(`${yesterday}T20:00:00Z`);
    await past(shop, [{ ago: Date.now() - evening }]);
    const dayOf = async (tz: string) => (await overview(shop, `tz=${tz}`)).perDay.find(({ chats }) => chats > 0)?.day;
    expect(await dayOf('UTC')).toBe(yesterday);
    expect(await dayOf('Asia/Tokyo')).toBe(addDays(yesterday, 1));
    expect(await dayOf('Asia/Kolkata')).toBe(addDays(yesterday, 1));
    expect(await dayOf('America/Los_Angeles')).toBe(yesterday);
  });
});

test('one site can be requested, and a member only sees sites of their teams', async () => {
  const shop = await newShop();
  const other = await createSite(server.api, shop.owner.token, 'Other');
  await newChat(server.api, shop.site, shop.owner.token);
  await shows(shop, { totalChats: 1, sites: 2 });
  expect(await overview(shop, `siteId=${other._id}`)).toMatchObject({ totalChats: 0, sites: 1, recent: [] });
  const ben = await signUp(server.api, 'Ben');
  await join(other, ben, 'viewer');
  expect(await overview({ owner: ben, site: other })).toMatchObject({ totalChats: 0, sites: 1, recent: [] });
});

test.each(['tz=Mars', 'tz=a&tz=b'])('the query ?%s is refused', async (query) => {
  const { token } = await signUp(server.api);
  expect((await server.api(`GET /overview?${query}`, { token })).status).toBe(422);
});

test('a stranger gets the same answer as for an unknown site', async () => {
  const { site } = await newShop();
  const { token } = await signUp(server.api);
  const ask = (siteId: string) => server.api(`GET /overview?siteId=${siteId}`, { token });
  const [foreign, unknown, odd] = [await ask(site._id), await ask('a'.repeat(24)), await ask('zzz')];
  expect([foreign.status, odd.status]).toEqual([404, 400]);
  expect(foreign.body).toEqual(unknown.body);
  expect((await server.api('GET /overview')).status).toBe(401);
});

test('missing figures are counted again from the chats', async () => {
  const shop = await newShop();
  const chat = await newChat(server.api, shop.site, shop.owner.token);
  await newChat(server.api, shop.site, shop.owner.token);
  await server.api(`POST /chats/${chat._id}/messages`, { token: shop.owner.token, body: { content: 'Hello' } });
  await shows(shop, { totalChats: 2, visitors: 2 });
  await until(async () => (await overview(shop)).avgResponseMinutes !== null);
  const before = await overview(shop);

  await BatchModel.deleteMany({});
  // Two nodes that both find them missing.
  await Promise.all([countAll(), countAll()]);
  expect(await overview(shop)).toEqual(before);
});

test('a deleted site leaves no figures', async () => {
  const shop = await newShop();
  await newChat(server.api, shop.site, shop.owner.token);
  await shows(shop, { totalChats: 1 });
  await server.api(`DELETE /sites/${shop.site._id}`, { token: shop.owner.token });
  await until(async () => (await FigureModel.countDocuments({ site: shop.site._id })) === 0);
});

test('every figure and the chats to count are read by index', async () => {
  const sites = [new Types.ObjectId(), new Types.ObjectId()];
  for (const filter of [figuresFilter(sites, Date.now()), { site: { $in: sites }, day: ALL_TIME }]) {
    const plan = JSON.stringify(await FigureModel.find(filter).explain('queryPlanner'));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
  }
  for (const marked of [ChatModel.find(MARKED), RemovalModel.find(MARKED)])
    expect(JSON.stringify(await marked.explain('queryPlanner'))).not.toContain('COLLSCAN');
});

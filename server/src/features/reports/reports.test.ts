import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { AgentReport, Report, Site } from '../../../contract.ts';
import { addDays } from '../../platform/time/calendar.ts';
import { UserModel } from '../auth/model.ts';
import { ChatModel } from '../chats/model.ts';
import { countBatch } from '../overview/count.ts';
import { SiteModel } from '../sites/model.ts';
import { readReport } from './read.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let server: TestServer;
let owner: Account;
let ben: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Ana Lind');
  ben = await signUp(server.api, '=Ben');
  site = await createSite(server.api, owner.token);
  await join(site, ben, 'agent');
});
afterAll(() => server.stop());

async function report({ token }: Account, query: object = {}): Promise<Report> {
  return (await server.api(`GET /reports?${new URLSearchParams({ ...query })}`, { token })).body.data;
}

/** The file's lines, without the mark of its encoding. */
async function exported({ token }: Account, query = ''): Promise<string[]> {
  const answer = await fetch(`${server.url}/api/reports/export?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.headers.get('content-type')).toContain('text/csv');
  return (await answer.text()).trim().split('\r\n');
}

interface PastChat {
  /** When it began. */
  at: number;
  by?: Account;
  answeredAfter?: number;
  closedAfter?: number;
  score?: number;
}

/** Adds chats of another time, and has them counted. */
async function past(chats: PastChat[], of = site): Promise<void> {
  const docs = chats.map(({ at, by, answeredAfter, closedAfter, score }) => {
    const createdAt = new Date(at);
    const agent = by ? new Types.ObjectId(by.user._id) : null;
    return {
      site: of._id,
      visitor: new Types.ObjectId(),
      bot: false,
      visitorInfo: { name: null, email: null, userAgent: '', location: null },
      lastSeq: 1,
      createdAt,
      lastActivity: createdAt,
      updatedAt: createdAt,
      claimedBy: agent,
      status: closedAfter === undefined ? 'waiting' : 'closed',
      ...(answeredAfter && { firstResponseAt: new Date(at + answeredAfter), firstResponseBy: agent }),
      ...(closedAfter && { closedAt: new Date(at + closedAfter) }),
      ...(score && { rating: { score, comment: null }, ratedAt: new Date(at + (closedAfter ?? 0)) }),
      uncounted: new Types.ObjectId(),
    };
  });
  await ChatModel.insertMany(docs);
  while (await countBatch());
}

/** A chat over HTTP, which the account answers and closes, and the visitor rates. */
async function serve({ token }: Account, score: number): Promise<string> {
  const session = await visit(server.api, site);
  const chatId = await say(server.api, site, session, 'Hello');
  await server.api(`POST /chats/${chatId}/messages`, { token, body: { content: 'Hi' } });
  await server.api(`POST /chats/${chatId}/close`, { token });
  const rating = { token: session.visitorToken, body: { chatId, score } };
  expect((await server.api(`POST /widget/${site.widgetCode}/rating`, rating)).status).toBe(200);
  return chatId;
}

const namesOf = ({ agents }: Report) => agents.map(({ agent }) => agent?.name ?? null);
const rowOf = ({ agents }: Report, { user }: Account): AgentReport | undefined =>
  agents.find(({ agent }) => agent?._id === user._id);

test('the report of a new site is empty', async () => {
  const { perDay, ...rest } = await report(owner);
  const none = { stars: [0, 0, 0, 0, 0], rating: null, suggestionsUsed: null };
  expect(rest).toEqual({ ...none, perHour: Array(24).fill(0), agents: [], departments: [] });
  expect(perDay).toHaveLength(30);
  expect(perDay.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), ratings: 0, rating: null });
});

test('chats that were answered, closed and rated count for the site and for their agents', async () => {
  await serve(owner, 5);
  await serve(ben, 4);
  await serve(ben, 1);
  const now = await until(async () => {
    const figures = await report(owner);
    const answered = [ben, owner].map((agent) => rowOf(figures, agent)?.answered);
    return figures.stars.join() === '1,0,0,1,1' && answered.join() === '2,1' && figures;
  });
  expect(now.rating).toBe(3.33);
  expect(now.perDay.at(-1)).toMatchObject({ ratings: 3, rating: 3.33 });
  expect(now.perHour.reduce((sum, chats) => sum + chats, 0)).toBe(3);
  expect(rowOf(now, ben)).toMatchObject({ agent: { name: '=Ben' }, answered: 2, resolved: 2, ratings: 2, rating: 2.5 });
  expect(rowOf(now, owner)).toMatchObject({ answered: 1, resolved: 1, ratings: 1, rating: 5 });
});

test('a reopening takes neither resolution nor stars from who closed the chat before', async () => {
  const chatId = await serve(owner, 5);
  const as = (call: string, body?: object) => server.api(`POST /chats/${chatId}/${call}`, { token: ben.token, body });
  const figuresOf = async () => {
    const figures = await report(owner);
    const of = (agent: Account) => {
      const row = rowOf(figures, agent);
      return [row?.resolved ?? 0, row?.ratings ?? 0, row?.rating ?? null].join();
    };
    return [of(owner), of(ben)];
  };
  await until(async () => (await figuresOf()).join(' ') === '1,1,5 0,0,');
  await as('reopen');
  await until(async () => (await ChatModel.exists({ _id: chatId, uncounted: { $exists: true } })) === null);
  expect(await figuresOf()).toEqual(['1,1,5', '0,0,']);
  await as('messages', { content: 'One more thing' });
  await as('close');
  await until(async () => (await figuresOf()).join(' ') === '1,1,5 1,0,');
  const { visitor } = await ChatModel.findById(chatId).orFail().lean();
  // Rated again, now for the second turn.
  await ChatModel.updateOne(
    { _id: chatId, visitor },
    { $set: { rating: { score: 2, comment: null }, ratedAt: new Date(), uncounted: new Types.ObjectId() } },
  );
  while (await countBatch());
  expect(await figuresOf()).toEqual(['1,1,5', '1,1,2']);
  const [first, second] = (await ChatModel.findById(chatId).orFail().lean()).turns ?? [];
  expect([first?.agent?.toHexString(), first?.score, second]).toEqual([owner.user._id, 5, undefined]);
});

test('a rating that comes while the chat is reopened is kept in the turn that it is for', async () => {
  const chatId = await serve(owner, 3);
  const chat = await ChatModel.findById(chatId).orFail().lean();
  const rated = { $set: { 'rating.score': 4, ratedAt: new Date() }, $inc: { rev: 1 } };
  await Promise.all([
    server.api(`POST /chats/${chatId}/reopen`, { token: ben.token }),
    ...[1, 2, 3].map(() => ChatModel.updateOne({ _id: chat._id, status: 'closed' }, rated)),
  ]);
  const { turns, rating } = await ChatModel.findById(chatId).orFail().lean();
  expect(turns?.map(({ score }) => score)).toEqual([rating?.score]);
});

test('medians are those of the agent, and the file has the same numbers', async () => {
  const at = Date.now() - DAY_MS;
  await past([
    ...[2, 4, 60].map((answer) => ({
      at,
      by: ben,
      answeredAfter: answer * MINUTE_MS,
      closedAfter: 10 * answer * MINUTE_MS,
    })),
    { at, by: owner, answeredAfter: 30 * MINUTE_MS },
    { at, closedAfter: MINUTE_MS, score: 3 },
  ]);
  const now = await report(owner);
  expect(now.agents.map(({ agent, answered, resolved, rating }) => [agent?.name, answered, resolved, rating])).toEqual([
    ['=Ben', 3, 3, null],
    ['Ana Lind', 1, 0, null],
    [undefined, 0, 1, 3],
  ]);
  const its = rowOf(now, ben);
  expect(Math.abs((its?.responseMinutes ?? 0) - 4)).toBeLessThan(0.5);
  expect(Math.abs((its?.resolutionMinutes ?? 0) - 40)).toBeLessThan(4);
  expect(rowOf(now, owner)).toMatchObject({ resolutionMinutes: null, ratings: 0 });
  expect(await exported(owner)).toEqual([
    expect.stringContaining('"Agent","Chats answered"'),
    // A spreadsheet would run the name as a formula.
    `"'=Ben","3","${its?.responseMinutes}","3","${its?.resolutionMinutes}","0",""`,
    `"Ana Lind","1","${rowOf(now, owner)?.responseMinutes}","0","","0",""`,
    expect.stringMatching(/^"Nobody","0","","1","[\d.]+","1","3"$/),
  ]);
});

test('days and hours are those of the requested time zone', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const at = Date.parse(`${addDays(today, -1)}T22:10:00Z`);
  await past([{ at, by: ben, closedAfter: MINUTE_MS, score: 4 }]);
  const seen = async (query: object) => {
    const { perDay, perHour, agents } = await report(owner, query);
    return [perDay.find(({ ratings }) => ratings > 0)?.day, perHour.indexOf(1), agents.length];
  };
  expect(await seen({ tz: 'UTC' })).toEqual([addDays(today, -1), 22, 1]);
  expect(await seen({ tz: 'Asia/Kolkata' })).toEqual([today, 3, 1]);
  expect(await seen({ days: 1, tz: 'UTC' })).toEqual([undefined, -1, 0]);
  // 5:45 ahead: 3:55 there.
  expect(await seen({ tz: 'Asia/Kathmandu' })).toEqual([today, 3, 1]);
  expect(await seen({ days: 90, tz: 'UTC' })).toEqual([addDays(today, -1), 22, 1]);
});

test('a day on which the clocks change has its hours', async () => {
  const hours = ['00:30', '01:30', '02:30'].map((time) => Date.parse(`2025-10-26T${time}:00Z`));
  await past(hours.map((at) => ({ at })));
  const doc = await SiteModel.findById(site._id).orFail().lean();
  const user = await UserModel.findById(doc.owner).orFail().lean();
  const ask = { caller: { user }, now: Date.parse('2025-10-27T12:00:00Z'), days: 2, tz: 'Europe/Berlin' };
  const { perHour, perDay } = await readReport([doc], ask);
  expect(perDay.map(({ day }) => day)).toEqual(['2025-10-26', '2025-10-27']);
  // Twice half past two.
  expect(perHour.slice(0, 5)).toEqual([0, 0, 2, 1, 0]);
});

describe('the figures of agents', () => {
  test('are shown whole to owners and admins, and to agents and viewers their own only', async () => {
    const [eve, vic, stranger] = [
      await signUp(server.api, 'Eve'),
      await signUp(server.api, 'Vic'),
      await signUp(server.api),
    ];
    await join(site, eve, 'admin');
    await join(site, vic, 'viewer');
    // Ben administers another site, where the owner is an agent.
    const other = await createSite(server.api, ben.token, 'Other');
    await join(other, owner, 'agent');
    const chat = { at: Date.now() - DAY_MS, answeredAfter: MINUTE_MS, closedAfter: 2 * MINUTE_MS, score: 5 };
    await past([
      { ...chat, by: owner },
      { ...chat, by: ben },
    ]);
    await past([{ ...chat, by: ben }], other);
    await past([{ ...chat, by: owner }], other);

    expect(namesOf(await report(eve)).sort()).toEqual(['=Ben', 'Ana Lind']);
    expect(namesOf(await report(vic))).toEqual([]);
    expect((await report(vic)).stars).toEqual([0, 0, 0, 0, 2]);
    expect(await exported(vic)).toHaveLength(1);
    expect(namesOf(await report(ben, { siteId: site._id }))).toEqual(['=Ben']);
    expect(namesOf(await report(ben, { siteId: other._id })).sort()).toEqual(['=Ben', 'Ana Lind']);
    // Of all sites: whole where the caller is an admin, own elsewhere.
    const all = await report(owner);
    expect([rowOf(all, owner)?.answered, rowOf(all, ben)?.answered]).toEqual([2, 1]);

    const refused = async (siteId: string) =>
      (await server.api(`GET /reports?siteId=${siteId}`, { token: stranger.token })).body;
    expect(await refused(site._id)).toEqual(await refused('a'.repeat(24)));
    expect((await refused(site._id)).code).toBe('SITE_NOT_FOUND');
  });

  test('stay when the account is deleted, without its name', async () => {
    await serve(ben, 4);
    await until(async () => (await report(owner)).rating === 4);
    const leave = { token: ben.token, body: { currentPassword: ben.password } };
    expect((await server.api('DELETE /auth/account', leave)).status).toBe(200);
    const row = await until(async () => {
      const its = rowOf(await report(owner), ben);
      return its?.agent?.name === null && its;
    });
    expect(row).toMatchObject({ answered: 1, resolved: 1, ratings: 1, rating: 4 });
    expect((await exported(owner))[1]).toMatch(/^"Deleted account","1",/);
  });
});

test.each(['department=x', 'tz=Mars', 'days=0', 'days=91', 'days=x'])('the query ?%s is refused', async (query) => {
  for (const call of ['/reports', '/reports/export'])
    expect((await server.api(`GET ${call}?${query}`, { token: owner.token })).status).toBe(422);
});

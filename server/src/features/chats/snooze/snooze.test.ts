import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { startNode } from '#test/nodes';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Note, Site, VisitorSession } from '../../../../contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/time/time.ts';
import { closeIdleChats } from '../maintenance.ts';
import { ChatModel } from '../model.ts';
import { rebuild } from '../row/rebuild.ts';
import { SNOOZED_MAX } from './contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;
/** How far the clock of the server is ahead. */
let ahead = 0;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const as = (call: string, body?: object, { token } = owner) => server.api(call, { token, body });
const chatNow = async (id: string): Promise<Chat> => (await as(`GET /chats/${id}`)).body.data.chat;
const listed = async (query: string): Promise<string[]> =>
  (await as(`GET /chats?${query}`)).body.data.chats.map(({ _id }: Chat) => _id);
const counts = async () => (await as('GET /inbox/counts')).body.data.counts;
const timeIn = (ms: number) => new Date(Date.now() + ahead + ms).toISOString();
const snooze = (id: string, ms = HOUR_MS) => as(`PUT /chats/${id}/snooze`, { until: timeIn(ms) });
const isBack = (id: string) => until(async () => (await chatNow(id)).snoozedUntil === undefined);
function pass(ms: number): void {
  ahead += ms;
  server.advance(ms);
}
/** A chat of a visitor, which staff have read. */
async function readChat(): Promise<{ id: string; session: VisitorSession }> {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const id = await say(server.api, site, session, 'Call me back on Monday');
  await until(async () => (await chatNow(id)).lastSeq === 1);
  await as(`POST /chats/${id}/read`, { seq: 1 });
  return { id, session };
}

describe('a snoozed chat', () => {
  test('leaves the lists of open chats for one of its own, and comes back at its time: unread, on top, and announced', async () => {
    const { id, session } = await readChat();
    const dashboard = await connectStaff(server.url, owner.token);
    const visitor = await connectVisitor(server.url, session.visitorToken);
    const until9 = timeIn(HOUR_MS);
    const { body } = await as(`PUT /chats/${id}/snooze`, { until: until9 });
    expect(body.data.chat).toMatchObject({ _id: id, status: 'waiting', snoozedUntil: until9 });
    const other = await newChat(server.api, site, owner.token);
    expect(await listed('status=waiting')).toEqual([other._id]);
    expect(await listed('status=waiting&claimedBy=none&sort=waiting')).toEqual([other._id]);
    expect(await listed('status=snoozed')).toEqual([id]);
    expect(await listed('status=snoozed&claimedBy=me')).toEqual([]);
    expect(await listed('status=all')).toEqual([other._id, id]);
    await until(async () => (await counts()).snoozed === 1);
    expect(await counts()).toEqual({ waiting: 1, active: 0, snoozed: 1, assistant: 0, unread: 1 });
    await until(async () => dashboard.heard('chat_updated').some(({ chat }) => chat.snoozedUntil === until9));
    const [note] = (await as(`GET /chats/${id}/notes`)).body.data.notes as Note[];
    expect(note).toMatchObject({ event: 'snoozed', content: 'Olga Owner snoozed this chat', until: until9 });

    pass(HOUR_MS);
    await isBack(id);
    expect(await chatNow(id)).toMatchObject({ unread: 1, status: 'waiting' });
    await until(async () => dashboard.heard('chat_woken').length > 0);
    expect(dashboard.heard('chat_woken').map(({ chat }) => chat._id)).toEqual([id]);
    expect(await listed('status=waiting')).toEqual([id, other._id]);
    // A rebuilt row stays where it is.
    await rebuild(new Types.ObjectId(id), {});
    expect(await listed('unread=yes')).toEqual([id, other._id]);
    expect(visitor.heard('new_message')).toEqual([]);
    expect(JSON.stringify((await as(`GET /chats/${id}/messages`)).body)).not.toContain('snooze');
  });

  test('comes back at once when its visitor writes, also if the row was behind, when it is closed, and when somebody asks', async () => {
    const { id, session } = await readChat();
    await snooze(id);
    await say(server.api, site, session, 'I am here already');
    await isBack(id);
    expect(await chatNow(id)).toMatchObject({ unread: 1 });

    await snooze(id);
    expect(await rebuild(new Types.ObjectId(id), {})).toMatchObject({ snoozedUntil: expect.any(Date) });
    // As if a crash had come before the visitor's message was in the row.
    await ChatModel.updateOne({ _id: id }, { $set: { lastSeq: 1 } });
    expect((await rebuild(new Types.ObjectId(id), {}))?.snoozedUntil).toBeUndefined();

    await snooze(id);
    const back = await as(`DELETE /chats/${id}/snooze`);
    expect(back.body.data.chat.snoozedUntil).toBeUndefined();
    expect((await as(`DELETE /chats/${id}/snooze`)).body.data.chat).toEqual(back.body.data.chat);
    const notes = (await as(`GET /chats/${id}/notes`)).body.data.notes as Note[];
    expect(notes.map(({ event }) => event)).toEqual(['snoozed', 'snoozed', 'snoozed', 'unsnoozed']);

    await snooze(id);
    await as(`POST /chats/${id}/close`);
    expect(await chatNow(id)).toMatchObject({ status: 'closed' });
    await isBack(id);
    expect((await snooze(id)).body.code).toBe('CHAT_CLOSED');
    expect((await as(`DELETE /chats/${id}/snooze`)).body.code).toBe('CHAT_CLOSED');
  });

  test('can be given another time; the same one changes nothing', async () => {
    const { id } = await readChat();
    const call = { until: timeIn(HOUR_MS) };
    const first = await as(`PUT /chats/${id}/snooze`, call);
    expect((await as(`PUT /chats/${id}/snooze`, call)).body.data.chat).toEqual(first.body.data.chat);
    await snooze(id, 2 * HOUR_MS);
    pass(HOUR_MS + MINUTE_MS);
    const second = await readChat();
    await snooze(second.id, MINUTE_MS);
    pass(MINUTE_MS);
    await isBack(second.id);
    expect((await chatNow(id)).snoozedUntil).toBeDefined();
    pass(HOUR_MS);
    await isBack(id);
  });

  test('is neither closed as idle nor assigned; when it is back, it is assigned, and its idle time begins anew', async () => {
    const { id } = await readChat();
    await snooze(id, 8 * HOUR_MS);
    await as(`PATCH /sites/${site._id}`, { settings: { autoAssign: true, autoCloseHours: 5 } });
    const ben = await signUp(server.api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const dashboard = await connectStaff(server.url, ben.token);
    const { signal } = new AbortController();
    await closeIdleChats(Date.now() + ahead + 6 * HOUR_MS, signal);
    const other = await newChat(server.api, site, owner.token);
    await until(async () => dashboard.heard('chat_claimed').some(({ chatId }) => chatId === other._id));
    expect(await chatNow(id)).toMatchObject({ status: 'waiting', claimedBy: null });
    pass(8 * HOUR_MS);
    await until(async () => dashboard.heard('chat_claimed').some(({ chatId }) => chatId === id));
    await closeIdleChats(Date.now() + ahead + HOUR_MS, signal);
    expect((await chatNow(id)).status).toBe('active');
  });

  test('comes back after a restart of a server that was stopped at its time', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-snooze-'));
    const before = await startNode({ dataDir, mongodbUri: null });
    const { token } = await signUp(before.api);
    const { _id } = await newChat(before.api, await createSite(before.api, token), token);
    const body = { until: new Date(Date.now() + HOUR_MS).toISOString() };
    expect((await before.api(`PUT /chats/${_id}/snooze`, { token, body })).status).toBe(200);
    await before.stop();
    const after = await startNode({ dataDir, mongodbUri: null });
    const snoozed = async () => (await after.api(`GET /chats/${_id}`, { token })).body.data.chat.snoozedUntil;
    expect(await snoozed()).toBe(body.until);
    await after.advance(HOUR_MS);
    await until(async () => (await snoozed()) === undefined);
    await after.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('a time is refused', () => {
  test.each([
    ['that is past', () => timeIn(-MINUTE_MS), /future/],
    ['of more than a year', () => timeIn(367 * DAY_MS), /year/],
    ['without a time zone', () => '2030-01-01T09:00:00', /ISO 8601/],
    ['that is no time', () => '2030-13-41T09:00:00Z', /ISO 8601/],
    ['of another type', () => 1_900_000_000_000, /ISO 8601/],
    ['in a list', () => [timeIn(HOUR_MS)], /ISO 8601/],
    ['that is missing', () => undefined, /ISO 8601/],
  ])('%s', async (_, at, why) => {
    const { _id } = await newChat(server.api, site, owner.token);
    const { status, body } = await as(`PUT /chats/${_id}/snooze`, { until: at() });
    expect([status, body.errors[0].path]).toEqual([422, 'until']);
    expect(body.message).toMatch(why);
  });

  test('for more chats than a site may have snoozed', async () => {
    const at = new Date();
    const rows = Array.from({ length: SNOOZED_MAX }, () => ({
      site: site._id,
      visitor: new Types.ObjectId(),
      bot: false,
      open: true,
      lastSeq: 1,
      snoozedUntil: new Date(Date.now() + ahead + DAY_MS),
      createdAt: at,
      lastActivity: at,
      updatedAt: at,
    }));
    await ChatModel.insertMany(rows);
    const { _id } = await newChat(server.api, site, owner.token);
    expect((await snooze(_id)).body.code).toBe('SNOOZE_LIMIT_REACHED');
    expect((await counts()).snoozed).toBe(100);
  });
});

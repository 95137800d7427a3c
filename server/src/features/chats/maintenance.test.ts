import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Site } from '../../../contract.ts';
import { queueIdle } from '../../platform/work/keyedQueue.ts';
import { SiteModel } from '../sites/model.ts';
import { VisitorModel } from '../visitors/model.ts';
import { eraseVisitor, sweepErased } from '../visitors/people/people.ts';
import { RemovalModel } from './lists/removals.ts';
import { closeIdleChats, sweepRemovals } from './maintenance.ts';
import { MessageModel } from './messageModel.ts';
import { startChat } from './messages/sending.ts';
import { ChatModel } from './model.ts';
import { NoteModel } from './notes/noteModel.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { signal } = new AbortController();

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const settings = (part: object) => as(`PATCH /sites/${site._id}`, { settings: part });
const chatNow = async ({ _id }: Chat): Promise<Chat> => (await as(`GET /chats/${_id}`)).body.data.chat;
const waiting = () => newChat(server.api, site, owner.token);
const closed = async () => {
  const chat = await waiting();
  await as(`POST /chats/${chat._id}/close`);
  return chat;
};
const leftOf = async ({ _id }: Pick<Chat, '_id'>) => ({
  chat: await ChatModel.countDocuments({ _id }),
  messages: await MessageModel.countDocuments({ chat: _id }),
  notes: await NoteModel.countDocuments({ chat: _id }),
});
const nothing = { chat: 0, messages: 0, notes: 0 };
/** The closing message stays for an hour. */
const onlyTheMark = { ...nothing, messages: 1 };

describe('closing idle chats', () => {
  test("happens after the site's hours, with a system message", async () => {
    await settings({ autoCloseHours: 5 });
    const chat = await waiting();
    await closeIdleChats(Date.now() + 4 * HOUR_MS, signal);
    expect((await chatNow(chat)).status).toBe('waiting');
    const ear = await connectStaff(server.url, owner.token);
    await closeIdleChats(Date.now() + 6 * HOUR_MS, signal);
    const { status, messages } = await chatNow(chat);
    expect([status, messages.map(({ event }) => event)]).toEqual(['closed', [null, 'closed']]);
    await until(async () => ear.heard('chat_closed').length > 0);
    expect(ear.heard('chat_closed')).toEqual([{ chatId: chat._id, closedBy: null }]);
    await closeIdleChats(Date.now() + 600 * HOUR_MS, signal);
    expect((await chatNow(chat)).messages).toHaveLength(2);
  });

  test('uses the time of the messages when the chat document is behind', async () => {
    await settings({ autoCloseHours: 5 });
    const chat = await waiting();
    await ChatModel.updateOne({ _id: chat._id }, { $set: { lastActivity: new Date(0) } });
    await closeIdleChats(Date.now(), signal);
    expect((await chatNow(chat)).status).toBe('waiting');
    expect(new Date((await chatNow(chat)).metadata.lastActivity).getTime()).toBeGreaterThan(0);
  });

  test('never happens when the site has switched it off', async () => {
    await settings({ autoCloseHours: 0 });
    const chat = await waiting();
    await closeIdleChats(Date.now() + 1000 * DAY_MS, signal);
    expect((await chatNow(chat)).status).toBe('waiting');
  });

  test('also closes chats of bots, without events', async () => {
    await settings({ autoCloseHours: 5 });
    const headers = { 'User-Agent': 'Googlebot/2.1' };
    const { body } = await server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers });
    const chatId = await say(server.api, site, body.data, 'I index you');
    const [ear, bot] = [
      await connectStaff(server.url, owner.token),
      await connectVisitor(server.url, body.data.visitorToken),
    ];
    await closeIdleChats(Date.now() + 6 * HOUR_MS, signal);
    expect((await ChatModel.findById(chatId).orFail().lean()).status).toBe('closed');
    await as(`DELETE /chats/${chatId}`);
    await until(async () => bot.heard('chat_deleted').length > 0);
    const { removed } = await ear.ask('sync', { chats: [] });
    expect(removed).toEqual([]);
    const events = ['chat_closed', 'chat_status_changed', 'chat_updated', 'new_message', 'chat_deleted'];
    expect(events.flatMap((event) => ear.heard(event))).toEqual([]);
  });

  test('also closes a chat whose first message was never stored, without events', async () => {
    await settings({ autoCloseHours: 5 });
    const ear = await connectStaff(server.url, owner.token);
    const { visitorToken } = await visit(server.api, site);
    const vera = await VisitorModel.findOne({ site: site._id }).orFail().lean();
    const empty = await startChat(vera);
    // Said once more, it would go into this very chat; a name given meanwhile tells nobody of it.
    await visit(server.api, site, { visitorToken, visitor: { name: 'Vera' } });
    for (const call of ['/chats', '/chats?sort=waiting', '/chats/history', `/visitors/${vera._id}/chats`]) {
      const { body } = await as(`GET ${call}`);
      expect([call, body.data?.chats ?? []]).toEqual([call, []]);
    }
    expect((await ear.ask('sync', { chats: [] })).changed).toEqual([]);
    await closeIdleChats(Date.now() + 6 * HOUR_MS, signal);
    await queueIdle();
    expect(await leftOf({ _id: String(empty._id) })).toEqual(onlyTheMark);
    const chat = await waiting();
    await until(async () => ear.heard('new_chat').length > 0);
    expect(ear.heard('new_chat').map((told) => told.chat._id)).toEqual([chat._id]);
    const events = ['new_message', 'chat_updated', 'chat_closed', 'chat_deleted'];
    expect(events.flatMap((event) => ear.heard(event).filter(({ chatId }) => chatId === String(empty._id)))).toEqual(
      [],
    );
    await until(async () => (await as('GET /overview')).body.data.totalChats === 1);
  });

  test('closes any number of chats, and stops on request', async () => {
    await settings({ autoCloseHours: 5 });
    const fields = { site: site._id, bot: false, status: 'waiting', open: true, lastSeq: 1 };
    const at = new Date();
    const many = await ChatModel.insertMany(
      Array.from({ length: 230 }, (_, i) => ({
        ...fields,
        visitor: `${i}`.padStart(24, 'c'),
        createdAt: at,
        lastActivity: at,
        updatedAt: at,
      })),
    );
    await MessageModel.insertMany(
      many.map(({ _id: chat }) => ({
        chat,
        site: site._id,
        seq: 1,
        senderKey: `v:${chat}`,
        clientId: 'first',
        sender: 'visitor',
        content: 'Hello',
        createdAt: at,
      })),
    );
    const open = () => ChatModel.countDocuments({ site: site._id, open: true });
    await closeIdleChats(Date.now() + 6 * HOUR_MS, AbortSignal.abort());
    expect(await open()).toBe(230);
    await closeIdleChats(Date.now() + 6 * HOUR_MS, signal);
    expect(await open()).toBe(0);
  });
});

describe('deleting a chat', () => {
  test('removes all its data, closes it for the visitor and notifies everybody', async () => {
    const session = await visit(server.api, site);
    const [vera, ear] = [
      await connectVisitor(server.url, session.visitorToken),
      await connectStaff(server.url, owner.token),
    ];
    const chatId = await say(server.api, site, session, 'Hello');
    await as(`POST /chats/${chatId}/notes`, { content: 'x' });
    const { cursor } = await ear.ask('sync', { chats: [] });
    expect((await as(`DELETE /chats/${chatId}`)).status).toBe(200);
    expect(await leftOf({ _id: chatId })).toEqual(onlyTheMark);
    expect((await as(`DELETE /chats/${chatId}`)).status).toBe(404);
    await until(async () => vera.heard('chat_deleted').length > 0);
    expect([vera.heard('chat_closed'), vera.heard('chat_deleted')]).toEqual([[{ chatId }], [{ chatId }]]);
    await until(async () => ear.heard('chat_deleted').length > 0);
    const missed = await ear.ask('sync', { cursor, chats: [{ chatId, afterSeq: 0 }] });
    expect(missed).toMatchObject({ reset: false, removed: [chatId], chats: [] });
    expect(missed.changed.map(({ _id }: Chat) => _id)).not.toContain(chatId);
    const next = await vera.ask('send_message', { clientId: randomUUID(), content: 'Anybody?' });
    expect(next.chat._id).not.toBe(chatId);
  });

  test('keeps a concurrent message in a new chat', async () => {
    for (let i = 0; i < 5; i++) {
      const session = await visit(server.api, site);
      const chatId = await say(server.api, site, session, 'Hello');
      const [living] = await Promise.all([say(server.api, site, session, 'Wait'), as(`DELETE /chats/${chatId}`)]);
      if (living === chatId) expect(await leftOf({ _id: chatId })).toEqual(onlyTheMark);
      else expect((await as(`GET /chats/${living}`)).body.data.chat.messages.at(-1).content).toBe('Wait');
    }
  });

  test('is completed by the next sweep after a crash, and its tombstone is removed an hour later', async () => {
    const chat = await closed();
    await as(`POST /chats/${chat._id}/notes`, { content: 'x' });
    await RemovalModel.create({ _id: chat._id, site: site._id, bot: false, at: new Date(), pending: true });
    await sweepRemovals(Date.now(), signal);
    expect(await leftOf(chat)).toEqual(onlyTheMark);
    await sweepRemovals(Date.now() + 2 * HOUR_MS, signal);
    expect(await leftOf(chat)).toEqual(nothing);
    expect(await RemovalModel.countDocuments({ _id: chat._id, pending: true })).toBe(0);
  });
});

test('an erased visitor is deleted completely, with a chat that was stored too late', async () => {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const chatId = await say(server.api, site, session, 'Hello');
  const visitor = await VisitorModel.findById(session.visitor._id).orFail().lean();
  const kept = await ChatModel.findById(chatId).orFail().lean();
  await eraseVisitor({ visitor, site: await SiteModel.findById(site._id).orFail().lean() }, null);
  await ChatModel.create({ ...kept, _id: 'b'.repeat(24) });
  await sweepErased(Date.now(), signal);
  expect(await ChatModel.countDocuments({ visitor: visitor._id })).toBe(0);
  expect(await VisitorModel.countDocuments({ _id: visitor._id })).toBe(1);
  await sweepErased(Date.now() + 2 * HOUR_MS, signal);
  expect(await VisitorModel.countDocuments({ _id: visitor._id })).toBe(0);
});

test('deleting a site removes notes and tombstones', async () => {
  const chat = await waiting();
  await as(`POST /chats/${chat._id}/notes`, { content: 'x' });
  await as(`DELETE /chats/${(await closed())._id}`);
  await as(`DELETE /sites/${site._id}`);
  await until(async () => SiteModel.exists({ _id: site._id, purgedAt: { $exists: true } }));
  expect(await NoteModel.countDocuments({ site: site._id })).toBe(0);
  expect(await RemovalModel.countDocuments({ site: site._id })).toBe(0);
});

test('all cleanup queries use an index', async ({ skip }) => {
  await needPlans(skip);
  const at = { $lt: new Date() };
  const plans = await Promise.all([
    ChatModel.find({ site: site._id, open: true, lastActivity: at }).sort({ lastActivity: 1 }).limit(1).explain(),
    ChatModel.find({ site: site._id, status: 'closed', closedAt: at }).limit(1).explain(),
    ChatModel.find({ visitor: site._id }).sort({ _id: -1 }).limit(1).explain(),
    RemovalModel.find({ pending: true }).sort({ _id: 1 }).limit(1).explain(),
    RemovalModel.find({ site: { $in: [site._id] }, bot: false, at: { $gte: new Date() } })
      .limit(1)
      .explain(),
    VisitorModel.find({ erasedAt: { $gt: new Date(0) } }).explain(),
    VisitorModel.find({ site: site._id, lastSeenAt: at }).explain(),
  ]);
  for (const plan of plans) expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
});

import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, newChat, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Site } from '../../../../contract.ts';
import { listFilter, listIndex } from '../lists/lists.ts';
import { ChatModel } from '../model.ts';
import { rebuild } from '../row/rebuild.ts';

let server: TestServer;
let owner: Account;
let site: Site;
beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const rowOf = async (id: string): Promise<Chat> => (await as(`GET /chats/${id}`)).body.data.chat;
const unreadOf = async (id: string, unread: number) => until(async () => (await rowOf(id)).unread === unread);

describe('an agent marks a chat as unread', () => {
  test('it is unread for all dashboards until somebody reads it, and the visitor goes on seeing it as read', async () => {
    const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
    const id = await say(server.api, site, session, 'One');
    await say(server.api, site, session, 'Two');
    await until(async () => (await rowOf(id)).lastSeq === 2);
    const [dashboard, visitor] = [
      await connectStaff(server.url, owner.token),
      await connectVisitor(server.url, session.visitorToken),
    ];
    await dashboard.ask('read', { chatId: id, seq: 2 });
    await unreadOf(id, 0);
    const marked = await as(`POST /chats/${id}/unread`);
    expect(marked.body.data.chat).toMatchObject({ _id: id, unread: 1 });
    await until(async () => dashboard.heard('chat_updated').at(-1)?.chat.unread === 1);
    expect((await as('GET /chats?unread=yes')).body.data.chats.map(({ _id }: Chat) => _id)).toEqual([id]);
    await until(async () => (await as('GET /inbox/counts')).body.data.counts.unread === 1);
    // Nothing changes if it is unread already.
    expect((await as(`POST /chats/${id}/unread`)).body.data.chat).toEqual(marked.body.data.chat);
    expect((await dashboard.ask('open_chat', { chatId: id })).receipts.staff).toEqual({ delivered: 2, read: 2 });

    // A late report of what was read before the mark.
    await dashboard.ask('read', { chatId: id, seq: 1 });
    await unreadOf(id, 1);
    await dashboard.ask('read', { chatId: id, seq: 2 });
    await unreadOf(id, 0);
    await until(async () => dashboard.heard('chat_updated').at(-1)?.chat.unread === 0);
    expect((await ChatModel.findById(id).lean())?.unreadFrom).toBeUndefined();
    expect(visitor.heard('receipts').map(({ read }) => read)).toEqual([2]);
  });

  test('the mark survives a rebuilt row and counts what follows; an answer ends it, also one that the row lacks', async () => {
    const session = await visit(server.api, site);
    const id = await say(server.api, site, session, 'One');
    const answer = () => as(`POST /chats/${id}/messages`, { content: 'Hello', type: 'text' });
    const rebuilt = () => rebuild(new Types.ObjectId(id), {});
    await answer();
    await until(async () => (await rowOf(id)).lastSeq === 2);
    await as(`POST /chats/${id}/unread`);
    expect(await rebuilt()).toMatchObject({ unread: 1, unreadFrom: 1, receipts: { staff: { read: 2 } } });
    await say(server.api, site, session, 'Three');
    await unreadOf(id, 2);
    expect(await rebuilt()).toMatchObject({ unread: 2, unreadFrom: 1 });
    await answer();
    await unreadOf(id, 0);

    await as(`POST /chats/${id}/unread`);
    await unreadOf(id, 1);
    // As if a crash had come before the last two messages were in the row.
    await ChatModel.updateOne({ _id: id }, { $set: { lastSeq: 2 } });
    const row = await rebuilt();
    expect(row).toMatchObject({ unread: 0, lastSeq: 4 });
    expect(row?.unreadFrom).toBeUndefined();
  });

  test('a closed chat, and one in which the visitor has written nothing, are refused', async () => {
    const { _id } = await newChat(server.api, site, owner.token);
    await as(`POST /chats/${_id}/read`, { seq: 1 });
    await as(`POST /chats/${_id}/close`);
    expect((await as(`POST /chats/${_id}/unread`)).body.code).toBe('CHAT_CLOSED');
    const begun = await ChatModel.create({
      site: site._id,
      visitor: new Types.ObjectId(),
      bot: false,
      open: true,
      createdAt: new Date(),
      lastActivity: new Date(),
      updatedAt: new Date(),
      lastSeq: 1,
    });
    expect((await as(`POST /chats/${begun._id}/unread`)).body).toMatchObject({ code: 'NOTHING_TO_READ' });
  });
});

test('the unread filter finds all chats that nobody on the team has read', async ({ skip }) => {
  const { token } = await signUp(server.api);
  const mine = await createSite(server.api, token);
  const [first, second, third] = [
    await newChat(server.api, mine, token, 'One'),
    await newChat(server.api, mine, token, 'Two'),
    await newChat(server.api, mine, token, 'Three'),
  ];
  const unread = async (query = '') =>
    (await server.api(`GET /chats?unread=yes${query}`, { token })).body.data.chats.map((chat: Chat) => chat._id);
  expect(await unread()).toEqual([third._id, second._id, first._id]);
  await server.api(`POST /chats/${second._id}/messages`, { token, body: { content: 'Hello', type: 'text' } });
  // Rows follow what is said: the answer is acknowledged before.
  await until(async () => (await unread()).length === 2);
  expect(await unread()).toEqual([third._id, first._id]);
  expect(await unread('&status=active')).toEqual([]);
  expect((await server.api('GET /chats?unread=no', { token })).status).toBe(422);
  await needPlans(skip);
  const sites = { site: { $in: [new Types.ObjectId(mine._id), new Types.ObjectId()] }, bot: false };
  const plan = await ChatModel.find({ ...sites, ...listFilter({ unread: 'yes' }, new Types.ObjectId(), []) })
    .sort({ lastActivity: -1, _id: -1 })
    .hint(listIndex({ unread: 'yes' }) ?? '')
    .explain('queryPlanner');
  expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
});

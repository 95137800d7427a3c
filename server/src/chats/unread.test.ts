import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Chat } from '../../contract.ts';
import { createSite, newChat, signUp, until } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { listFilter, listIndex } from './lists.ts';
import { ChatModel } from './model.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('the unread filter finds all chats that nobody on the team has read', async () => {
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
  const sites = { site: { $in: [new Types.ObjectId(mine._id), new Types.ObjectId()] }, bot: false };
  const plan = await ChatModel.find({ ...sites, ...listFilter({ unread: 'yes' }, new Types.ObjectId()) })
    .sort({ lastActivity: -1, _id: -1 })
    .hint(listIndex({ unread: 'yes' }) ?? '')
    .explain('queryPlanner');
  expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
});

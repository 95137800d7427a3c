import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import type { Site } from '../../../../contract.ts';
import { MessageModel } from '../messageModel.ts';
import { ChatModel } from '../model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });

test('the retry of an old answer does not claim a chat that was handed back meanwhile', async () => {
  const chat = await newChat(server.api, site, owner.token);
  const answer = { content: 'One moment', clientId: randomUUID() };
  expect((await as(owner)(`POST /chats/${chat._id}/messages`, answer)).status).toBe(201);
  await as(owner)(`POST /chats/${chat._id}/transfer`, { userId: null });
  expect((await as(owner)(`POST /chats/${chat._id}/messages`, answer)).status).toBe(200);
  const now = (await as(owner)(`GET /chats/${chat._id}`)).body.data.chat;
  expect(now).toMatchObject({ status: 'waiting', claimedBy: null });
});

test('a close that a crash interrupted is completed in the name of the person who closed', async () => {
  const chat = await newChat(server.api, site, owner.token);
  const ear = await connectStaff(server.url, owner.token);
  const visitor = new Types.ObjectId(chat.visitorId);
  await MessageModel.create({
    chat: chat._id,
    site: site._id,
    seq: 2,
    senderKey: `s:${chat._id}`,
    clientId: 'closed',
    sender: 'system',
    author: owner.user._id,
    authorName: owner.user.name,
    event: 'closed',
    content: 'Chat closed',
    createdAt: new Date(),
  });
  const late = await as(owner)(`POST /chats/${chat._id}/messages`, { content: 'Late' });
  expect(late.body.code).toBe('CHAT_CLOSED');
  expect(await ChatModel.findOne({ visitor }).lean()).toMatchObject({ status: 'closed' });
  expect(String((await ChatModel.findById(chat._id).lean())?.closedBy)).toBe(owner.user._id);
  await until(async () => ear.heard('chat_closed').length > 0);
  expect(ear.heard('chat_closed')).toEqual([
    { chatId: chat._id, closedBy: { _id: owner.user._id, name: owner.user.name } },
  ]);
});

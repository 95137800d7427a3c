import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Chat, Site } from '../../../../contract.ts';
import { RuleRunModel } from '../../rules/model.ts';
import { MessageModel } from '../messageModel.ts';
import { ChatModel } from '../model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const ask = (call: string, body?: object) => server.api(call, { token: owner.token, ...(body && { body }) });
const found = async (word: string) =>
  (await ask(`GET /chats?search=${word}`)).body.data.chats.map(({ _id }: Chat) => _id) as string[];

/** What another node has stored as the second message of a chat, and not yet included in the row. */
async function storedElsewhere({ _id: chat }: Chat, content: string, by: 'visitor' | 'agent'): Promise<string> {
  const first = await MessageModel.findOne({ chat, seq: 1 }).orFail().lean();
  const author = by === 'agent' && {
    sender: 'agent',
    senderKey: `u:${owner.user._id}`,
    author: new Types.ObjectId(owner.user._id),
  };
  const _id = new Types.ObjectId();
  const more = { _id, seq: 2, clientId: randomUUID(), content, createdAt: new Date(), ...author };
  await MessageModel.collection.insertOne({ ...first, ...more } as never);
  return _id.toHexString();
}

test('a message that is corrected before its row is written, and then deleted, is gone from the row and the search', async () => {
  const chat = await newChat(server.api, site, owner.token);
  const path = `/chats/${chat._id}/messages/${await storedElsewhere(chat, 'Passwort', 'agent')}`;
  const { rev } = await ChatModel.findById(chat._id).orFail().lean();
  expect((await ask(`PATCH ${path}`, { content: 'Geheimnis' })).status).toBe(200);
  await until(() => ChatModel.exists({ _id: chat._id, lastEdit: 1 }));
  await ChatModel.updateOne({ _id: chat._id }, { lastSeq: 2, lastMessage: 'Passwort', $inc: { rev: 1 } });
  expect((await ask(`DELETE ${path}`)).status).toBe(200);
  // The correction, what is written above, the deletion, and the correction once more: the row was behind at its first look.
  await until(() => ChatModel.exists({ _id: chat._id, rev: { $gte: rev + 4 } }));
  expect((await ask(`GET /chats/${chat._id}`)).body.data.chat.lastMessage).toBe('');
  await until(async () => (await found('Hello')).includes(chat._id));
  for (const word of ['Passwort', 'Geheimnis']) await until(async () => (await found(word)).length === 0);
});

test("rules learn of a message that another node's row lacked when an answer was written behind it", async () => {
  const chat = await newChat(server.api, site, owner.token);
  const rule = { name: 'Bills', event: 'message', actions: [{ do: 'tag', tag: 'bills' }] };
  expect((await ask(`POST /sites/${site._id}/rules`, rule)).status).toBe(201);
  const message = await storedElsewhere(chat, 'My bill?', 'visitor');
  expect((await ask(`POST /chats/${chat._id}/messages`, { content: 'Hello' })).status).toBe(201);
  await until(() => RuleRunModel.exists({ chat: chat._id, message, doneAt: { $exists: true } }));
});

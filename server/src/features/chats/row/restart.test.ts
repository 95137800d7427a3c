import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { createSite, newChat, signUp, until } from '#test/factories';
import { startServer } from '#test/harness';
import { RemovalModel } from '../lists/removals.ts';
import { MessageModel } from '../messageModel.ts';
import { ChatModel } from '../model.ts';

test('at start, a chat deletion that a crash interrupted is completed', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-restart-'));
  const before = await startServer({ dataDir });
  const owner = await signUp(before.api);
  const site = await createSite(before.api, owner.token);
  const [half, whole] = [await newChat(before.api, site, owner.token), await newChat(before.api, site, owner.token)];
  await RemovalModel.create({ _id: half._id, site: site._id, bot: false, at: new Date(), pending: true });
  await before.stop();

  const after = await startServer({ dataDir });
  await until(async () => (await MessageModel.countDocuments({ chat: half._id })) === 0);
  expect(await ChatModel.exists({ _id: half._id })).toBeNull();
  expect((await after.api(`GET /chats/${half._id}`, { token: owner.token })).status).toBe(404);
  expect((await after.api(`GET /chats/${whole._id}`, { token: owner.token })).body.data.chat.messages).toHaveLength(1);
  await after.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('at start, messages that a crash left unprocessed are processed', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-restart-'));
  const before = await startServer({ dataDir });
  const { token } = await signUp(before.api);
  const site = await createSite(before.api, token);
  const { _id } = await newChat(before.api, site, token);
  const first = await until(async () => MessageModel.findOne({ chat: _id }).lean());
  const lost = {
    _id: new Types.ObjectId(),
    seq: 2,
    clientId: randomUUID(),
    content: 'Zirconium',
    createdAt: new Date(),
  };
  await MessageModel.collection.insertOne({ ...first, ...lost });
  await before.stop();

  const after = await startServer({ dataDir });
  const rows = async () => (await after.api('GET /chats', { token })).body.data.chats;
  await until(async () => (await rows())[0].lastSeq === 2);
  expect((await rows())[0]).toMatchObject({ _id, lastMessage: 'Zirconium', unread: 2 });
  const finds = async () => (await after.api('GET /search?q=Zirconium', { token })).body.data;
  await until(async () => JSON.stringify(await finds()).includes(_id));
  await after.stop();
  await rm(dataDir, { recursive: true, force: true });
});

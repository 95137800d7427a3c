import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSite, newChat, signUp, until } from '../../test/factories.ts';
import { startServer } from '../../test/harness.ts';
import { ChatModel, MessageModel, RemovalModel } from './model.ts';

test('a start finishes the deletion that a crash cut short', async () => {
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

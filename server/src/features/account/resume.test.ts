import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, join, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { UserModel } from '../auth/model.ts';
import { ChatModel } from '../chats/model.ts';
import { SiteModel } from '../sites/model.ts';

let server: TestServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-leave-'));
  server = await startServer({ dataDir, mongodbUri: null });
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('at start, an unfinished account deletion is completed, except for the owner of a site', async () => {
  const [owner, agent] = [await signUp(server.api), await signUp(server.api)];
  const site = await createSite(server.api, owner.token);
  await join(site, agent, 'agent');
  const chat = await newChat(server.api, site, owner.token);
  await server.api(`POST /chats/${chat._id}/claim`, { token: agent.token });
  await UserModel.updateMany({}, { $set: { deletedAt: new Date() } });
  const login = { email: owner.user.email, password: owner.password };
  expect((await server.api('POST /auth/login', { body: login })).status).toBe(401);
  await server.stop();

  server = await startServer({ dataDir, mongodbUri: null });
  await until(async () => !(await UserModel.exists({ _id: agent.user._id })));
  expect(await SiteModel.exists({ 'team.user': agent.user._id })).toBeNull();
  expect(await ChatModel.findById(chat._id).lean()).toMatchObject({ status: 'waiting', claimedBy: null });
  await until(async () => (await UserModel.findById(owner.user._id).lean())?.deletedAt === undefined);
  expect((await server.api('POST /auth/login', { body: login })).status).toBe(200);
});

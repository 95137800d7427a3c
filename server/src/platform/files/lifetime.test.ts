import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { uploadAsVisitor, uploadToChat } from '#test/uploads';
import { sweepPictures } from '../../features/auth/pictures.ts';
import { sendFile, sweepFiles } from '../../features/chats/messages/files.ts';
import { type SiteDoc, SiteModel } from '../../features/sites/model.ts';
import type { Usage } from '../../features/usage/counter.ts';
import { connection } from '../database/connection.ts';
import { badRequest } from '../http/errors.ts';
import { sentence } from '../http/sentence.ts';
import { FileModel } from './model.ts';
import type { Pictures } from './pictures.ts';

const HOUR_MS = 3_600_000;
let dataDir: string;
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-files-'));
  server = await startServer({ dataDir });
  owner = await signUp(server.api);
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const never = new AbortController().signal;
const status = async (url: string) => (await fetch(server.url + url)).status;

/** How much is kept of files: rows, and pieces of their bytes. */
async function kept() {
  const count = async (name: string) => (await connection.db?.collection(name).countDocuments({})) ?? 0;
  return [await FileModel.countDocuments({}), await count('blobs.files'), await count('blobs.chunks')];
}

/** A site with a chat in which the visitor and the owner each sent a file. */
async function chatWithFiles() {
  const site = await createSite(server.api, owner.token);
  const session = await visit(server.api, site);
  const { message, chat } = (await uploadAsVisitor(server, site, session, 'mine', { name: 'mine.txt' })).body.data;
  const answer = (await uploadToChat(server, owner.token, chat._id, 'ours', { name: 'ours.txt' })).body.data.message;
  return { site, session, chatId: chat._id, urls: [message.file.url, answer.file.url] };
}

test.each<[string, (world: Awaited<ReturnType<typeof chatWithFiles>>) => string]>([
  ['its chat', ({ chatId }) => `DELETE /chats/${chatId}`],
  ['its visitor', ({ session }) => `DELETE /visitors/${session.visitor._id}`],
  ['its site', ({ site }) => `DELETE /sites/${site._id}`],
])('the files are deleted completely with %s', async (_what, call) => {
  const before = await kept();
  const world = await chatWithFiles();
  expect(await Promise.all(world.urls.map(status))).toEqual([200, 200]);
  expect((await server.api(call(world), { token: owner.token })).status).toBe(200);
  await until(async () => (await kept()).join() === before.join());
  expect(await Promise.all(world.urls.map(status))).toEqual([404, 404]);
  await server.api(`DELETE /sites/${world.site._id}`, { token: owner.token });
});

test('the data export of a visitor lists the files and their addresses', async () => {
  const { site, session, urls } = await chatWithFiles();
  const { body } = await server.api(`GET /visitors/${session.visitor._id}/export`, { token: owner.token });
  const files = body.chats[0].messages.map(({ file }: { file: { name: string; url: string } }) => file);
  expect(files.map(({ name }: { name: string }) => name)).toEqual(['mine.txt', 'ours.txt']);
  expect(files.map(({ url }: { url: string }) => url)).toEqual(urls);
  expect(JSON.stringify(body)).not.toContain('digest');
  await server.api(`DELETE /sites/${site._id}`, { token: owner.token });
});

test('a file without a message is deleted after an hour; one with a message is kept', async () => {
  const { site, urls } = await chatWithFiles();
  const needed = (await FileModel.findOne({ name: 'mine.txt' }).lean()) ?? expect.fail();
  await until(async () => (await FileModel.countDocuments({ uncertain: true })) === 0);
  await FileModel.updateOne({ _id: needed._id }, { $set: { uncertain: true } });
  const orphan = { _id: new Types.ObjectId(), key: 'k'.repeat(43), site: site._id, name: 'x', mime: 'x/x', size: 1 };
  await FileModel.create({ ...orphan, createdAt: new Date(), uncertain: true });

  await sweepFiles(Date.now(), never);
  expect(await FileModel.countDocuments({ uncertain: true })).toBe(2);
  await sweepFiles(Date.now() + 2 * HOUR_MS, never);
  expect(await FileModel.countDocuments({ uncertain: true })).toBe(0);
  expect(await FileModel.exists({ _id: orphan._id })).toBeNull();
  expect(await status(urls[0])).toBe(200);
  await server.api(`DELETE /sites/${site._id}`, { token: owner.token });
});

test('unused profile pictures are deleted after an hour, those of deleted accounts at once', async () => {
  const ben = await signUp(server.api, 'Ben');
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const avatar = `data:image/png;base64,${picture.toString('base64')}`;
  const { user } = (await server.api('PUT /auth/profile', { token: ben.token, body: { avatar } })).body.data;
  const lost = { key: 'l'.repeat(43), owner: ben.user._id, name: 'x', mime: 'image/png', size: 1 };
  await FileModel.create({ ...lost, createdAt: new Date() });
  await sweepPictures(Date.now(), never);
  expect(await FileModel.countDocuments({ owner: ben.user._id })).toBe(2);
  await sweepPictures(Date.now() + 2 * HOUR_MS, never);
  expect(await FileModel.countDocuments({ owner: ben.user._id })).toBe(1);
  expect(await status(user.avatar)).toBe(200);
  await server.api('DELETE /auth/account', { token: ben.token, body: { currentPassword: PASSWORD } });
  expect(await FileModel.countDocuments({ owner: ben.user._id })).toBe(0);
});

test('an uploaded file is still there after a restart', async () => {
  const { urls } = await chatWithFiles();
  await server.stop();
  server = await startServer({ dataDir });
  const texts = urls.map(async (url) => (await fetch(server.url + url)).text());
  expect(await Promise.all(texts)).toEqual(['mine', 'ours']);
});

test('all cleanup queries for files use an index', async ({ skip }) => {
  await needPlans(skip);
  const plans = await Promise.all([
    FileModel.find({ key: 'x' }).explain('queryPlanner'),
    FileModel.find({ site: 'a'.repeat(24) }).explain('queryPlanner'),
    FileModel.find({ uncertain: true, _id: { $gt: 'a'.repeat(24) } })
      .sort({ _id: 1 })
      .explain('queryPlanner'),
    FileModel.find({ owner: { $exists: true }, _id: { $gt: 'a'.repeat(24) } })
      .sort({ _id: 1 })
      .explain('queryPlanner'),
    connection.db?.collection('blobs.chunks').find({ files_id: 'x', n: 1 }).explain('queryPlanner'),
  ]);
  for (const plan of plans) {
    expect(JSON.stringify(plan)).toMatch(/IXSCAN/);
    expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
  }
});

test('an upload that is cancelled before its message is committed leaves nothing', async () => {
  const before = await kept();
  const { token } = await signUp(server.api);
  const doc = await SiteModel.findById((await createSite(server.api, token))._id).lean<SiteDoc>();
  if (!doc) throw new Error('The site is gone.');
  const received = {
    size: 4,
    digest: 'a digest',
    async *pieces() {
      yield Buffer.from('data');
    },
    refuseCutOff() {
      throw badRequest('UPLOAD_CUT_OFF', sentence('Cancelled'));
    },
  };
  const sender = { pool: 'visitors', key: '192.0.2.1' } as const;
  const from = { site: doc, senderKey: 'v:vera', query: {}, sender };
  const room = { pictures: {} as Pictures, usage: { fits: () => true } as unknown as Usage };
  const sending = sendFile(received, from, room, () => Promise.reject(new Error('The message was sent.')));
  await expect(sending).rejects.toThrow('Cancelled');
  expect(await kept()).toEqual(before);
});

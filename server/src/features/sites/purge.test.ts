import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Site } from '../../../contract.ts';
import { events } from '../../platform/events/index.ts';
import { purgeChats } from '../chats/maintenance.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { VisitorModel } from '../visitors/model.ts';
import { SiteModel } from './model.ts';
import { type Purger, startPurge } from './purge.ts';

const HOUR_MS = 3_600_000;
let server: TestServer;
let owner: Account;
let site: Site;
let now = Date.now();
let stop = async () => {};

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api);
});
afterEach(() => stop());
afterAll(() => server.stop());

/** A purge of the test's own, of a site that was deleted without the server's noticing. */
async function purging(purgers: Purger[]): Promise<void> {
  site = await createSite(server.api, owner.token);
  await newChat(server.api, site, owner.token);
  await SiteModel.updateOne({ _id: site._id }, { $set: { deletedAt: new Date(now) }, $unset: { ownerSlot: 1 } });
  stop = startPurge(purgers, { now: () => now, againAfterMs: 5 });
}

const row = () => SiteModel.findById(site._id).lean();
const isPurged = () => SiteModel.exists({ _id: site._id, purgedAt: { $exists: true } });

test('a failed purge is retried without a restart, and does not stop the purges of other features', async () => {
  const faults: unknown[] = [];
  events.reportTo((error) => faults.push(error));
  let calls = 0;
  const failsOnce: Purger = async () => {
    if (++calls === 1) throw new Error('the store fell silent');
  };
  await purging([failsOnce, purgeChats]);
  await until(isPurged);
  expect(faults).toEqual([new Error('the store fell silent')]);
  expect(calls).toBe(2);
  expect(await MessageModel.countDocuments({ site: site._id })).toBe(0);
});

test('late writes are deleted an hour later, with the row of the site', async () => {
  await purging([purgeChats]);
  await until(isPurged);
  expect(await row()).toMatchObject({ name: '', domain: '', team: [] });
  const about = { site: new Types.ObjectId(site._id), chat: new Types.ObjectId(), _id: new Types.ObjectId() };
  await MessageModel.collection.insertOne({ ...about, seq: 1, senderKey: `v:${about.chat}`, clientId: 'late' });
  now += HOUR_MS + 1;
  await until(async () => (await row()) === null);
  expect(await MessageModel.countDocuments({ site: site._id })).toBe(0);
});

test('a site with thousands of messages and visitors is deleted while other calls are answered', async () => {
  const lively = await createSite(server.api, owner.token);
  const session = await visit(server.api, lively);
  const of = new Types.ObjectId(lively._id);
  const chat = new Types.ObjectId((await newChat(server.api, lively, owner.token))._id);
  const messages = Array.from({ length: 5_000 }, (_, i) => ({
    _id: Types.ObjectId.createFromTime(i),
    site: of,
    chat,
    seq: i + 10,
    senderKey: 'u:test',
    clientId: `${chat}-${i}`,
    content: 'Hello',
    sender: 'agent',
    createdAt: new Date(),
  }));
  await MessageModel.collection.insertMany(messages);
  expect((await server.api(`DELETE /sites/${lively._id}`, { token: owner.token })).status).toBe(200);
  let answered = 0;
  await until(async () => {
    expect((await server.api('GET /sites', { token: owner.token })).status).toBe(200);
    answered++;
    return SiteModel.exists({ _id: of, purgedAt: { $exists: true } });
  });
  expect(answered).toBeGreaterThan(1);
  for (const left of [MessageModel.countDocuments({ site: of }), ChatModel.countDocuments({ site: of })])
    expect(await left).toBe(0);
  expect(await VisitorModel.exists({ _id: session.visitor._id })).toBeNull();
});

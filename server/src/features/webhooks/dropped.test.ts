import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startServer } from '#test/harness';
import { type Receiver, startReceiver } from '#test/receivers';
import { startRefusingStore } from '#test/refusingStore';
import type { Delivery } from '../../../contract.ts';
import { HOUR_MS } from '../../platform/time/time.ts';

/** Deliveries that may wait for the webhooks of a site. */
const QUEUE_MAX = 10_000;
/** Oftener than in earnest, so that the test waits less. */
const RECONCILE_EVERY_MS = 500;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

test('what is dropped counts once, although its mark was not removed until the next process had room for it', async ({
  onTestFinished,
}) => {
  const store = await startRefusingStore();
  onTestFinished(store.stop);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-dropped-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = { dataDir, mongodbUri: store.uri };
  const outside = { webhookAgent: receiver.agent, reconcileEveryMs: RECONCILE_EVERY_MS };
  const first = await startServer(env, outside);
  const { token } = await signUp(first.api, 'Olga');
  const site = await createSite(first.api, token);
  const body = { url: receiver.url('/dropped'), events: ['chat.claimed', 'chat.closed'] };
  const added = await first.api(`POST /sites/${site._id}/webhooks`, { token, body });
  const { _id } = added.body.data.webhook;
  const [chats, deliveries] = [store.db.collection('chats'), store.db.collection('webhookDeliveries')];
  const webhook = new Types.ObjectId(_id as string);
  const [at, dueAt] = [new Date(), new Date(Date.now() + HOUR_MS)];
  const about = { webhook, site: new Types.ObjectId(site._id), event: 'chat.claimed' };
  const what = { ...about, at, createdAt: at, status: 'waiting', dueAt };
  const waiting = (_: unknown, order: number) => ({ ...what, _id: `${order}`, lane: `${order}`, order, attempts: 0 });
  await deliveries.insertMany(Array.from({ length: QUEUE_MAX }, waiting) as never);
  const dropped = async ({ api } = first): Promise<Delivery[]> =>
    (await api(`GET /sites/${site._id}/webhooks/${_id}/deliveries`, { token })).body.data.deliveries.filter(
      ({ status }: Delivery) => status === 'dropped',
    );
  const isMarked = { untold: { $exists: true } };

  const chat = await say(first.api, site, await visit(first.api, site), 'Hello');
  await until(async () => (await chats.countDocuments(isMarked)) === 0);
  const refusal = store.refuse(['update chats']);
  await first.api(`POST /chats/${chat}/claim`, { token });
  await until(async () => (await dropped()).length > 0);
  const refused = refusal.count();
  await until(async () => refusal.count() >= refused + 5);
  expect(await dropped()).toMatchObject([{ event: 'chat.claimed', count: 1 }]);
  await first.stop();
  await deliveries.deleteMany({ status: 'waiting' });
  refusal.end();

  const second = await startServer(env, outside);
  onTestFinished(second.stop);
  await until(async () => (await chats.countDocuments(isMarked)) === 0);
  // Events of a chat keep their order, so the first of them would have come before this one.
  await second.api(`POST /chats/${chat}/close`, { token });
  await until(async () => receiver.received('/dropped').length > 0);
  expect(receiver.received('/dropped').map(({ payload }) => payload.type)).toEqual(['chat.closed']);
  expect(await dropped(second)).toMatchObject([{ count: 1 }]);
  // Nothing more is remembered of it.
  await until(async () => (await deliveries.findOne({ status: 'dropped' }))?.unsettled.length === 0);
});

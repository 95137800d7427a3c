import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { createSite, say, signUp, visit } from '#test/factories';
import { startServer } from '#test/harness';
import { startCluster } from '#test/nodes';
import { endedImport, fileOfChats, PLAN, uploadHistory } from '#test/pastChats';
import { reconcileNow } from '#test/rounds';
import { countStored } from '../../features/chats/row/messageProjection.ts';
import { chatRows } from '../../features/chats/row/rowRepair.ts';
import { singleNodeLeases } from '../cluster/lease.ts';
import { startReconciler } from './reconciler.ts';

/** How many batches of messages are read meanwhile. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  mongoose.set('debug', (collection: string, method: string) => {
    if (collection === 'messages' && method === 'find') count++;
  });
  await work();
  mongoose.set('debug', false);
  return count;
}

test('what is imported into a server without messages is not read again', async ({ onTestFinished }) => {
  const { api, url, stop } = await startServer();
  onTestFinished(stop);
  const { token } = await signUp(api);
  const site = await createSite(api, token);
  await reconcileNow(chatRows);
  const { _id } = await uploadHistory(url, token, site._id, fileOfChats(20));
  await api(`POST /sites/${site._id}/imports/${_id}/run`, { token, body: { ...PLAN, dryRun: false } });
  expect((await endedImport(api, token, site._id, _id)).status).toBe('done');
  const now = Math.floor(Date.now() / 1000);
  expect(await countStored({ after: 0, until: now })).toBe(60);
  expect(await reads(() => reconcileNow(chatRows))).toBe(0);
});

test('what one node has finished is not read again by the one that reconciles', async ({ onTestFinished }) => {
  const cluster = await startCluster(2);
  onTestFinished(cluster.stop);
  const [, other] = cluster.nodes;
  if (!other) throw new Error('there is no other node');
  const { token } = await signUp(other.api);
  const site = await createSite(other.api, token);
  const after = Math.floor(Date.now() / 1000) - 1;
  const visitor = await visit(other.api, site);
  for (let i = 0; i < 20; i++) await say(other.api, site, visitor, `Number ${i}`);
  // The test runs as the first node.
  const span = { after, until: after + 3_600 };
  await expect.poll(() => chatRows.check(span, 20), { interval: 200, timeout: 10_000 }).toBe(false);
});

test('what a node with a slow clock may still be storing is left for later', async ({ onTestFinished }) => {
  const { stop } = await startServer();
  onTestFinished(stop);
  const checked: number[] = [];
  const projection = {
    name: 'slow',
    first: async () => 0,
    check: async ({ until }: { until: number }) => {
      checked.push(until);
      return false;
    },
    repair: async ({ until }: { until: number }) => until,
  };
  const options = { count: async () => 1, isAlone: false, slowestBehindMs: () => 30_000 };
  const end = startReconciler([projection], singleNodeLeases.lease('reconciler'), options);
  await expect.poll(() => checked.length).toBeGreaterThan(0);
  await end();
  expect(checked[0]).toBeLessThanOrEqual(Date.now() / 1000 - 40);
});

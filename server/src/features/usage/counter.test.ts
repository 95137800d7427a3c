import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '#test/harness';
import { NodeModel } from '../../platform/cluster/nodes.ts';
import { events } from '../../platform/events/index.ts';
import { createLimits } from '../../platform/http/limits/limits.ts';
import { HOUR_MS } from '../../platform/time/time.ts';
import { createUsage, type Usage } from './counter.ts';

let server: TestServer;
let usage: Usage;
beforeAll(async () => {
  server = await startServer({}, { usageEveryMs: HOUR_MS, beatEveryMs: HOUR_MS });
  // Where it is listed, on a database given by address, these counters would wait for it as for another node.
  await NodeModel.deleteMany();
});
beforeEach(async () => {
  usage = await createUsage({ limits: createLimits({ on: false }), everyMs: HOUR_MS });
});
afterEach(() => usage.stop());
afterAll(() => server.stop());

const newSite = () => new Types.ObjectId().toHexString();
const store = (siteId: string, text: number) => events.emit('storageGrew', { siteId, text, files: 0 });
const textOf = (siteId: string) => usage.of(siteId).text.bytes;

test('what is stored counts while its counter is written', async () => {
  const site = newSite();
  await store(site, 900);
  const written = usage.flush();
  expect(textOf(site)).toBe(900);
  await written;
  expect(textOf(site)).toBe(900);
});

test('what is stored while the counter of another site is written counts, too', async () => {
  const [first, second] = [newSite(), newSite()];
  await store(first, 1);
  await store(second, 900);
  const written = usage.flush();
  await Promise.resolve();
  await store(second, 80);
  await written;
  await usage.flush();
  expect(textOf(second)).toBe(980);
});

test('what is deleted counts after a site was counted before anything was written of it', async () => {
  const site = newSite();
  await usage.recount(site, new Date(), async () => ({ text: 900, files: 0 }));
  await store(site, -100);
  await usage.flush();
  expect(textOf(site)).toBe(800);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '#test/harness';
import { builtWorker } from '#test/workers';
import { startRelay } from '../../../../scripts/cluster/relay.js';
import { startStore } from '../../store/index.ts';
import { connection } from './connection.ts';

const CUTS = 20;
/** Commands under way at a cut. */
const READERS = 8;
const RECOVERY = { timeout: 10_000, interval: 10 };
/** The driver's usual half second between two looks at a server would let only some of the cuts meet one. */
const LOOKS_EVERY_MS = 10;

let server: TestServer;
let relay: Awaited<ReturnType<typeof startRelay>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-driver-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  relay = await startRelay(() => ({ path: decodeURIComponent(new URL(store.uri).host) }));
  const query = `directConnection=true&minHeartbeatFrequencyMS=${LOOKS_EVERY_MS}`;
  server = await startServer({ mongodbUri: `mongodb://127.0.0.1:${relay.port}/parley?${query}` });
  stop = async () => {
    await server.stop();
    await relay.stop();
    await store.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
});
afterAll(() => stop());

test('however often the connection to the database breaks under commands, the server is ready again', async () => {
  let isReading = true;
  const readers = Array.from({ length: READERS }, async (_, i) => {
    while (isReading)
      await connection
        .collection(`reader${i}`)
        .findOne({})
        .catch(() => null);
  });
  const readied = async () => (await fetch(`${server.url}/readyz`)).status;
  for (let i = 0; i < CUTS; i++) {
    relay.cut(true);
    relay.cut(false);
    await vi.waitFor(async () => expect(await readied()).toBe(200), RECOVERY);
  }
  isReading = false;
  await Promise.all(readers);
});

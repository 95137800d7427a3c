import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { takeRedis } from '../../scripts/cluster/given.js';
import { startRedis } from '../../scripts/cluster/redis.js';
import type { Env } from '../src/platform/env/index.ts';
import { newVapidKey } from '../src/platform/push/send.ts';
import { startStore } from '../src/store/index.ts';
import { startServer, type TestServer } from './harness.ts';
import { realMongodb } from './mongodb.ts';
import { builtWorkers } from './workers.ts';

/** Several nodes of one Parley in this process, on one database and one Redis. */
export interface TestCluster {
  nodes: TestServer[];
  redis: Awaited<ReturnType<typeof takeRedis>>;
  /** What every node is started with. */
  env: Partial<Env>;
  stop(): Promise<void>;
}

/** Starts a cluster of so many nodes. Whatever has started is stopped again if one of them fails. */
export async function startCluster(
  count: number,
  overrides: Partial<Env> = {},
  outside: Parameters<typeof startServer>[1] = {},
): Promise<TestCluster> {
  const nodes: TestServer[] = [];
  const shared: { stop(): Promise<void> }[] = [];
  async function stop(): Promise<void> {
    for (const node of nodes) await node.stop();
    for (const { stop } of shared.reverse()) await stop();
  }
  try {
    const { TEST_REDIS_URL } = process.env;
    const redis = await (TEST_REDIS_URL ? takeRedis(TEST_REDIS_URL) : startRedis());
    shared.push(redis);
    const database = await sharedDatabase();
    shared.push(database);
    const env: Partial<Env> = {
      mongodbUri: database.uri,
      redisUrl: redis.url,
      jwtSecret: randomBytes(32).toString('base64url'),
      dataKey: randomBytes(32).toString('base64url'),
      vapid: { privateKey: newVapidKey(), subject: 'mailto:nobody@parley.invalid' },
      ...overrides,
    };
    for (let i = 0; i < count; i++) nodes.push(await startServer(env, outside));
    return { nodes, redis, env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database that several servers can use: the embedded store, or a real MongoDB if the environment names one. */
async function sharedDatabase(): Promise<{ uri: string; stop(): Promise<void> }> {
  const mongodb = await realMongodb();
  if (mongodb) return mongodb;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-shared-'));
  const store = await startStore({ dataDir, workerUrl: (await builtWorkers()).store });
  return {
    uri: store.uri,
    async stop() {
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeRedis } from '../../scripts/cluster/given.js';
import { startRedis } from '../../scripts/cluster/redis.js';
import type { Env } from '../src/platform/env/index.ts';
import { newVapidKey } from '../src/platform/push/send.ts';
import { startStore } from '../src/store/index.ts';
import { callsTo, settle, startServer, type TestServer } from './harness.ts';
import { realMongodb } from './mongodb.ts';
import type { FromNode, NodeStart, ToNode } from './nodeProcess.ts';
import type { PlainOutside } from './settings.ts';
import { builtWorker, builtWorkers } from './workers.ts';

/** A server in a process of its own. */
export interface TestNode extends TestServer {
  advance(ms: number): Promise<void>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/** Starts the whole product as `startServer` does, but in a process of its own: none of its models are the test's. */
export async function startNode(overrides: Partial<Env> = {}, outside: PlainOutside = {}): Promise<TestNode> {
  const { env, discard } = await settle(overrides);
  const workers = Object.fromEntries(Object.entries(await builtWorkers()).map(([name, { href }]) => [name, href]));
  const child = fork(fileURLToPath(await builtWorker('../test/nodeProcess')), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(discard);
  const tell = (told: NodeStart | ToNode) => void child.send(told);
  const answer = async () => (await once(child, 'message'))[0] as FromNode;
  tell({ env, workers, outside });
  const started = await Promise.race([answer(), ended]);
  if (typeof started !== 'object' || !('url' in started)) {
    await ended;
    throw new Error(typeof started === 'object' ? started.refusal : 'The node ended while it started.');
  }
  return {
    url: started.url,
    api: callsTo(started.url),
    async advance(ms) {
      const advanced = answer();
      tell({ advance: ms });
      await advanced;
    },
    async stop() {
      tell('stop');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Several nodes of one Parley, on one database and one Redis. The first is in this process, each other in one of its own. */
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
  outside: PlainOutside = {},
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
    nodes.push(await startServer(env, outside));
    while (nodes.length < count) nodes.push(await startNode(env, outside));
    return { nodes, redis, env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database that several servers can use: the embedded store, or a real MongoDB if the environment names one. */
export async function sharedDatabase(): Promise<{ uri: string; stop(): Promise<void> }> {
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

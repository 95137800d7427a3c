import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Env } from '../src/env.ts';
import { newVapidKey } from '../src/push/send.ts';
import { startStore } from '../src/store/index.ts';
import { until } from './factories.ts';
import { startServer, type TestServer } from './harness.ts';
import { realMongodb } from './mongodb.ts';
import { builtWorkers } from './workers.ts';

/** The program of Redis; undefined: this machine has none, so the tests of several nodes are skipped. */
export const redisServer =
  process.env.REDIS_SERVER_PATH ??
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'redis-server'))
    .find((file) => existsSync(file));

/** A Redis of the test's own, which keeps nothing on the disk. */
interface TestRedis {
  url: string;
  /** Ends it as a crash does; what it held is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
}

/** Starts a Redis on a free port. */
async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let running: ChildProcess | undefined;
  async function restart(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    running = spawn(redisServer ?? 'redis-server', options, { stdio: 'ignore' });
    await until(() => answers(port));
  }
  await restart();
  return {
    url: `redis://127.0.0.1:${port}`,
    restart,
    async kill() {
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      running.kill('SIGKILL');
      await once(running, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

/** Several nodes of one Parley in this process, on one database and one Redis. */
export interface TestCluster {
  nodes: TestServer[];
  redis: TestRedis;
  /** What every node is started with. */
  env: Partial<Env>;
  stop(): Promise<void>;
}

/** Starts a cluster of so many nodes. */
export async function startCluster(count: number, overrides: Partial<Env> = {}): Promise<TestCluster> {
  const redis = await startRedis();
  const database = await sharedDatabase();
  const env: Partial<Env> = {
    mongodbUri: database.uri,
    redisUrl: redis.url,
    jwtSecret: randomBytes(32).toString('base64url'),
    dataKey: randomBytes(32).toString('base64url'),
    vapid: { privateKey: newVapidKey(), subject: 'mailto:nobody@parley.invalid' },
    ...overrides,
  };
  const nodes: TestServer[] = [];
  for (let i = 0; i < count; i++) nodes.push(await startServer(env));
  return {
    nodes,
    redis,
    env,
    async stop() {
      for (const node of nodes) await node.stop();
      await redis.kill();
      await database.stop();
    },
  };
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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, sharedSecrets } from '../scripts/cluster/processes.js';
import { startCluster } from './harness/cluster.ts';
import { type Parley, refusedStart, startParley } from './harness/parley.ts';

const STACK_LINE = /^\s+at .+:\d+:\d+\)?$/m;

let scratch: string;
let parley: Parley;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'parley-start-'));
  parley = await startParley();
});
afterAll(async () => {
  await parley.stop();
  await rm(scratch, { recursive: true, force: true });
});

describe('a start that fails prints the reason and changes nothing', () => {
  test('a second start on the same data folder is refused, and the first server continues', async () => {
    const second = await refusedStart({ PORT: String(await freePort()), DATA_DIR: parley.dataDir });
    expect(second.code).toBe(1);
    expect(second.output).toContain(parley.dataDir);
    expect(second.output).not.toMatch(STACK_LINE);
    expect((await fetch(`${parley.origin}/readyz`)).status).toBe(200);
  });

  test('when the port is in use', async () => {
    const { code, output } = await refusedStart({ PORT: String(parley.port), DATA_DIR: join(scratch, 'other') });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${parley.port} is already in use`);
    expect(output).not.toMatch(STACK_LINE);
  });

  test('when the data folder is not writable', async () => {
    const file = join(scratch, 'a-file');
    await writeFile(file, 'kept');
    const { code, output } = await refusedStart({ PORT: String(await freePort()), DATA_DIR: join(file, 'data') });
    expect(code).toBe(1);
    expect(output).toContain('DATA_DIR');
    expect(output).not.toMatch(STACK_LINE);
  });

  test.each([
    ['PORT', 'http'],
    ['SIGNUP', 'sometimes'],
    ['MONGODB_URI', 'localhost:27017'],
    ['PUBLIC_URL', 'chat.example.com'],
    ['JWT_SECRET', 'secret'],
    ['REDIS_URL', 'redis://localhost:99999'],
  ])('when %s is invalid', async (name, value) => {
    const { code, output } = await refusedStart({ DATA_DIR: join(scratch, 'unused'), [name]: value });
    expect(code).toBe(1);
    expect(output).toContain(name);
    expect(output).not.toMatch(STACK_LINE);
  });
});

test('a node with other secrets ends with the reason, also while Redis cannot be reached', async () => {
  const cluster = await startCluster(1);
  const { uri } = await cluster.store.wire();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-start-'));
  const shared = { PORT: String(await freePort()), DATA_DIR: dataDir, MONGODB_URI: uri, ...sharedSecrets() };
  for (const url of [cluster.redis.url, `redis://127.0.0.1:${await freePort()}`]) {
    const { code, output } = await refusedStart({ ...shared, REDIS_URL: url });
    expect(code).toBe(1);
    expect(output).toContain('Parley cannot start. Another Parley');
    expect(output).toContain('another JWT_SECRET and another DATA_KEY and another VAPID_PRIVATE_KEY');
    expect(output).not.toMatch(STACK_LINE);
  }
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a start after kill -9 takes the data folder over', async () => {
  await parley.kill9();
  await parley.restart();
  expect((await fetch(`${parley.origin}/healthz`)).status).toBe(200);
});

test('SIGTERM stops the server cleanly with code 0', async () => {
  const { code, output } = await parley.stop();
  expect(code).toBe(0);
  expect(output).not.toContain('stopped');
});

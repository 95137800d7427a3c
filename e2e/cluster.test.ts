import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiOf } from './harness/api.ts';
import { type Cluster, startCluster } from './harness/cluster.ts';
import { register } from './harness/shop.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.stop());

test('nodes share one store, and the proxy skips a node that is down', async () => {
  const { token } = await register(apiOf(cluster.origin), 'Ana Oliveira');
  for (const { origin } of cluster.nodes) {
    const { user } = await apiOf(origin)('GET /auth/profile', { token });
    expect(user.name).toBe('Ana Oliveira');
  }
  await cluster.nodes[0]?.kill9();
  for (let i = 0; i < 4; i++) await apiOf(cluster.origin)('GET /auth/profile', { token });
  await cluster.nodes[0]?.restart();
});

test('a node without connection to the store is not ready until the connection is back', async () => {
  const [node] = cluster.nodes;
  const ready = async () => (await fetch(`${node?.origin}/readyz`)).status;
  node?.store.cut(true);
  await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 60_000 });
  node?.store.cut(false);
  await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 60_000 });
});

test('all nodes are ready again after a restart of the store and Redis', async () => {
  await cluster.store.restart('SIGKILL');
  await cluster.redis.down();
  await cluster.redis.up();
  await cluster.redis.empty();
  const everyNode = () => Promise.all(cluster.nodes.map(({ origin }) => fetch(`${origin}/readyz`)));
  await vi.waitFor(async () => expect((await everyNode()).every(({ ok }) => ok)).toBe(true), { timeout: 60_000 });
});

import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { startJobs } from '../work/jobs.ts';
import { createLeases, LEASE_MS, type Leases, singleNodeLeases } from './lease.ts';

let server: TestServer;
const nodes: Leases[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});
afterAll(() => server.stop());

/** A node whose rounds and clock the test decides on. */
function node(owner: string) {
  const clock = { now: 1_000 };
  const leases = createLeases(owner, { clock: () => clock.now, everyMs: 2 ** 30 });
  nodes.push(leases);
  return { ...leases, clock };
}

test('one of two nodes holds a lease, and the other gets it when the first stops', async () => {
  const [a, b] = [node('a'), node('b')];
  expect(await a.lease('jobs').take()).toBe(true);
  expect(await b.lease('jobs').take()).toBe(false);
  let taken = 0;
  b.lease('jobs').whenTaken(() => taken++);
  await b.look();
  await a.stop();
  await b.look();
  expect([b.lease('jobs').isHeld(), taken]).toEqual([true, 1]);
});

test('of many concurrent requests for a lease one succeeds', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, (_, i) => node(`n${i}`).lease('rush').take()));
  expect(all.filter(Boolean)).toHaveLength(1);
});

test('an owner that renews a lease keeps it, and one that does not loses it', async () => {
  const [a, b] = [node('a'), node('b')];
  const ours = a.lease('figures');
  await ours.take();
  const theirs = b.lease('figures');
  await theirs.take();
  for (let i = 0; i < 5; i++) {
    await a.look();
    b.clock.now += LEASE_MS;
    await b.look();
    expect(theirs.isHeld()).toBe(false);
  }
  b.clock.now += LEASE_MS - 1;
  await b.look();
  expect(theirs.isHeld()).toBe(false);
  b.clock.now += 1;
  await b.look();
  expect(theirs.isHeld()).toBe(true);
  // A node that was frozen does not believe that it still has it, even before it looks.
  a.clock.now += LEASE_MS;
  expect(ours.isHeld()).toBe(false);
  await a.look();
  expect([ours.isHeld(), theirs.isHeld()]).toEqual([false, true]);
});

test('a single node gets every lease at once', async () => {
  expect(await singleNodeLeases.lease('jobs').take()).toBe(true);
  expect(singleNodeLeases.lease('jobs').isHeld()).toBe(true);
});

test('a long job ends when another node may have its lease', async () => {
  const { lease, clock } = node('a');
  const seen: string[] = [];
  const long = async (_now: number, signal: AbortSignal) => {
    seen.push('begun');
    await once(signal, 'abort');
    seen.push('ended');
  };
  const next = async () => void seen.push('the next one');
  const failed = (error: unknown) => void seen.push(String(error));
  const jobs = startJobs([long, next], { everyMs: 2 ** 30, now: Date.now, failed, lease: lease('long') });
  await until(async () => seen.length > 0);
  clock.now += LEASE_MS;
  await until(async () => seen.length > 1);
  await jobs.stop();
  expect(seen).toEqual(['begun', 'ended']);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { receiveDeliveries } from './deliveries.ts';
import { summary, tryNodes } from './several-nodes.ts';
import { talkInTurns } from './turns.ts';

const NODES = 2;
const KILLS = Number(process.env.CHAOS_KILLS ?? 20);
/** By then the pages have noticed that their connection is gone. */
const NOTICED_MS = 100;
const UNDER_LOAD_MS = 2_000;
const BURST = 5;
/** Longer than a claimer may be absent before the chat is handed back. */
const REDIS_AWAY_MS = 150_000;
const FROZEN_MS = 60_000;
const STALLED_MS = 15_000;
const WRITE_EVERY_MS = 10_000;

const MS = 1_000;
const verdict = (seconds: number, goal: number) =>
  `${seconds.toFixed(1)} s (${seconds <= goal ? '✓' : '✗'} goal ${goal} s)`;
const worst = (times: number[], goal: number) =>
  `${summary(times)} (${Math.max(...times) <= goal * MS ? '✓' : '✗'} goal ${goal} s)`;

test(`a node is killed with -9 under load, ${KILLS} times`, async () => {
  const deliveries = await receiveDeliveries();
  const { cluster, world, writeOn, untilConnected, leasesOf, untilTakenFrom, report } = await tryNodes(NODES, {
    env: deliveries.env,
  });
  await deliveries.listenTo(world);
  const [moved, taken]: number[][] = [[], []];
  let leases = 0;
  const stopWriting = writeOn();
  const talks = await talkInTurns(world);
  for (let kill = 0; kill < KILLS; kill++) {
    const node = cluster.nodes[kill % NODES];
    if (!node) break;
    await sleep(UNDER_LOAD_MS);
    const { owner, names } = await leasesOf(node);
    leases += names.length;
    await node.kill9();
    const handedOver = untilTakenFrom(owner);
    await sleep(NOTICED_MS);
    moved?.push((await untilConnected()) * MS + NOTICED_MS);
    taken?.push((await handedOver) * MS);
    await node.restart();
  }
  stopWriting();
  const over = [await talks.end(), ...(await deliveries.check(world, KILLS))];
  await report(`${KILLS} × kill -9 of a node`, [
    `all on the other node ${worst(moved ?? [], 5)}`,
    ...over,
    `${leases} leases taken over ${worst(taken ?? [], 15)}`,
  ]);
});

test('Redis is stopped, and comes back', async () => {
  const { cluster, conversation, ask, answer, untilSeen, report } = await tryNodes(NODES);
  await cluster.redis.down();
  const from = performance.now();
  conversation.burst(BURST);
  const seen = await untilSeen();
  answer();
  const answered = await untilSeen();
  // Everybody is awaited for longer than anybody may be absent.
  ask();
  await sleep(Math.max(0, REDIS_AWAY_MS - (performance.now() - from)));
  conversation.burst(BURST);
  await cluster.redis.up();
  const back = await untilSeen();
  conversation.burst(BURST);
  const live = await untilSeen();
  await report(`Redis away for ${REDIS_AWAY_MS / MS} s`, [
    `meanwhile all was seen after ${verdict(seen, 30)}`,
    `and what only agents wrote after ${verdict(answered, 30)}`,
    `after its return ${verdict(back, 10)}`,
    `what was written then after ${live.toFixed(2)} s`,
  ]);
});

for (const [fault, name] of [
  ['restarted', 'is restarted'],
  ['emptied', 'is emptied'],
] as const)
  test(`Redis ${name} under load`, async () => {
    const { cluster, conversation, writeOn, untilSeen, report } = await tryNodes(NODES);
    const stopWriting = writeOn();
    await sleep(UNDER_LOAD_MS);
    if (fault === 'emptied') await cluster.redis.empty();
    else {
      await cluster.redis.down();
      await cluster.redis.up();
    }
    const back = await untilSeen();
    await sleep(UNDER_LOAD_MS);
    stopWriting();
    conversation.burst(BURST);
    const live = await untilSeen();
    await report(`Redis ${fault}`, [
      `all seen after ${verdict(back, 10)}`,
      `what was written then after ${live.toFixed(2)} s`,
    ]);
  });

test('every node is stopped and started in turn under load', async () => {
  const { cluster, writeOn, untilConnected, untilSeen, report } = await tryNodes(NODES);
  const stopWriting = writeOn();
  const seen: number[] = [];
  for (const node of cluster.nodes) {
    await sleep(UNDER_LOAD_MS);
    await node.restart();
    await untilConnected();
    seen.push((await untilSeen()) * MS);
  }
  stopWriting();
  await report('rolling update', [`all seen after each restart ${summary(seen)}`]);
});

test('a node is frozen for 60 s, and thawed', async () => {
  const { cluster, conversation, ask, untilConnected, untilSeen, leasesOf, untilTakenFrom, report } =
    await tryNodes(NODES);
  const [node] = cluster.nodes;
  if (!node) throw new Error('no node');
  const { owner, names } = await leasesOf(node);
  expect(names.length).toBeGreaterThan(0);
  const from = performance.now();
  node.freeze(true);
  conversation.burst(BURST);
  const times = [untilSeen(), untilTakenFrom(owner)] as const;
  while (performance.now() - from < FROZEN_MS) {
    ask();
    await sleep(WRITE_EVERY_MS);
  }
  node.freeze(false);
  const [thawed] = await Promise.all([untilSeen(), untilConnected()]);
  conversation.burst(BURST);
  const live = await untilSeen();
  const [seen, taken] = await Promise.all(times);
  await report('node frozen 60 s', [
    `${names.length} leases taken over after ${verdict(taken, 15)}`,
    `written at its beginning and seen by all after ${seen.toFixed(1)} s`,
    `all seen ${thawed.toFixed(1)} s after the thaw`,
    `what was written then after ${live.toFixed(2)} s`,
  ]);
});

test('the store behind all nodes stalls for 15 s', async () => {
  const { cluster, conversation, untilSeen, report } = await tryNodes(NODES);
  conversation.burst(BURST);
  cluster.store.freeze(true);
  conversation.burst(BURST);
  await sleep(STALLED_MS);
  const ready = await Promise.all(
    cluster.nodes.map(({ origin }) => fetch(`${origin}/readyz`).then(({ status }) => status)),
  );
  cluster.store.freeze(false);
  const seen = await untilSeen();
  conversation.burst(BURST);
  const live = await untilSeen();
  await report('store behind all nodes stalled 15 s', [
    `/readyz said ${ready.join(' and ')} meanwhile`,
    `all seen ${seen.toFixed(1)} s after its return`,
    `what was written then after ${live.toFixed(2)} s`,
  ]);
});

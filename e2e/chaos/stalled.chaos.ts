import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';
import { startSlowStore } from './slow-store.ts';

const STALLED_MS = 15_000;
const BURST = 5;

test('the whole server stalls for 15 s', async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  conversation.burst(BURST);
  world.parley.freeze(true);
  conversation.burst(BURST);
  await sleep(STALLED_MS);
  world.parley.freeze(false);
  conversation.burst(BURST);
  await reportResult(world, 'server stalled 15 s');
});

test('the store stalls for 15 s', async () => {
  const store = await startSlowStore();
  const world = await createWorld({ parley: { env: { MONGODB_URI: store.uri } } });
  const conversation = await startConversation(world);
  conversation.burst(BURST);
  store.stall(true);
  conversation.burst(BURST);
  await sleep(STALLED_MS);
  const ready = await fetch(`${world.parley.origin}/readyz`).then(({ status }) => status);
  store.stall(false);
  conversation.burst(BURST);
  await reportResult({ ...world, parley: { ...world.parley, dataDir: store.dataDir } }, 'store stalled 15 s', [
    `/readyz said ${ready} meanwhile`,
  ]);
  await store.stop();
});

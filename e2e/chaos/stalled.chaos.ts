import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { beginTalk } from '../delivery/talk.ts';
import { createWorld } from '../delivery/world.ts';
import { startSlowStore } from './slow-store.ts';
import { tellResult } from './tell.ts';

const STALLED_MS = 15_000;
const BURST = 5;

test('the whole server stalled for 15 s', async () => {
  const world = await createWorld();
  const talk = await beginTalk(world);
  talk.burst(BURST);
  world.parley.freeze(true);
  talk.burst(BURST);
  await sleep(STALLED_MS);
  world.parley.freeze(false);
  talk.burst(BURST);
  await tellResult(world, 'server stalled 15 s');
});

test('the store stalled for 15 s', async () => {
  const store = await startSlowStore();
  const world = await createWorld({ parley: { env: { MONGODB_URI: store.uri } } });
  const talk = await beginTalk(world);
  talk.burst(BURST);
  store.stall(true);
  talk.burst(BURST);
  await sleep(STALLED_MS);
  const ready = await fetch(`${world.parley.origin}/readyz`).then(({ status }) => status);
  store.stall(false);
  talk.burst(BURST);
  await tellResult({ ...world, parley: { ...world.parley, dataDir: store.dataDir } }, 'store stalled 15 s', [
    `/readyz said ${ready} meanwhile`,
  ]);
  await store.stop();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { beginTalk } from '../delivery/talk.ts';
import { createWorld } from '../delivery/world.ts';
import { tellResult } from './tell.ts';

const ASLEEP_MS = 10 * 60_000;
/** The server's heartbeat: by then it has given the sleepers up. */
const FORGOTTEN_MS = 50_000;
const BURST = 5;
const TIMEOUT_MS = 300_000;

test('a laptop asleep for ten minutes', async () => {
  const world = await createWorld();
  const talk = await beginTalk(world);
  const [visitor] = talk.visitors;
  const [agent] = talk.agents;
  const sleepers = [...(visitor?.tabs ?? []), ...(agent?.tabs ?? [])];
  talk.burst(BURST);
  for (const { page, line } of sleepers) {
    page.sleep();
    line.deafen();
  }
  await sleep(FORGOTTEN_MS);
  for (const party of talk.visitors.slice(1))
    for (let i = 0; i < BURST; i++) {
      party.wrote.push(`A ${party.name} night ${i}`);
      party.tabs[0]?.page.face.send(`A ${party.name} night ${i}`);
    }
  await sleep(FORGOTTEN_MS);
  for (const { page } of sleepers) {
    page.wake(ASLEEP_MS);
    page.tell('visibilitychange');
  }
  const from = performance.now();
  await vi.waitFor(() => expect(agent?.tabs[0]?.page.face.held()).toHaveLength(talk.written()), TIMEOUT_MS);
  const back = ((performance.now() - from) / 1000).toFixed(1);
  await tellResult(world, 'asleep for 10 minutes', [`all seen ${back} s after the lid was opened`]);
});

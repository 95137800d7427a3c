import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const ASLEEP_MS = 10 * 60_000;
/** The server's heartbeat: by then it has given the sleepers up. */
const FORGOTTEN_MS = 50_000;
const BURST = 5;
const TIMEOUT_MS = 300_000;

test('a laptop sleeps for ten minutes', async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  const [visitor] = conversation.visitors;
  const [agent] = conversation.agents;
  const sleepers = [...(visitor?.tabs ?? []), ...(agent?.tabs ?? [])];
  conversation.burst(BURST);
  for (const { page, network } of sleepers) {
    page.sleep();
    network.swallowAnswers();
  }
  await sleep(FORGOTTEN_MS);
  for (const participant of conversation.visitors.slice(1))
    for (let i = 0; i < BURST; i++) {
      participant.wrote.push(`A ${participant.name} night ${i}`);
      participant.tabs[0]?.page.app.send(`A ${participant.name} night ${i}`);
    }
  await sleep(FORGOTTEN_MS);
  for (const { page } of sleepers) {
    page.wake(ASLEEP_MS);
    page.tell('visibilitychange');
  }
  const from = performance.now();
  await vi.waitFor(() => expect(agent?.tabs[0]?.page.app.held()).toHaveLength(conversation.written()), TIMEOUT_MS);
  const back = ((performance.now() - from) / 1000).toFixed(1);
  await reportResult(world, 'asleep for 10 minutes', [`all seen ${back} s after the lid was opened`]);
});

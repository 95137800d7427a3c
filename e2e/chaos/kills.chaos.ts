import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const ROUNDS = 50;
const BURST = 4;
const BEFORE_KILL_MAX_MS = 150;

test(`kill -9 in a burst of messages, ${ROUNDS} times`, async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  for (let round = 0; round < ROUNDS; round++) {
    conversation.burst(BURST);
    await sleep(randomInt(BEFORE_KILL_MAX_MS));
    await world.parley.kill9();
    await world.parley.restart();
  }
  await reportResult(world, `${ROUNDS} × kill -9`);
});

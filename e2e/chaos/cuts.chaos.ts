import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const CUTS = 200;
const BEFORE_CUT_MAX_MS = 12;
/** Until most are connected again. */
const BETWEEN_MS = 150;

test(`${CUTS} disconnects while messages are being sent`, async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  let met = 0;
  for (let cut = 0; cut < CUTS; cut++) {
    conversation.burst(1);
    await sleep(randomInt(BEFORE_CUT_MAX_MS));
    if (conversation.waiting() > 0) met++;
    for (const { network } of conversation.tabs()) network.cut();
    await sleep(BETWEEN_MS);
  }
  await reportResult(world, `${CUTS} cuts of every line`, [`${met} of them met messages on their way`]);
});

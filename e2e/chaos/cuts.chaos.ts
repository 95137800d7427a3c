import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { beginTalk } from '../delivery/talk.ts';
import { createWorld } from '../delivery/world.ts';
import { tellResult } from './tell.ts';

const CUTS = 200;
const BEFORE_CUT_MAX_MS = 12;
/** Until most are connected again. */
const BETWEEN_MS = 150;

test(`${CUTS} cuts in mid-send`, async () => {
  const world = await createWorld();
  const talk = await beginTalk(world);
  let met = 0;
  for (let cut = 0; cut < CUTS; cut++) {
    talk.burst(1);
    await sleep(randomInt(BEFORE_CUT_MAX_MS));
    if (talk.waiting() > 0) met++;
    for (const { line } of talk.tabs()) line.cut();
    await sleep(BETWEEN_MS);
  }
  await tellResult(world, `${CUTS} cuts of every line`, [`${met} of them met messages on their way`]);
});

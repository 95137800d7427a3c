import { expect, test } from 'vitest';
import { playHistory } from './random-history.ts';
import { createWorld } from './world.ts';

/** The same random steps in every run; `npm run chaos` takes other ones, and more. */
const STEPS = 200;
const SEED = 774_680;

test(`a random history of ${STEPS} steps, seed ${SEED}: no message is lost, duplicated, misplaced or out of order`, async () => {
  const world = await createWorld();
  const told = await playHistory(world, { seed: SEED, steps: STEPS, kills: 1, restarts: 1 });
  await world.stop();
  expect(told).toMatch(/^\d\d+ messages in \d+ chats/);
});

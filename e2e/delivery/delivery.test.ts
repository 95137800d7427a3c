import { expect, test } from 'vitest';
import { playHistory } from './history.ts';
import { createWorld } from './world.ts';

/** One history, the same each time; `npm run chaos` plays thousands, each time others. */
const STEPS = 200;
const SEED = 774_680;

test(`a random history of ${STEPS} steps, seed ${SEED}: nothing lost, doubled, out of order or out of place`, async () => {
  const world = await createWorld();
  const told = await playHistory(world, { seed: SEED, steps: STEPS, kills: 1, restarts: 1 });
  await world.stop();
  expect(told).toMatch(/^\d\d+ messages in \d+ chats/);
});

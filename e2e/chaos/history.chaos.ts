import { randomInt } from 'node:crypto';
import { test } from 'vitest';
import { playHistory } from '../delivery/random-history.ts';
import { createWorld } from '../delivery/world.ts';

const STEPS = Number(process.env.CHAOS_STEPS ?? 2_000);
const SEED = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
const STEPS_PER_END = 400;

test(`a random history of ${STEPS} steps, seed ${SEED}`, async () => {
  console.log(`npm run chaos -- --seed ${SEED} --steps ${STEPS}`);
  const world = await createWorld({ visitors: 4 });
  const ends = Math.ceil(STEPS / STEPS_PER_END / 2);
  const told = await playHistory(world, { seed: SEED, steps: STEPS, kills: ends, restarts: ends });
  await world.stop();
  console.log(`history: ${told}`);
});

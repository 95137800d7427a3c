import { expect, test, vi } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const RESTARTS = 20;
const WRITE_EVERY_MS = 500;
const BACK_TIMEOUT_MS = 30_000;

test(`${RESTARTS} restarts under load`, async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  const writing = setInterval(() => conversation.burst(1), WRITE_EVERY_MS);
  const away: number[] = [];
  for (let restart = 0; restart < RESTARTS; restart++) {
    const from = performance.now();
    await world.parley.restart();
    away.push(performance.now() - from);
    const pages = conversation.visitors.flatMap(({ tabs }) => tabs.map(({ page }) => page));
    await vi.waitFor(() => expect(pages.every(({ app }) => app.connected())).toBe(true), BACK_TIMEOUT_MS);
  }
  clearInterval(writing);
  away.sort((a, b) => a - b);
  const [median, worst] = [away[RESTARTS / 2] ?? 0, away.at(-1) ?? 0].map((ms) => (ms / 1000).toFixed(1));
  await reportResult(world, `${RESTARTS} restarts`, [`away for ${median} s each (median), ${worst} s at most`]);
});

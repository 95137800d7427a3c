import { expect, test, vi } from 'vitest';
import { beginTalk } from '../delivery/talk.ts';
import { createWorld } from '../delivery/world.ts';
import { tellResult } from './tell.ts';

const BURST = 5;
const TIMEOUT_MS = 300_000;

test('a half-open line: what the server says is swallowed', async () => {
  const world = await createWorld();
  const talk = await beginTalk(world);
  for (const { line } of talk.tabs()) line.deafen();
  const from = performance.now();
  talk.burst(BURST);
  // Nothing heals the line: the pages have to find out, and HTTP has to carry what was written meanwhile.
  await vi.waitFor(() => expect(talk.waiting()).toBe(0), TIMEOUT_MS);
  const sent = performance.now() - from;
  await vi.waitFor(() => {
    for (const { tabs } of talk.agents)
      for (const { page } of tabs) expect(page.face.held()).toHaveLength(talk.written());
  }, TIMEOUT_MS);
  const seen = performance.now() - from;
  await tellResult(world, 'half-open line', [
    `all sent after ${(sent / 1000).toFixed(1)} s and seen after ${(seen / 1000).toFixed(1)} s at ten times the speed (heartbeats at their own)`,
  ]);
});

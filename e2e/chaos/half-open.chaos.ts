import { expect, test, vi } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const BURST = 5;
const TIMEOUT_MS = 300_000;

test('a half-open connection loses everything the server sends', async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  for (const { network } of conversation.tabs()) network.swallowAnswers();
  const from = performance.now();
  conversation.burst(BURST);
  // Nothing heals the line: the pages have to find out, and HTTP has to carry what was written meanwhile.
  await vi.waitFor(() => expect(conversation.waiting()).toBe(0), TIMEOUT_MS);
  const sent = performance.now() - from;
  await vi.waitFor(() => {
    for (const { tabs } of conversation.agents)
      for (const { page } of tabs) expect(page.app.held()).toHaveLength(conversation.written());
  }, TIMEOUT_MS);
  const seen = performance.now() - from;
  await reportResult(world, 'half-open line', [
    `all sent after ${(sent / 1000).toFixed(1)} s and seen after ${(seen / 1000).toFixed(1)} s at ten times the speed (heartbeats at their own)`,
  ]);
});

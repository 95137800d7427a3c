import { expect, test, vi } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const TABS = 3;
const BURST = 30;
const TIMEOUT_MS = 300_000;

test(`${TABS} tabs of each person write at once`, async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  for (const participant of conversation.everybody) while (participant.tabs.length < TABS) participant.open();
  for (const { tabs } of conversation.agents) for (const { page } of tabs) page.app.show(conversation.chats);
  await vi.waitFor(
    () => expect(conversation.tabs().every(({ page }) => page.app.held().length > 0)).toBe(true),
    TIMEOUT_MS,
  );
  conversation.burst(BURST);
  await reportResult(world, `${TABS} tabs each`);
});

test('tabs are closed while sending, and opened again', async () => {
  const world = await createWorld();
  const conversation = await startConversation(world);
  for (const { network } of conversation.tabs()) network.setDown(true);
  conversation.burst(BURST);
  let kept = 0;
  for (const participant of conversation.everybody) {
    const [tab] = participant.tabs;
    if (!tab) continue;
    kept += tab.page.app.waiting();
    participant.open();
    participant.shut(tab);
  }
  await reportResult(world, 'tabs closed with unsent text', [`${kept} messages waited in storage`]);
});

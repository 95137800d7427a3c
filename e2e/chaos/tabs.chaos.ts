import { expect, test, vi } from 'vitest';
import { beginTalk } from '../delivery/talk.ts';
import { createWorld } from '../delivery/world.ts';
import { tellResult } from './tell.ts';

const TABS = 3;
const BURST = 30;
const TIMEOUT_MS = 300_000;

test(`${TABS} tabs of everybody, all writing at once`, async () => {
  const world = await createWorld();
  const talk = await beginTalk(world);
  for (const party of talk.everybody) while (party.tabs.length < TABS) party.open();
  for (const { tabs } of talk.agents) for (const { page } of tabs) page.face.show(talk.chats);
  await vi.waitFor(() => expect(talk.tabs().every(({ page }) => page.face.held().length > 0)).toBe(true), TIMEOUT_MS);
  talk.burst(BURST);
  await tellResult(world, `${TABS} tabs each`);
});

test('tabs closed with text on its way, and opened again', async () => {
  const world = await createWorld();
  const talk = await beginTalk(world);
  for (const { line } of talk.tabs()) line.setDown(true);
  talk.burst(BURST);
  let kept = 0;
  for (const party of talk.everybody) {
    const [tab] = party.tabs;
    if (!tab) continue;
    kept += tab.page.face.waiting();
    party.open();
    party.shut(tab);
  }
  await tellResult(world, 'tabs closed with unsent text', [`${kept} messages waited in storage`]);
});

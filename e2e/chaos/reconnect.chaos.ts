import { expect, test, vi } from 'vitest';
import { buildBundles } from '../delivery/bundles.ts';
import { createVisitor } from '../delivery/participants.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

const CROWD = 2_000;
/** So many arrive at a time at first. */
const GROUP = 100;
const TIMEOUT_MS = 10 * 60_000;

test(`${CROWD} visitors reconnect at once`, async () => {
  const world = await createWorld({ visitors: 1, pace: 1 });
  // Two thousand threads on one screen are another trial.
  for (const { tabs } of world.agents.splice(0)) for (const { page } of tabs) page.close();
  const bundles = await buildBundles();
  const origin = `http://127.0.0.1:${world.parley.port}`;
  const { widgetCode } = world.site;
  const crowd = world.visitors.filter(({ site }) => site === 'A');
  const connected = () => crowd.filter(({ tabs }) => tabs[0]?.page.app.connected()).length;
  while (crowd.length < CROWD) {
    for (let i = 0; i < GROUP && crowd.length < CROWD; i++) {
      const visitor = createVisitor(`v${crowd.length + 1}`, 'A', widgetCode, { origin, bundles, pace: 1 });
      crowd.push(visitor);
      world.visitors.push(visitor);
    }
    await vi.waitFor(() => expect(connected()).toBe(crowd.length), { timeout: TIMEOUT_MS });
  }
  for (const visitor of crowd) {
    visitor.wrote.push(`A ${visitor.name} #1`);
    visitor.tabs[0]?.page.app.send(`A ${visitor.name} #1`);
  }
  const from = performance.now();
  await world.parley.kill9();
  await world.parley.restart();
  await vi.waitFor(() => expect(connected()).toBe(CROWD), { timeout: TIMEOUT_MS });
  const back = ((performance.now() - from) / 1000).toFixed(1);
  const waiting = () => crowd.reduce((sum, { tabs }) => sum + (tabs[0]?.page.app.waiting() ?? 0), 0);
  await vi.waitFor(() => expect(waiting()).toBe(0), { timeout: TIMEOUT_MS });
  const sent = ((performance.now() - from) / 1000).toFixed(1);
  await reportResult(world, `${CROWD} visitors at once`, [
    `all connected ${back} s after the kill, all ${CROWD} messages taken after ${sent} s`,
  ]);
});

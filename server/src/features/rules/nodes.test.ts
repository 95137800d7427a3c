import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startCluster, type TestCluster } from '#test/nodes';
import type { RuleRun } from '../../../contract.ts';

const START_MS = 120_000;
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster(2);
}, START_MS);
afterAll(() => cluster.stop());

test('of two nodes, one does what a rule says, once', async () => {
  const [first, second] = cluster.nodes.map(({ api }) => api);
  if (!first || !second) return expect.fail('there are no two nodes');
  const { token } = await signUp(first);
  const site = await createSite(first, token);
  const body = { siteId: site._id, shortcut: 'soon', content: 'We are on it.' };
  const { reply } = (await first('POST /canned-replies', { token, body })).body.data;
  const actions = [
    { do: 'tag', tag: 'seen' },
    { do: 'reply', reply: reply._id },
  ];
  const rule = { name: 'Each', event: 'message', actions };
  expect((await second(`POST /sites/${site._id}/rules`, { token, body: rule })).status).toBe(201);
  const chats = new Set<string>();
  for (const api of [first, second, first, second]) {
    const session = await visit(api, site);
    await say(api, site, session, 'Hello');
    chats.add(await say(api === first ? second : first, site, session, 'Anybody?'));
  }
  const runs: RuleRun[] = await until(async () => {
    const { data } = (await second(`GET /sites/${site._id}/rules/runs`, { token })).body;
    return data.runs.length >= 2 * chats.size && data.runs;
  });
  expect(runs).toHaveLength(2 * chats.size);
  for (const chat of chats) {
    const { messages } = (await first(`GET /chats/${chat}/messages`, { token })).body.data;
    const senders = messages.map(({ sender }: { sender: string }) => sender).sort();
    expect(senders).toEqual(['agent', 'agent', 'visitor', 'visitor']);
  }
});

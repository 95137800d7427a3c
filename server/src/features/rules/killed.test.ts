import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { type SurvivingStore, startSurvivingStore } from '#test/killedNode';
import { uploadToReply } from '#test/uploads';
import type { RuleRun, Site } from '../../../contract.ts';

const KILL_MS = 180_000;
/** Longer than the lease of a rule's work. */
const LATER_MS = 70_000;

let store: SurvivingStore;
let owner: Account;
let site: Site;

beforeAll(async () => {
  store = await startSurvivingStore({}, { beatEveryMs: 200, reconcileEveryMs: 200, noticesEveryMs: 50 });
  const server = await store.serve();
  const { api } = server;
  owner = await signUp(api);
  const { token } = owner;
  site = await createSite(api, token);
  const body = { siteId: site._id, shortcut: 'soon', content: 'We are on it.' };
  const { reply } = (await api('POST /canned-replies', { token, body })).body.data;
  await uploadToReply(server, token, reply._id, 'all prices', { name: 'prices.txt' });
  const actions = [
    { do: 'reply', reply: reply._id },
    { do: 'tag', tag: 'first' },
    { do: 'tag', tag: 'last' },
  ];
  await api(`POST /sites/${site._id}/rules`, { token, body: { name: 'Soon', event: 'opened', actions } });
  await server.stop();
});
afterAll(() => store.stop());

const QUEUED = '\x02update\0\x09\0\0\0ruleRuns\0';
const FILED = '\x02insert\0\x06\0\0\0files\0';
const NOTED = '\x02outcome\0';

test.each<[step: string, text: string, isForwarded: boolean]>([
  ['before its work is in the queue', QUEUED, false],
  ['between the text of an answer and its file', FILED, true],
  ['when an action is done, and nothing knows of it', NOTED, false],
  ['between two actions', NOTED, true],
])('of a process that is killed %s, another does the rest once', { timeout: KILL_MS }, async (_, text, isForwarded) => {
  const node = await store.startNode();
  const session = await visit(node.api, site);
  store.killAt(text, isForwarded);
  // The answer to the visitor may be lost with the process.
  const answered = say(node.api, site, session, 'Hello').catch(() => null);
  await store.killed();
  await answered;

  const { api, stop } = await store.serve(LATER_MS);
  const ask = async (call: string) => (await api(call, { token: owner.token })).body.data;
  const run: RuleRun = await until(async () => {
    const { runs } = await ask(`GET /sites/${site._id}/rules/runs`);
    const { chats } = await ask(`GET /chats/site/${site._id}`);
    return runs.length === chats.length && runs[0];
  });
  for (const { outcome } of run.actions) expect(['done', 'unchanged']).toContain(outcome);
  expect((await ask(`GET /chats/${run.chatId}`)).chat.tags).toEqual(['first', 'last']);
  const { messages } = await ask(`GET /chats/${run.chatId}/messages`);
  const said = ['Hello', 'We are on it.', 'prices.txt'];
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(said);
  await stop();
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { openHelpCenter, publish } from '#test/helpCenter';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import type { AssistantTests, Site } from '../../../../contract.ts';

const ANSWER = 'You can return items within 30 days of delivery.';
const QUESTION = 'How many days do I have to return items after delivery?';

let standIn: ModelStandIn;
let server: TestServer;
let owner: Account;
let site: Site;
let article: string;

beforeAll(async () => {
  standIn = await startStandIn();
  server = await startServer({ model: modelOf(standIn, { tokensPerDay: 1_000_000 }) });
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  await openHelpCenter(site);
  article = await publish(site, { en: { title: 'Returns and refunds', text: `${ANSWER} Use the original box.` } });
});
afterAll(async () => {
  await server.stop();
  await standIn.stop();
});

const ask = async (call: string, body?: object) => (await server.api(call, { token: owner.token, body })).body.data;
const tests = (): Promise<AssistantTests> => ask(`GET /sites/${site._id}/assistant/tests`);

test('what is tried goes the whole way, and its tokens are those of the site', async () => {
  const { run, links } = await ask(`POST /sites/${site._id}/assistant/try`, { question: QUESTION });
  expect(run).toMatchObject({ chatId: null, outcome: 'answered', answer: ANSWER, model: 'stand-in' });
  expect(run.sent.length).toBeGreaterThan(0);
  expect(links).toMatchObject([{ article, title: 'Returns and refunds' }]);
  const { assistant } = await ask(`GET /sites/${site._id}/assistant`);
  expect(assistant).toMatchObject({ model: 'stand-in', today: { tokens: run.tokens, limit: 1_000_000 } });
});

test('test questions are answered by the model, and keep their results while it is down', async () => {
  const asked = { _id: randomUUID(), question: QUESTION, lang: 'en', article };
  await ask(`PUT /sites/${site._id}/assistant/tests`, { tests: [asked], rev: 0 });
  const done = async () => (await tests()).running === false && tests();
  expect((await until(done)).tests[0]?.result).toMatchObject({ passed: true, got: article });

  const { at } = (await tests()).tests[0]?.result ?? {};
  standIn.use('500');
  await ask(`POST /sites/${site._id}/assistant/tests/run`);
  expect((await until(done)).tests[0]?.result).toMatchObject({ passed: true, at });
  standIn.use('none');
  await ask(`POST /sites/${site._id}/assistant/tests/run`);
  expect((await until(done)).tests[0]?.result).toMatchObject({ passed: false, got: null });
});

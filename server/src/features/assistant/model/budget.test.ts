import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ASSISTANT_DEFAULTS } from '#features/sites';
import { createSite, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import type { Site } from '../../../../contract.ts';
import { createBudget, utcDay } from './budget.ts';
import { assistDays, countAssist } from './days.ts';
import { createModel } from './model.ts';

let server: TestServer;
let standIn: ModelStandIn;
let site: Site;
/** Each test has a day of its own, long after all others. */
let at = Date.parse('2101-01-01T12:00:00Z');

beforeAll(async () => {
  [server, standIn] = [await sharedServer(), await startStandIn()];
  site = await createSite(server.api, (await signUp(server.api)).token);
});
beforeEach(() => {
  at += 86_400_000;
});
afterEach(() => {
  standIn.use();
  standIn.requests.length = 0;
});
afterAll(async () => {
  await standIn.stop();
  await server.stop();
});

const ASKED = [{ role: 'user' as const, content: 'What does it cost?' }];
const model = (tokensPerDay: number | null) => createModel(modelOf(standIn, { tokensPerDay }), () => at);
/** The site, with tokens of its own a day; 0: as many as there are. */
const payer = (tokensPerDay = 0) => ({
  _id: new Types.ObjectId(site._id),
  assistant: { ...ASSISTANT_DEFAULTS, tokensPerDay },
});
const ask = (tokensPerDay: number | null, more = {}) =>
  model(tokensPerDay).complete(payer(), ASKED, { maxTokens: 100, ...more });
const today = async () => (await assistDays(site._id, utcDay(at), utcDay(at)))[0];

test('two nodes that reserve at the same time have together what there is, to the token', async () => {
  const nodes = [createBudget(1_000, () => at), createBudget(1_000, () => at)];
  const tries = Array.from({ length: 60 }, (_, index) => nodes[index % 2]?.reserve(30 + (index % 3)));
  const results = await Promise.allSettled(tries);
  const granted = results.flatMap((result) => (result.status === 'fulfilled' && result.value) || []);
  const refused = results.filter(({ status }) => status === 'rejected');
  const sum = granted.reduce((all, { tokens }) => all + tokens, 0);
  expect(sum).toBeLessThanOrEqual(1_000);
  // Nothing that was refused would have had room at the end.
  expect(sum).toBeGreaterThan(1_000 - 33);
  expect(granted.length + refused.length).toBe(60);
  for (const node of nodes) expect(await node.today()).toEqual({ spent: sum, max: 1_000 });
  await Promise.all(granted.map((reservation) => nodes[0]?.settle(reservation, 3)));
  expect((await nodes[1]?.today())?.spent).toBe(granted.length * 3);
  await nodes[1]?.reserve(1_000 - granted.length * 3);
  await expect(nodes[0]?.reserve(1)).rejects.toMatchObject({ code: 'BUDGET_SPENT', status: 429 });
});

test('a call costs what the server says, which the figures of the site have, too', async () => {
  const { usage } = await ask(100_000);
  const used = usage.prompt + usage.completion;
  expect(await model(100_000).today()).toEqual({ spent: used, max: 100_000 });
  standIn.use('no-usage');
  const { usage: estimated } = await ask(100_000);
  const both = used + estimated.prompt + estimated.completion;
  expect((await model(100_000).today()).spent).toBe(both);
  expect((await today())?.tokens).toBe(both);
});

test('platform admins are told when four fifths of the tokens are used', async () => {
  const { usage } = await ask(null);
  const used = usage.prompt + usage.completion;
  expect(await model(null).notice()).toBeNull();
  expect(await model(Math.ceil(used / 0.7)).notice()).toBeNull();
  expect(await model(Math.floor(used / 0.85)).notice()).toMatchObject({
    about: 'model',
    percent: expect.closeTo(85, -1),
  });
  expect(await model(used).notice()).toEqual({ about: 'model', percent: 100 });
});

test('a spent budget asks nobody until the next day', async () => {
  const failure = await ask(120)
    .then(() => null)
    .catch((error) => error);
  expect(failure).toMatchObject({ code: 'BUDGET_SPENT', status: 429, retryAfter: 12 * 3_600 });
  expect(standIn.requests).toHaveLength(0);
  await ask(200);
  at += 86_400_000;
  expect((await model(200).today()).spent).toBe(0);
  await ask(200);
  await ask(null);
});

test.each([
  ['401', 0],
  ['429', 0],
  ['html', 0],
  ['silence', 6],
  ['cut=30', 6],
])('after %s the call has cost %d', async (script, cost) => {
  standIn.use(script);
  await expect(ask(100_000, { totalMs: 500 })).rejects.toThrow();
  expect((await model(null).today()).spent).toBe(cost);
});

test('what was said before a failure is counted', async () => {
  standIn.use('cut=2000');
  const said: string[] = [];
  const asked = [{ role: 'user' as const, content: 'ä'.repeat(300) }];
  const onText = (piece: string) => void said.push(piece);
  await expect(model(null).stream(payer(), asked, { maxTokens: 100, onText })).rejects.toThrow('in the middle');
  const text = said.join('');
  expect(text.length).toBeGreaterThan(0);
  expect((await model(null).today()).spent).toBe(200 + Math.ceil(Buffer.byteLength(text) / 3));
});

test('a site has no more than its own, however much the server has', async () => {
  await countAssist(site._id, { answered: 1 }, at);
  const tries = Array.from({ length: 8 }, () => model(100_000).complete(payer(500), ASKED, { maxTokens: 100 }));
  const results = await Promise.allSettled(tries);
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.usage : []));
  const used = answers.reduce((sum, { prompt, completion }) => sum + prompt + completion, 0);
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.length).toBeLessThan(8);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'BUDGET_SPENT' } });
  expect([(await today())?.tokens, (await model(null).today()).spent]).toEqual([used, used]);
  await expect(model(null).complete(payer(50), ASKED, { maxTokens: 100 })).rejects.toMatchObject({ status: 429 });
  await model(100_000).complete(payer(), ASKED, { maxTokens: 100 });
});

test('figures of a site add up by day, and go with it', async () => {
  const growths = Array.from({ length: 10 }, () => ({ answered: 1, tokens: 7, handedOver: 'unknown' }) as const);
  await Promise.all(growths.map((growth) => countAssist(site._id, growth, at)));
  await countAssist(site._id, { handedOver: 'asked', notHelped: 1, accepted: 2 }, at);
  expect(await today()).toMatchObject({
    answered: 10,
    tokens: 70,
    handedOver: { unknown: 10, asked: 1 },
    accepted: 2,
  });
  expect(await assistDays(site._id, '1999-01-01', '1999-12-31')).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, signUp, until } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { openHelpCenter, publish } from '#test/helpCenter';
import type { AssistantTest, AssistantTests, Site } from '../../../../contract.ts';
import { ArticleTextModel } from '../../articles/model.ts';
import { findMissedTests } from './running.ts';

let server: TestServer;
let owner: Account;
let site: Site;
let returns: string;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
});
afterAll(() => server.stop());
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  await openHelpCenter(site, {}, [{ en: 'Orders' }, { en: 'Gifts' }]);
  const text = 'Put the return label on the parcel within 30 days.';
  returns = await publish(site, { en: { title: 'Sending something back', text } });
  await publish(site, { en: { title: 'Gift cards', text: 'A gift card is valid for three years.' } });
});

const ask = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const read = async (): Promise<AssistantTests> => (await ask(`GET /sites/${site._id}/assistant/tests`)).body.data;
const save = (tests: Partial<AssistantTest>[], rev = 0) =>
  ask(`PUT /sites/${site._id}/assistant/tests`, {
    tests: tests.map((each) => ({ _id: randomUUID(), lang: 'en', article: null, ...each })),
    rev,
  });
const ended = () =>
  until(async () => {
    const tests = await read();
    return !tests.running && tests;
  });

test('questions are asked when they are saved, and say what was found', async () => {
  const saved = await save([
    { question: 'How do I send a parcel back?', article: returns },
    { question: 'Do you repair bicycles?' },
    { question: 'Is my gift card valid?', article: returns },
  ]);
  expect(saved.body.data).toMatchObject({ running: true, rev: 1 });
  const { tests } = await ended();
  expect(tests.map(({ result }) => result)).toMatchObject([
    { passed: true, got: returns, title: 'Sending something back' },
    { passed: true, got: null, title: null },
    { passed: false, title: 'Gift cards' },
  ]);
});

test('of two people who save questions at once the second gets a conflict, and one that stays keeps its result', async () => {
  const [first, other] = [
    { _id: randomUUID(), question: 'How do I send it back?', article: returns },
    { question: 'Hm?' },
  ];
  const both = await Promise.all([save([first]), save([first])]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await ended();
  const { body } = await save([first, other], 1);
  expect(body.data.tests.map(({ result }: AssistantTest) => result?.passed)).toEqual([true, undefined]);
  expect((await save([{ question: ' ' }], 2)).status).toBe(422);
  expect((await save([first, first], 2)).status).toBe(422);
});

test('they run again after an article was withdrawn, also if the process died in between', async () => {
  await save([{ question: 'How do I send a parcel back?', article: returns }]);
  await ended();
  await ask(`PATCH /articles/${returns}`, { status: 'archived' });
  await until(async () => (await read()).running);
  await ask(`POST /sites/${site._id}/assistant/tests/run`);
  expect((await ended()).tests[0]?.result).toMatchObject({ passed: false, got: null });

  const text = 'Put the label on the parcel and send it back.';
  const again = await publish(site, { en: { title: 'Sending back', text } });
  await ArticleTextModel.updateOne({ article: again }, { $set: { 'published.at': new Date() } });
  expect((await read()).running).toBe(false);
  await findMissedTests(Date.now() + 10 * 60_000, AbortSignal.timeout(60_000));
  expect((await read()).running).toBe(true);
  await ask(`POST /sites/${site._id}/assistant/tests/run`);
  expect((await ended()).tests[0]?.result).toMatchObject({ passed: false, got: again });
});

test('a question is tried without a chat, with the articles of the chosen categories only', async () => {
  const path = `POST /sites/${site._id}/assistant/try`;
  const { data } = (await ask(path, { question: 'How long is a gift card valid?' })).body;
  expect(data).toMatchObject({ run: null, links: [{ title: 'Gift cards', lang: 'en' }] });
  await ask(`PATCH /sites/${site._id}/assistant`, { categories: [randomUUID()], rev: 0 });
  expect((await ask(path, { question: 'How long is a gift card valid?' })).body.data.links).toEqual([]);
  expect((await ask(path, { question: '' })).status).toBe(422);
});

test('the state says that there is no model, and the days are there although nothing has happened', async () => {
  const { assistant } = (await ask(`GET /sites/${site._id}/assistant`)).body.data;
  expect(assistant).toMatchObject({ model: null, today: { tokens: 0, limit: null, isServerSpent: false } });
  const { days } = (await ask(`GET /sites/${site._id}/assistant/days?days=7`)).body.data;
  expect(days).toHaveLength(7);
  expect(days.at(-1)).toMatchObject({ day: new Date().toISOString().slice(0, 10), answered: 0, handedOver: {} });
});

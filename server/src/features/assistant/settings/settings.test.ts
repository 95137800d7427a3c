import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { Site } from '../../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const asOwner = (call: string, body?: object) => server.api(call, { token: owner.token, body });

test('a site answers with nothing but links until somebody changes that', async () => {
  const { body } = await asOwner(`GET /sites/${site._id}/assistant`);
  expect(body.data.assistant).toEqual({
    step: 'links',
    when: 'always',
    name: '',
    categories: [],
    languages: [],
    tokensPerDay: 0,
    rev: 0,
    model: null,
    today: { tokens: 0, limit: null, isServerSpent: false },
  });
});

test('of two people who change the settings at once, the second one gets a conflict', async () => {
  const path = `PATCH /sites/${site._id}/assistant`;
  const answers = await Promise.all([
    asOwner(path, { step: 'suggest', name: '  Robo ', rev: 0 }),
    asOwner(path, { step: 'answer', rev: 0 }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('SETTINGS_CHANGED');
  const { assistant } = (await asOwner(path, { step: 'suggest', name: ' Robo ', rev: 1 })).body.data;
  expect(assistant).toMatchObject({ step: 'suggest', name: 'Robo', rev: 2 });
  expect((await asOwner(`GET /sites/${site._id}`)).body.data.site.assistantStep).toBe('suggest');
  expect((await asOwner(path, { step: 'all', languages: ['xx'], tokensPerDay: -1, rev: 2 })).status).toBe(422);
});

test('agents see the settings and change nothing', async () => {
  const ben = await signUp(server.api, 'Ben Okafor');
  await join(site, ben, 'agent');
  expect((await server.api(`GET /sites/${site._id}/assistant`, { token: ben.token })).status).toBe(200);
  const change = { token: ben.token, body: { step: 'links', rev: 2 } };
  expect((await server.api(`PATCH /sites/${site._id}/assistant`, change)).status).toBe(403);
});

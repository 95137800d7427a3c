import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { startNode } from '#test/nodes';
import type { Site } from '../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ publicUrl: 'https://chat.example.com' });
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

test('private answers are kept in no cache, and those for everybody in that of the browser', async () => {
  const { _id } = await newChat(server.api, site, owner.token);
  const kept = async (call: string, more: object = {}) =>
    (await server.api(call, { token: owner.token, ...more })).headers['cache-control'];
  const login = { body: { email: owner.user.email, password: PASSWORD } };
  expect(await kept('POST /auth/login', login)).toBe('no-store');
  for (const path of [
    'auth/profile',
    'sites',
    `sites/${site._id}/identity-secret`,
    `chats/${_id}`,
    `chats/${_id}/export`,
  ])
    expect(await kept(`GET /${path}`), path).toBe('no-store');
  expect(await kept('GET /chats/unknown')).toBe('no-store');
  expect(await kept(`GET /widget/${site.widgetCode}`)).toMatch(/^max-age=/);
  expect(await kept('GET /openapi.json')).toBe('no-cache');
});

test('browsers reach it by HTTPS only, where that is how people reach it', async () => {
  const of = async ({ url }: { url: string }) =>
    (await fetch(`${url}/healthz`)).headers.get('strict-transport-security');
  expect(await of(server)).toBe('max-age=15552000');
  const plain = await startNode();
  expect(await of(plain)).toBeNull();
  await plain.stop();
});

test('a key with a dot is not the field of an object', async () => {
  const change = { 'settings.maskCards': false, name: 'Other' };
  const { body } = await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: change });
  expect(body.data.site).toMatchObject({ name: 'Other', settings: { maskCards: true } });
});

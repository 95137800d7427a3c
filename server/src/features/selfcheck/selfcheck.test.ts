import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connection } from '#platform/database';
import { type Account, BROWSER, createSite, join, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { modelOf, startStandIn } from '#test/modelStandIn';
import { type PushService, startPushService } from '#test/pushes';
import type { SelfCheck } from '../../../contract.ts';

const PUBLIC_URL = 'https://chat.example.com';
const PROXY = {
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'chat.example.com',
};

let server: TestServer;
let service: PushService;
let owner: Account;

beforeAll(async () => {
  service = await startPushService();
  server = await startServer({ trustProxy: ['loopback'], publicUrl: PUBLIC_URL }, { pushAgent: service.agent });
  owner = await signUp(server.api);
});
afterEach(() => service.answer(201));
afterAll(async () => {
  await server.stop();
  await service.stop();
});

const check = async ({ token }: Account, headers = {}): Promise<SelfCheck> =>
  (await server.api('GET /self-check', { token, headers })).body.data;

test('behind a trusted proxy the connection is shown as the client sees it', async () => {
  const expected = { ip: '203.0.113.7', https: true, host: 'chat.example.com', isPublicUrl: true, proxy: 'trusted' };
  expect((await check(owner, PROXY)).connection).toEqual(expected);
});

test('a direct connection is shown as not proxied', async () => {
  const { connection } = await check(owner);
  expect(connection).toMatchObject({ ip: '127.0.0.1', https: false, isPublicUrl: false, proxy: 'none' });
});

test("it reports mail, store, push and where the widgets of the caller's sites were seen", async () => {
  const [shop, ben] = [await createSite(server.api, owner.token), await signUp(server.api)];
  await join(shop, ben, 'viewer');
  await server.api(`GET /widget/${shop.widgetCode}`, { headers: { ...BROWSER, Origin: 'https://shop.example.com' } });
  await expect.poll(async () => (await check(ben)).sites[0]?.installation.origin).toBe('https://shop.example.com');
  const { mail, storage, push, sites } = await check(ben);
  expect([mail, push]).toEqual([{ configured: false }, { devices: 0 }]);
  expect(storage).toEqual({ writable: true });
  // Some databases that speak MongoDB's protocol say nothing of their disk.
  const told = (await connection.db?.command({ dbStats: 1 }))?.fsTotalSize !== undefined;
  expect((await check(owner)).storage).toEqual({ writable: true, percentFull: told ? expect.any(Number) : null });
  const { _id, name, domain } = shop;
  expect(sites).toMatchObject([{ _id, name, domain, widgetEnabled: true }]);
  expect((await check(await signUp(server.api))).sites).toEqual([]);
});

test("a test notification is sent to the caller's devices once, with the result", async () => {
  const ring = async () => (await server.api('POST /self-check/push', { token: owner.token })).body.data;
  expect(await ring()).toEqual({ sent: 0, gone: 0, failed: 0 });
  const bell = service.newDevice();
  await server.api('POST /push/subscriptions', { token: owner.token, body: bell.device });
  expect((await check(owner)).push).toEqual({ devices: 1 });
  expect(await ring()).toEqual({ sent: 1, gone: 0, failed: 0 });
  expect(bell.received).toMatchObject([{ payload: { title: 'Parley', chatId: null } }]);
  const before = service.asked;
  service.answer(503);
  expect([await ring(), service.asked - before]).toEqual([{ sent: 0, gone: 0, failed: 1 }, 1]);
  service.answer(410);
  expect(await ring()).toEqual({ sent: 0, gone: 1, failed: 0 });
  expect((await check(owner)).push).toEqual({ devices: 0 });
});

test('a proxy that is not trusted is reported', async () => {
  await server.stop();
  server = await startServer({ trustProxy: ['10.0.0.0/8'] });
  const { connection } = await check(await signUp(server.api), PROXY);
  expect(connection).toMatchObject({ ip: '127.0.0.1', https: false, isPublicUrl: null, proxy: 'ignored' });
});

test("platform admins hear what the operator's language model says to one question, or why it says nothing", async () => {
  await server.stop();
  const standIn = await startStandIn();
  server = await startServer({ model: modelOf(standIn, { tokensPerDay: 5_000 }) });
  const admin = await signUp(server.api);
  const other = await signUp(server.api);
  const ask = ({ token }: Account) => server.api('POST /self-check/model', { token });
  expect((await check(admin)).model).toEqual({ name: 'stand-in', host: new URL(standIn.url).host });
  expect((await check(other)).model).toBeUndefined();
  expect((await ask(other)).status).toBe(403);
  expect((await ask(admin)).body.data.test).toMatchObject({
    answer: 'Which day comes after Monday?',
    isEstimated: false,
  });
  standIn.use('html');
  const { status, body } = await ask(admin);
  expect([status, body.code, body.message]).toEqual([
    502,
    'MODEL_NOTTHEPROTOCOL',
    expect.stringContaining('chat completions'),
  ]);
  await standIn.stop();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';

const WRONG_TRIES = 10;
const REGISTERED_PER_HOUR = 10;
const VISITORS_PER_MINUTE = 30;
const CALLS_PER_MINUTE = 600;
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ rateLimits: true, signup: 'open' });
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

/** A caller behind a proxy of the same machine, which is trusted unless the operator says otherwise. */
const from = (address: string) => ({ 'X-Forwarded-For': address });

type Answer = Awaited<ReturnType<TestServer['api']>>;

function expectSlowDown({ status, body, headers }: Answer): void {
  expect(status).toBe(429);
  expect(body).toMatchObject({ success: false, code: 'RATE_LIMITED' });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(body.retryAfter).toBe(Number(headers['retry-after']));
}

test('after ten wrong passwords an account is blocked for a while, and others are not', async () => {
  const victim = await signUp(server.api);
  const other = await signUp(server.api);
  const tryIn = (email: string, password: string) => server.api('POST /auth/login', { body: { email, password } });
  for (let tries = 0; tries < WRONG_TRIES; tries++)
    expect((await tryIn(victim.user.email, 'not-the-one-at-all')).status).toBe(401);
  const refused = await tryIn(victim.user.email, victim.password);
  expect(refused.status).toBe(429);
  expect(refused.body.code).toBe('RATE_LIMITED');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await tryIn(other.user.email, other.password)).status).toBe(200);
});

const register = (to: TestServer, address: string) =>
  to.api('POST /auth/register', {
    headers: from(address),
    body: { name: 'Ana', email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, confirmPassword: PASSWORD },
  });

test('an address can create ten accounts an hour, also with concurrent calls', async () => {
  const tries = Array.from({ length: REGISTERED_PER_HOUR + 2 }, () => register(server, '203.0.113.1'));
  const answers = await Promise.all(tries);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(REGISTERED_PER_HOUR);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(2);
  refused.forEach(expectSlowDown);
  expect((await register(server, '203.0.113.2')).status).toBe(201);
});

test('an address can create thirty visitors a minute; resuming one is not limited', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const open = (body: object = {}) =>
    server.api(`POST /widget/${site.widgetCode}/session`, { headers: from('203.0.113.9'), body });
  const answers = await Promise.all(Array.from({ length: VISITORS_PER_MINUTE }, () => open()));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expectSlowDown(await open());
  const [first] = answers;
  expect((await open({ visitorToken: first?.body.data.visitorToken })).status).toBe(200);
});

test('an account can make six hundred calls a minute on all devices, over HTTP and sockets, independently of others', async () => {
  const [busy, other] = [await signUp(server.api), await signUp(server.api)];
  const call = (token: string) =>
    fetch(`${server.url}/api/auth/profile`, { headers: { Authorization: `Bearer ${token}` } });
  const statuses: number[] = [];
  while (statuses.length < CALLS_PER_MINUTE) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => call(busy.token)));
    statuses.push(...batch.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(CALLS_PER_MINUTE);
  expectSlowDown(await server.api('GET /auth/profile', { token: busy.token }));
  const login = { email: busy.user.email, password: busy.password };
  const second = (await server.api('POST /auth/login', { body: login })).body.data.token;
  expectSlowDown(await server.api('GET /auth/profile', { token: second }));
  const ear = await connectStaff(server.url, busy.token);
  // Asked before the payload is looked at, which costs more.
  expect(await ear.ask('set_availability', { online: 'no' })).toMatchObject({
    ok: false,
    code: 'RATE_LIMITED',
    retryable: true,
    retryAfterMs: expect.any(Number),
  });
  expect((await call(other.token)).status).toBe(200);
});

test('an account can try five new email addresses an hour, so that nobody finds out which are taken', async () => {
  const [{ token }, other] = [await signUp(server.api), await signUp(server.api)];
  const change = (email: string) =>
    server.api('PUT /auth/profile', { token, body: { email, currentPassword: PASSWORD } });
  for (let n = 0; n < 5; n++) expect((await change(other.user.email)).status).toBe(409);
  expectSlowDown(await change(other.user.email));
  expect((await server.api('PUT /auth/profile', { token, body: { name: 'Still me' } })).status).toBe(200);
});

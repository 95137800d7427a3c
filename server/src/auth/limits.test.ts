import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';

const WRONG_TRIES = 10;
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ rateLimits: true, signup: 'open' });
});
afterAll(() => server.stop());

test('after ten wrong passwords an account is left alone for a while, and others are not', async () => {
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

import { afterEach, expect, test } from 'vitest';
import { PASSWORD } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Env, readEnv } from '../../platform/env/index.ts';

const REGISTERED_PER_HOUR = 10;
let server: TestServer | undefined;

afterEach(() => server?.stop());

/** How many of eleven sign-ups are refused, each of which says that it comes from another address. */
async function refused(trustProxy: Env['trustProxy'], addresses: (n: number) => string): Promise<number> {
  server = await startServer({ rateLimits: true, trustProxy });
  const { api } = server;
  const answers = await Promise.all(
    Array.from({ length: REGISTERED_PER_HOUR + 1 }, (_, n) => {
      const form = { name: 'Ana', email: `n${n}@example.com`, password: PASSWORD, confirmPassword: PASSWORD };
      return api('POST /auth/register', { headers: { 'X-Forwarded-For': addresses(n) }, body: form });
    }),
  );
  return answers.filter(({ status }) => status === 429).length;
}

test.each<[Env['trustProxy'], string, number]>([
  [['loopback'], 'the address given by a trusted proxy counts', 0],
  [false, 'no forwarded address counts', 1],
  [['10.0.0.0/8'], 'only another machine is trusted', 1],
])('TRUST_PROXY %j: %s', async (trustProxy, _what, expected) => {
  expect(await refused(trustProxy, (n) => `203.0.113.${n}`)).toBe(expected);
});

test('with one trusted hop, addresses written by the caller are ignored', async () => {
  expect(await refused(1, (n) => `203.0.113.${n}, 198.51.100.7`)).toBe(1);
});

test('the addresses of one IPv6 network share a limit, because one customer has all of them', async () => {
  expect(await refused(['loopback'], (n) => `2001:db8:1:2::${n}`)).toBe(1);
});

test('by default a caller in a private network cannot choose its address', async () => {
  expect(await refused(readEnv({ TRUST_PROXY: '' }).trustProxy, (n) => `203.0.113.${n}, 10.0.0.9`)).toBe(1);
});

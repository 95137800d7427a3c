import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';

const STEP_MS = 30_000;
/** Wrong codes that one account may try. */
const GUESSES = 5;
const NEW_PASSWORD = 'another-calm-river';
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ rateLimits: true, limits: { registerPerIp: 100 } });
});
afterAll(() => server.stop());

/** Somebody new with two-factor sign-in on. `ask` makes a call with the password. */
async function signUpProtected() {
  const { token, user } = await signUp(server.api);
  const { secret } = (await server.api('POST /auth/two-factor/setup', { token })).body.data;
  const codeIn = (steps: number) => generate({ secret, epoch: Math.floor((Date.now() + steps * STEP_MS) / 1000) });
  const form = { code: await codeIn(0), currentPassword: PASSWORD };
  const enabled = await server.api('POST /auth/two-factor/enable', { token, body: form });
  const recoveryCodes: string[] = enabled.body.data.recoveryCodes;
  const ask = (call: string, body: object) => server.api(call, { token, body: { currentPassword: PASSWORD, ...body } });
  return { token, user, codeIn, recoveryCodes, ask };
}
type Protected = Awaited<ReturnType<typeof signUpProtected>>;

/** Everything that weakens or outlives a session; `more` is the second step. */
const CHANGES: [string, (who: Protected, more: object) => ReturnType<Protected['ask']>][] = [
  ['two-factor sign-in off', ({ ask }, more) => ask('POST /auth/two-factor/disable', more)],
  [
    'two-factor sign-in off in the settings',
    ({ token }, more) => {
      const data = { twoFactorEnabled: false, currentPassword: PASSWORD, ...more };
      return server.api('PATCH /settings', { token, body: { section: 'security', data } });
    },
  ],
  ['new recovery codes', ({ ask }, more) => ask('POST /auth/two-factor/recovery-codes', more)],
  ['an API key', ({ ask }, more) => ask('POST /api-keys', { name: 'Till', scope: 'manage', ...more })],
  ['another password', ({ ask }, more) => ask('PUT /auth/password', { newPassword: NEW_PASSWORD, ...more })],
  [
    'another address',
    ({ ask }, more) => ask('PUT /auth/profile', { email: `${crypto.randomUUID()}@example.com`, ...more }),
  ],
  [
    'another address in the settings',
    ({ token }, more) => {
      const data = { email: `${crypto.randomUUID()}@example.com`, currentPassword: PASSWORD, ...more };
      return server.api('PATCH /settings', { token, body: { section: 'account', data } });
    },
  ],
];

test.each(CHANGES)('%s: asks for the second step, too, and takes a code once', async (_, change) => {
  const [ana, ben] = [await signUpProtected(), await signUpProtected()];
  const foreign = ben.recoveryCodes[0];
  const refused = [
    await change(ana, {}),
    await change(ana, { code: '000000' }),
    await change(ana, { recoveryCode: foreign }),
  ];
  expect(refused.map(({ status, body }) => [status, body.errors[0].path])).toEqual([
    [422, 'code'],
    [422, 'code'],
    [422, 'recoveryCode'],
  ]);
  expect((await server.api('GET /auth/sessions', { token: ana.token })).body.data.sessions).toHaveLength(1);
  const code = await ana.codeIn(1);
  expect((await change(ana, { code })).status).toBeLessThan(300);
  const [recoveryCode] = ben.recoveryCodes;
  const both = await Promise.all([change(ben, { recoveryCode }), change(ben, { recoveryCode })]);
  expect(both.map(({ status }) => status < 300).sort()).toEqual([false, true]);
});

test('wrong codes count as those at log-in, and a recovery code still works', async () => {
  const ana = await signUpProtected();
  const guesses = Array.from({ length: GUESSES + 2 }, () =>
    ana.ask('POST /auth/two-factor/disable', { code: '000000' }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(GUESSES).fill(422), 429, 429]);
  const login = { email: ana.user.email, password: PASSWORD, code: await ana.codeIn(1) };
  expect((await server.api('POST /auth/login', { body: login })).status).toBe(429);
  const [recoveryCode] = ana.recoveryCodes;
  expect((await ana.ask('POST /auth/two-factor/disable', { recoveryCode })).status).toBe(200);
});

test('an unfit password and an unknown site are refused before a code is used up', async () => {
  const ana = await signUpProtected();
  const code = await ana.codeIn(1);
  const weak = await ana.ask('PUT /auth/password', { newPassword: 'short', code });
  expect(weak.body.errors[0].path).toBe('newPassword');
  const form = { name: 'Till', scope: 'read', siteIds: ['0'.repeat(24)], code };
  expect((await ana.ask('POST /api-keys', form)).status).toBe(404);
  expect((await ana.ask('PUT /auth/password', { newPassword: NEW_PASSWORD, code })).status).toBe(200);
});

import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { resetLinkFor } from './actions.ts';
import { UserModel } from './model.ts';

const TRIES = 10;
const ACCOUNT_TRIES = 100;
const CODE_TRIES = 5;
const STEP_MS = 30_000;
const NEW_PASSWORD = 'another-calm-river';
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ rateLimits: true, logLevel: 'fatal' });
});
afterAll(() => server.stop());

let networks = 0;
/** An address that nobody has called from yet. */
const elsewhere = () => ({ 'X-Forwarded-For': `2001:db8:${(++networks).toString(16)}::1` });

async function login(email: string, password: string, headers: Record<string, string>, more: object = {}) {
  const { status } = await server.api('POST /auth/login', { headers, body: { email, password, ...more } });
  return status;
}

const wrong = (email: string, headers: Record<string, string>, more: object = {}) =>
  login(email, 'not-the-one-at-all', headers, more);

/** Strangers of many networks guess until the account is left alone for all who are unknown to it. */
async function besiege(email: string): Promise<void> {
  const guesses = Array.from({ length: ACCOUNT_TRIES / TRIES }, () => {
    const headers = elsewhere();
    return Array.from({ length: TRIES }, () => wrong(email, headers));
  });
  expect(await Promise.all(guesses.flat())).toContain(401);
  expect(await wrong(email, elsewhere())).toBe(429);
}

async function resetByOperator({ user }: Account, more: object = {}): Promise<void> {
  const said = await resetLinkFor(user.email, 'https://chat.example.com', Date.now());
  const [, token] = /#([\w-]+)/.exec(said) ?? [];
  const { status } = await server.api('POST /auth/reset', { body: { token, newPassword: NEW_PASSWORD, ...more } });
  expect(status).toBe(200);
}

test("guessing a password blocks the attacker's address, and not the owner", async () => {
  const { user } = await signUp(server.api);
  const stranger = elsewhere();
  for (let tries = 0; tries < TRIES; tries++) expect(await wrong(user.email, stranger)).toBe(401);
  expect(await login(user.email, PASSWORD, stranger)).toBe(429);
  expect(await login(user.email, PASSWORD, elsewhere())).toBe(200);
});

test('when many networks guess, a browser that has signed in before still can, from any address', async () => {
  const { user } = await signUp(server.api);
  const deviceToken = randomUUID();
  const office = elsewhere();
  expect(await login(user.email, PASSWORD, office, { deviceToken })).toBe(200);
  await besiege(user.email);
  for (let tries = 0; tries < TRIES; tries++) await wrong(user.email, office);
  expect(await login(user.email, PASSWORD, elsewhere())).toBe(429);
  expect(await login(user.email, PASSWORD, elsewhere(), { deviceToken: randomUUID() })).toBe(429);
  expect(await login(user.email, PASSWORD, office, { deviceToken })).toBe(200);
});

test('a known browser has the same limit of guesses, and is known to its own account only', async () => {
  const [owner, other] = [await signUp(server.api), await signUp(server.api)];
  const deviceToken = randomUUID();
  expect(await login(owner.user.email, PASSWORD, elsewhere(), { deviceToken })).toBe(200);
  for (let tries = 0; tries < TRIES; tries++)
    expect(await wrong(owner.user.email, elsewhere(), { deviceToken })).toBe(401);
  expect(await wrong(owner.user.email, elsewhere(), { deviceToken })).toBe(429);
  const here = elsewhere();
  for (let tries = 0; tries < TRIES; tries++) expect(await wrong(other.user.email, here, { deviceToken })).toBe(401);
  expect(await wrong(other.user.email, here, { deviceToken })).toBe(429);
});

test('a new password resets all counts, and makes its browser a known one', async () => {
  const owner = await signUp(server.api);
  const [home, deviceToken] = [elsewhere(), randomUUID()];
  for (let tries = 0; tries < TRIES; tries++) await wrong(owner.user.email, home);
  await besiege(owner.user.email);
  expect(await login(owner.user.email, PASSWORD, home)).toBe(429);
  await resetByOperator(owner, { deviceToken });
  expect(await login(owner.user.email, NEW_PASSWORD, home)).toBe(200);
  await besiege(owner.user.email);
  expect(await login(owner.user.email, NEW_PASSWORD, home, { deviceToken })).toBe(200);
});

test('only hashes of browser tokens are stored, for the latest twenty browsers', async () => {
  const { user } = await signUp(server.api);
  const tokens = Array.from({ length: 22 }, () => randomUUID());
  for (const deviceToken of tokens) await login(user.email, PASSWORD, elsewhere(), { deviceToken });
  const [first, last] = [tokens[0], tokens.at(-1)];
  await login(user.email, PASSWORD, elsewhere(), { deviceToken: last });
  const kept = (await UserModel.findById(user._id).lean())?.knownDevices ?? [];
  expect(new Set(kept).size).toBe(20);
  expect(kept).toHaveLength(20);
  for (const token of tokens) expect(kept.join()).not.toContain(token);
  await besiege(user.email);
  expect(await login(user.email, PASSWORD, elsewhere(), { deviceToken: last })).toBe(200);
  expect(await login(user.email, PASSWORD, elsewhere(), { deviceToken: first })).toBe(429);
});

test('a browser token is long and has plain characters only', async () => {
  for (const deviceToken of ['short', 'x'.repeat(101), 'a token with blanks in it, quite long', 7, { $gt: '' }])
    expect(await login('nobody@example.com', PASSWORD, elsewhere(), { deviceToken })).toBe(422);
});

test('an attacker with the password who used up the codes blocks the owner only until the password is changed', async () => {
  const owner = await signUp(server.api);
  const { token } = owner;
  const { secret } = (await server.api('POST /auth/two-factor/setup', { token })).body.data;
  const codeIn = (ms: number) => generate({ secret, epoch: Math.floor((Date.now() + ms) / 1000) });
  await server.api('POST /auth/two-factor/enable', {
    token,
    body: { code: await codeIn(0), currentPassword: PASSWORD },
  });
  for (let tries = 0; tries < CODE_TRIES; tries++)
    expect(await login(owner.user.email, PASSWORD, elsewhere(), { code: '000000' })).toBe(401);
  expect(await login(owner.user.email, PASSWORD, elsewhere(), { code: await codeIn(STEP_MS) })).toBe(429);
  await resetByOperator(owner);
  const code = await codeIn(STEP_MS);
  expect(await login(owner.user.email, NEW_PASSWORD, elsewhere(), { code })).toBe(200);
});

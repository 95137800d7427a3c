import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';

const GUESSES = 5;
const STEP_MS = 30_000;
let server: TestServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-key-'));
  server = await startServer({ rateLimits: true, dataDir, mongodbUri: null });
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const codeOf = (secret: string, ahead = 0) => generate({ secret, epoch: Math.floor((Date.now() + ahead) / 1000) });

async function signUpProtected() {
  const { user, token } = await signUp(server.api);
  const { secret } = (await server.api('POST /auth/two-factor/setup', { token })).body.data;
  const enabled = await server.api('POST /auth/two-factor/enable', {
    token,
    body: { code: await codeOf(secret), currentPassword: PASSWORD },
  });
  const { recoveryCodes } = enabled.body.data;
  const login = async (more: object) =>
    (await server.api('POST /auth/login', { body: { email: user.email, password: PASSWORD, ...more } })).status;
  return { secret, recoveryCodes, login };
}

test('after five wrong codes further ones are refused for a while, and a recovery code still works', async () => {
  const { secret, recoveryCodes, login } = await signUpProtected();
  const guesses = Array.from({ length: GUESSES + 3 }, () => login({ code: '000000' }));
  expect((await Promise.all(guesses)).sort()).toEqual([...Array(GUESSES).fill(401), 429, 429, 429]);
  expect(await login({ code: await codeOf(secret, STEP_MS) })).toBe(429);
  expect(await login({ recoveryCode: recoveryCodes[0] })).toBe(200);
  expect(await (await signUpProtected()).login({})).toBe(401);
});

test('the key is created once, readable by its owner only, and kept over a restart', async () => {
  const { secret, login } = await signUpProtected();
  const file = path.join(dataDir, 'data-key');
  const key = await readFile(file, 'utf8');
  expect(key.length).toBeGreaterThanOrEqual(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await server.stop();
  server = await startServer({ rateLimits: true, dataDir, mongodbUri: null });
  expect(await readFile(file, 'utf8')).toBe(key);
  expect(await login({ code: await codeOf(secret, STEP_MS) })).toBe(200);
});

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSite, PASSWORD } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { newBrowser, PARLEY, startProvider, type TestProvider } from '#test/oidcStandIn';
import type { Env } from '../../platform/env/index.ts';
import { resetLinkFor } from '../auth/actions.ts';
import { UserModel } from '../auth/model.ts';
import { foundingCodeOf } from '../auth/signup.ts';

const JWT_SECRET = 'k3'.repeat(16);
let provider: TestProvider;
let server: TestServer;

beforeAll(async () => {
  provider = await startProvider({
    ana: { email: 'ana@acme.example', email_verified: true, name: 'Ana' },
    ben: { email: 'ben@acme.example', email_verified: true, name: 'Ben' },
  });
});
afterEach(() => server.stop());
afterAll(() => provider.stop());

async function start(env: Partial<Env>): Promise<void> {
  server = await startServer({ oidc: provider.settings, publicUrl: PARLEY, ...env });
}

function signIn(person: string, body: object = {}) {
  provider.person = person;
  return newBrowser(server.url).signIn(body);
}

test('where sign-up is closed, the provider opens it for nobody', async () => {
  await start({ signup: 'closed' });
  const { status, body } = await signIn('ana');
  expect([status, body.code]).toEqual([403, 'SIGNUP_CLOSED']);
});

test('where only the invited may join, the provider lets in those whose address is invited', async () => {
  await start({ signup: 'invited' });
  const { token } = (await signIn('ana')).body.data;
  expect((await signIn('ben')).body.code).toBe('SIGNUP_CLOSED');
  const site = await createSite(server.api, token);
  const invite = async (email: string) => {
    const body = { email, role: 'agent', siteId: site._id };
    return (await server.api('POST /team/invites', { token, body })).body.data.invite._id;
  };
  const forAnother = await invite('carl@acme.example');
  expect((await signIn('ben', { invite: forAnother })).body.code).toBe('SIGNUP_CLOSED');
  const forBen = await invite('ben@acme.example');
  const joined = await signIn('ben', { invite: forBen, returnTo: `/invite/${forBen}` });
  expect([joined.status, joined.body.data.returnTo]).toEqual([200, `/invite/${forBen}`]);
  const accepted = await server.api(`POST /invites/${forBen}/accept`, { token: joined.body.data.token });
  expect(accepted.status).toBe(200);
});

test('the first account needs the founding code, also of those who come from the provider', async () => {
  await start({ foundingCode: true, jwtSecret: JWT_SECRET });
  expect((await signIn('ana')).body.code).toBe('FOUNDING_CODE_REQUIRED');
  const founded = await signIn('ana', { foundingCode: foundingCodeOf(JWT_SECRET) });
  expect(founded.body.data.user.role).toBe('parley_admin');
  expect((await signIn('ben')).body.data.user.role).toBe('user');
});

test('where passwords are off, only a platform admin who could not sign in otherwise may use one', async () => {
  await start({ oidc: { ...provider.settings, only: true } });
  const login = (email: string) => server.api('POST /auth/login', { body: { email, password: PASSWORD } });
  const form = { name: 'Ada', email: 'ada@acme.example', password: PASSWORD, confirmPassword: PASSWORD };
  expect((await server.api('POST /auth/register', { body: form })).body).toMatchObject({
    code: 'PASSWORDS_OFF',
    message: 'This server does not use passwords. Please sign in with Acme ID.',
  });
  expect((await server.api('POST /auth/forgot', { body: { email: form.email } })).status).toBe(403);
  const admin = (await signIn('ana')).body.data.user;
  const user = (await signIn('ben')).body.data.user;
  const link = async (email: string) => /#([\w-]+)/.exec(await resetLinkFor(email, '', Date.now()))?.[1];
  const reset = async (email: string) =>
    server.api('POST /auth/reset', { body: { token: await link(email), newPassword: PASSWORD } });
  // The last admin, with a link of the operator.
  expect((await reset(admin.email)).status).toBe(200);
  expect((await login(admin.email)).status).toBe(200);
  expect((await reset(user.email)).body.code).toBe('PASSWORDS_OFF');
  const { passwordHash } = (await UserModel.findById(admin._id).lean()) ?? expect.fail();
  await UserModel.updateOne({ _id: user._id }, { $set: { passwordHash } });
  expect((await login(user.email)).body.code).toBe('PASSWORDS_OFF');
  // Whoever does not know the password learns nothing.
  const guess = { email: user.email, password: 'not-this-one-here' };
  expect((await server.api('POST /auth/login', { body: guess })).body.code).toBe('INVALID_CREDENTIALS');
  // With a second admin, neither of those who have signed in with the provider is the last.
  await UserModel.updateOne({ _id: user._id }, { $set: { role: 'parley_admin' } });
  expect((await login(admin.email)).body.code).toBe('PASSWORDS_OFF');
  await UserModel.updateOne({ _id: user._id }, { $unset: { oidc: 1 } });
  expect((await login(user.email)).status).toBe(200);
});

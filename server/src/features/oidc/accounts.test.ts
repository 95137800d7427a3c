import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { newBrowser, PARLEY, startProvider, type TestProvider } from '#test/oidcStandIn';
import { UserModel, userCache } from '../auth/model.ts';

let box: Mailbox;
let provider: TestProvider;
let server: TestServer;
let adminToken: string;

beforeAll(async () => {
  box = await startMailbox();
  provider = await startProvider({}, { admins: { claim: 'realm.roles', value: 'parley' } });
  server = await startServer({ ...mailingInto(box), oidc: provider.settings, publicUrl: PARLEY });
  adminToken = (await signUp(server.api, 'Admin')).token;
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  await box.stop();
});

let people = 0;

/** Somebody new at the provider, who is about to sign in there. */
function arrive(claims: object = {}): string {
  const subject = `person-${++people}`;
  provider.people[subject] = { email: `${subject}@acme.example`, email_verified: true, name: 'Pia', ...claims };
  provider.person = subject;
  return subject;
}

/** Somebody new with a password. */
async function member() {
  const account = await signUp(server.api);
  return { ...account, email: account.user.email };
}

const browser = () => newBrowser(server.url);
const signIn = (more: object = {}) => browser().signIn({}, more);
const post = (call: string, token: string, body: object = {}) => server.api(call, { token, body });

test('an account with the same address is taken for the same person only if both sides have proved the address', async () => {
  const known = await member();
  arrive({ email: known.email });
  expect((await signIn()).body.data.user._id).toBe(known.user._id);
  expect((await server.api('POST /auth/login', { body: { email: known.email, password: PASSWORD } })).status).toBe(200);

  const unproved = await member();
  await UserModel.updateOne({ _id: unproved.user._id }, { $set: { unprovedEmail: true } });
  arrive({ email: unproved.email });
  const refused = await signIn();
  expect([refused.status, refused.body.code]).toEqual([409, 'OIDC_NOT_CONNECTED']);
  expect(refused.body.message).toContain('Settings, Security, ‘Connect Acme ID’');

  for (const email_verified of [false, undefined, 'true']) {
    const other = await member();
    arrive({ email: other.email, email_verified });
    expect((await signIn()).body.code).toBe('OIDC_NOT_CONNECTED');
  }
});

test('an address of a newcomer that the provider has not proved is to be proved here', async () => {
  arrive({ email_verified: false });
  expect((await signIn()).body.data.user).toMatchObject({ unprovedEmail: true });
  arrive();
  expect((await signIn()).body.data.user.unprovedEmail).toBeUndefined();
});

test('another account of the provider with the same address is not the same person', async () => {
  const email = 'one@acme.example';
  arrive({ email });
  expect((await signIn()).status).toBe(200);
  arrive({ email });
  expect((await signIn()).body.code).toBe('OIDC_OTHER_ACCOUNT');
});

test('an account is connected in the settings, by the person who began it, and disconnected', async () => {
  const ana = await member();
  arrive({ email: 'different@acme.example' });
  const anas = browser();
  const wrong = await anas.call('POST /auth/oidc/connect', { currentPassword: 'wrong-one-here' }, ana.token);
  expect(wrong.body.errors[0].path).toBe('currentPassword');
  const begin = async () => {
    const { body } = await anas.call('POST /auth/oidc/connect', { currentPassword: PASSWORD }, ana.token);
    const back = await anas.back(await anas.atProvider(body.data.url));
    expect(back).toMatch(/^\/dashboard\/settings\?tab=security#oidc=/);
    return back.split('#oidc=')[1];
  };
  const ticket = await begin();
  expect((await anas.call('POST /auth/oidc/exchange', { ticket })).body.code).toBe('OIDC_EXPIRED');
  const other = await member();
  expect((await anas.call('POST /auth/oidc/connection', { ticket }, other.token)).body.code).toBe('OIDC_EXPIRED');
  const connected = await anas.call('POST /auth/oidc/connection', { ticket }, ana.token);
  expect(connected.body.data.connection).toEqual({ since: expect.any(String) });
  expect((await anas.call('POST /auth/oidc/connection', { ticket }, ana.token)).body.code).toBe('OIDC_EXPIRED');
  expect((await signIn()).body.data.user._id).toBe(ana.user._id);
  // The same account of the provider cannot be connected with a second one here.
  const again = await anas.call('POST /auth/oidc/connect', { currentPassword: PASSWORD }, other.token);
  const second = (await anas.back(await anas.atProvider(again.body.data.url))).split('#oidc=')[1];
  const taken = await anas.call('POST /auth/oidc/connection', { ticket: second }, other.token);
  expect([taken.status, taken.body.code]).toEqual([409, 'OIDC_CONNECTED']);
  const removed = await post('DELETE /auth/oidc/connection', ana.token, { currentPassword: PASSWORD });
  expect(removed.status).toBe(200);
  expect((await server.api('GET /auth/oidc/connection', { token: ana.token })).body.data).toEqual({ connection: null });
});

test('an account without a password is confirmed by a recent sign-in, and can get one', async () => {
  arrive();
  const { user, token } = (await signIn()).body.data;
  const settings = async () => (await server.api('GET /settings', { token })).body.data.settings.security;
  expect((await settings()).passwordless).toBe(true);
  const login = () => server.api('POST /auth/login', { body: { email: user.email, password: '!' } });
  expect((await login()).body.code).toBe('INVALID_CREDENTIALS');
  expect((await post('DELETE /auth/oidc/connection', token)).body.code).toBe('PASSWORD_NEEDED');
  await server.advance(11 * 60_000);
  const late = await post('PUT /auth/password', token, { newPassword: PASSWORD });
  expect([late.status, late.body.errors[0].path]).toEqual([422, 'currentPassword']);
  const fresh = (await signIn()).body.data.token;
  expect((await post('PUT /auth/password', fresh, { newPassword: PASSWORD })).status).toBe(200);
  expect((await post('DELETE /auth/oidc/connection', fresh)).body.errors[0].path).toBe('currentPassword');
  expect((await post('DELETE /auth/oidc/connection', fresh, { currentPassword: PASSWORD })).status).toBe(200);
  await server.advance(-11 * 60_000);
});

test('an account with a second step is asked for it, and a ticket waits for that a little longer', async () => {
  const ana = await member();
  const { secret } = (await post('POST /auth/two-factor/setup', ana.token)).body.data;
  const codeIn = (ms: number) => generate({ secret, epoch: Math.floor((Date.now() + ms) / 1000) });
  const body = { code: await codeIn(0), currentPassword: PASSWORD };
  const [recoveryCode] = (await post('POST /auth/two-factor/enable', ana.token, body)).body.data.recoveryCodes;
  arrive({ email: ana.email });
  const anas = browser();
  const ticket = await anas.ticket();
  const exchange = (step: object) => anas.call('POST /auth/oidc/exchange', { ticket, ...step });
  expect((await exchange({})).body.code).toBe('TWO_FACTOR_REQUIRED');
  await server.advance(4 * 60_000);
  expect((await exchange({ code: '000000' })).body.code).toBe('TWO_FACTOR_INVALID');
  // Not connected before the second step.
  expect((await server.api('GET /auth/oidc/connection', { token: ana.token })).body.data.connection).toBeNull();
  expect((await exchange({ recoveryCode })).status).toBe(200);
  expect((await exchange({ recoveryCode })).body.code).toBe('OIDC_EXPIRED');
  await server.advance(-4 * 60_000);
});

test('a suspended account is refused', async () => {
  arrive();
  const { user, token } = (await signIn()).body.data;
  const suspended = await post(`PATCH /admin/users/${user._id}`, adminToken, { suspended: true });
  expect(suspended.status).toBe(200);
  expect((await signIn()).body.code).toBe('ACCOUNT_SUSPENDED');
  expect((await server.api('GET /auth/profile', { token })).status).toBe(401);
});

test.each<[string, object, string]>([
  ['a list in a nested claim', { realm: { roles: ['a', 'parley'] } }, 'parley_admin'],
  ['a text in a claim with dots in its name', { 'realm.roles': 'parley' }, 'parley_admin'],
  ['the names of an object', { 'realm.roles': { parley: { org: 'acme' } } }, 'parley_admin'],
  ['another value', { 'realm.roles': ['parley-users'] }, 'user'],
  ['no claim', {}, 'user'],
])('the provider says who is a platform admin, by %s', async (_what, claims, role) => {
  arrive(claims);
  expect((await signIn()).body.data.user.role).toBe(role);
});

test('who loses the value is no platform admin any more, except for the last one', async () => {
  const subject = arrive({ 'realm.roles': ['parley'] });
  const first = (await signIn()).body.data;
  expect(first.user.role).toBe('parley_admin');
  delete provider.people[subject]?.['realm.roles'];
  expect((await signIn()).body.data.user.role).toBe('user');
  expect((await server.api('GET /admin/overview', { token: first.token })).status).toBe(403);
  Object.assign(provider.people[subject] ?? {}, { 'realm.roles': ['parley'] });
  await signIn();
  await UserModel.updateMany({ _id: { $ne: first.user._id } }, { $set: { role: 'user' } });
  delete provider.people[subject]?.['realm.roles'];
  expect((await signIn()).body.data.user.role).toBe('parley_admin');
  userCache.forget(first.user._id);
});

test('people of the provider are found by index', async () => {
  const plan = await UserModel.find({ 'oidc.subject': 'a', 'oidc.issuer': 'b' }).explain('queryPlanner');
  expect(JSON.stringify(plan)).toContain('IXSCAN');
});

import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { AuditModel } from '../audit/auditLog.ts';
import { UserModel } from '../auth/model.ts';

const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;
let server: TestServer;
let ahead = 0;
const logged: string[] = [];

beforeAll(async () => {
  server = await startServer({ logLevel: 'trace' }, { logTo: { write: (line: string) => void logged.push(line) } });
});
afterAll(() => server.stop());

function advance(ms: number): void {
  ahead += ms;
  server.advance(ms);
}

/** The code that an app shows, so many steps from now. */
const codeOf = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor((Date.now() + ahead + steps * STEP_MS) / 1000) });

const call = (token: string, verb: string, body: object = {}) =>
  server.api(`POST /auth/two-factor/${verb}`, {
    token,
    body: verb === 'enable' ? { currentPassword: PASSWORD, ...body } : body,
  });
const login = (email: string, more: object = {}) =>
  server.api('POST /auth/login', { body: { email, password: PASSWORD, ...more } });
const outcomes = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body.code ?? status).sort();

interface Protected extends Account {
  secret: string;
  recoveryCodes: string[];
}

/** Somebody new with two-factor sign-in on, whose next code has not been used. */
async function signUpProtected(): Promise<Protected> {
  const account = await signUp(server.api);
  const { secret } = (await call(account.token, 'setup')).body.data;
  const enabled = await call(account.token, 'enable', { code: await codeOf(secret) });
  // To the beginning of the next step, so that no test is overtaken by the one after it.
  advance(STEP_MS - ((Date.now() + ahead) % STEP_MS));
  return { ...account, secret, recoveryCodes: enabled.body.data.recoveryCodes };
}

/** What is asked again of them, with the code of now. */
const confirmed = async ({ secret }: Protected) => ({ currentPassword: PASSWORD, code: await codeOf(secret) });

test('the set-up shows a secret as text, link and QR code, and has no effect until it is finished', async () => {
  const { token, user } = await signUp(server.api);
  const { status, body } = await call(token, 'setup');
  expect(status).toBe(200);
  const { secret, uri, qr } = body.data;
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const link = new URL(uri);
  expect([link.protocol, decodeURIComponent(link.pathname)]).toEqual(['otpauth:', `/Parley:${user.email}`]);
  expect([link.searchParams.get('secret'), link.searchParams.get('issuer')]).toEqual([secret, 'Parley']);
  const svg = Buffer.from(qr.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
  expect(svg).toMatch(/^<svg [^>]*>.*<path/);
  expect(svg).not.toContain('script');
  expect((await login(user.email)).status).toBe(200);
  const again = (await call(token, 'setup')).body.data.secret;
  expect((await call(token, 'enable', { code: await codeOf(secret) })).status).toBe(422);
  expect((await call(token, 'enable', { code: await codeOf(again) })).status).toBe(200);
});

test('when it is on, the password alone is not enough to sign in', async () => {
  const ana = await signUpProtected();
  const asked = await login(ana.user.email);
  expect([asked.status, asked.body.code]).toEqual([401, 'TWO_FACTOR_REQUIRED']);
  expect(asked.body.data).toBeUndefined();
  expect((await login(ana.user.email, { password: 'wrong-one-here' })).body.code).toBe('INVALID_CREDENTIALS');
  const code = await codeOf(ana.secret);
  const signedIn = await login(ana.user.email, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect([signedIn.status, signedIn.body.data.user]).toEqual([200, ana.user]);
});

test('the code that switched it on cannot also sign in', async () => {
  const { token, user } = await signUp(server.api);
  const { secret } = (await call(token, 'setup')).body.data;
  const code = await codeOf(secret);
  await call(token, 'enable', { code });
  expect(outcomes([await login(user.email, { code })])).toEqual(['TWO_FACTOR_INVALID']);
});

test('a code works once, also when two send it at once, and an older one not afterwards', async () => {
  const ana = await signUpProtected();
  advance(STEP_MS);
  const [older, code] = await Promise.all([codeOf(ana.secret, -1), codeOf(ana.secret)]);
  const both = await Promise.all([login(ana.user.email, { code }), login(ana.user.email, { code })]);
  expect(outcomes(both)).toEqual([200, 'TWO_FACTOR_INVALID']);
  const later = [await login(ana.user.email, { code }), await login(ana.user.email, { code: older })];
  expect(outcomes(later)).toEqual(['TWO_FACTOR_INVALID', 'TWO_FACTOR_INVALID']);
});

test('clocks may differ by one step at most', async () => {
  const ana = await signUpProtected();
  advance(5 * STEP_MS);
  const codes = await Promise.all([-2, 2, -1, 1].map((steps) => codeOf(ana.secret, steps)));
  const answers = [];
  for (const code of codes) answers.push((await login(ana.user.email, { code })).status);
  expect(answers).toEqual([401, 401, 200, 200]);
});

test('a code must have six digits', async () => {
  const { user } = await signUpProtected();
  for (const code of ['', '12345', '1234567', 'abcdef', '12345６', { $gt: '' }, ['123456'], null]) {
    const { status, body } = await login(user.email, { code });
    expect([401, 422]).toContain(status);
    expect(body.data).toBeUndefined();
  }
});

test('a recovery code works once, in any spelling, also when two send it at once', async () => {
  const ana = await signUpProtected();
  expect(new Set(ana.recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = ana.recoveryCodes;
  expect(first).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const typed = first.toUpperCase().replaceAll('-', ' ');
  const use = (recoveryCode: string) => login(ana.user.email, { recoveryCode });
  expect(outcomes(await Promise.all([use(first), use(typed)]))).toEqual([200, 'TWO_FACTOR_INVALID']);
  expect(outcomes([await use(first), await use('0000-0000-0000-0000'), await use(second)])).toEqual([
    200,
    'TWO_FACTOR_INVALID',
    'TWO_FACTOR_INVALID',
  ]);
  const other = await signUpProtected();
  expect(outcomes([await login(other.user.email, { recoveryCode: ana.recoveryCodes[2] })])).toEqual([
    'TWO_FACTOR_INVALID',
  ]);
});

test('enabling needs a set-up of the last hour and a correct code, and happens once', async () => {
  const { token } = await signUp(server.api);
  expect(outcomes([await call(token, 'enable', { code: '123456' })])).toEqual(['TWO_FACTOR_SETUP_REQUIRED']);
  const { secret } = (await call(token, 'setup')).body.data;
  for (const body of [{}, { code: '' }, { code: 123456 }, { code: '1234' }, { code: await codeOf(secret, 9) }]) {
    const refused = await call(token, 'enable', body);
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'code']);
  }
  advance(HOUR_MS + STEP_MS);
  expect((await call(token, 'enable', { code: await codeOf(secret) })).status).toBe(409);
  const fresh = (await call(token, 'setup')).body.data.secret;
  const code = await codeOf(fresh);
  const both = await Promise.all([call(token, 'enable', { code }), call(token, 'enable', { code })]);
  expect(outcomes(both)).toEqual([200, 'TWO_FACTOR_ENABLED']);
  expect(outcomes([await call(token, 'setup'), await call(token, 'enable', { code })])).toEqual([
    'TWO_FACTOR_ENABLED',
    'TWO_FACTOR_ENABLED',
  ]);
});

test('enabling needs the password, so a stolen session cannot lock the owner out', async () => {
  const { token, user } = await signUp(server.api);
  const { secret } = (await call(token, 'setup')).body.data;
  const code = await codeOf(secret);
  for (const currentPassword of [undefined, '', 'wrong-one-here', { $gt: '' }]) {
    const refused = await call(token, 'enable', { code, currentPassword });
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'currentPassword']);
  }
  expect((await login(user.email)).status).toBe(200);
  expect((await call(token, 'enable', { code })).status).toBe(200);
});

test('disabling needs the password, and disabling again changes nothing', async () => {
  const ana = await signUpProtected();
  for (const body of [{}, { currentPassword: '' }, { currentPassword: 'wrong-one-here' }]) {
    const refused = await call(ana.token, 'disable', body);
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'currentPassword']);
  }
  expect(outcomes([await login(ana.user.email)])).toEqual(['TWO_FACTOR_REQUIRED']);
  const off = { currentPassword: PASSWORD, recoveryCode: ana.recoveryCodes[0] };
  expect(outcomes([await call(ana.token, 'disable', off), await call(ana.token, 'disable', off)])).toEqual([200, 200]);
  expect((await login(ana.user.email)).status).toBe(200);
  const kept = await UserModel.findById(ana.user._id).lean();
  expect([kept?.twoFactor, kept?.twoFactorSetup]).toEqual([undefined, undefined]);
});

test('new recovery codes need the password and invalidate the old ones', async () => {
  const { token } = await signUp(server.api);
  const asked = { currentPassword: PASSWORD };
  expect(outcomes([await call(token, 'recovery-codes', asked)])).toEqual(['TWO_FACTOR_SETUP_REQUIRED']);
  const ana = await signUpProtected();
  expect((await call(ana.token, 'recovery-codes', { currentPassword: 'wrong-one-here' })).status).toBe(422);
  const code = await codeOf(ana.secret);
  const { recoveryCodes } = (await call(ana.token, 'recovery-codes', { ...asked, code })).body.data;
  expect(new Set([...recoveryCodes, ...ana.recoveryCodes]).size).toBe(20);
  const use = (recoveryCode: string) => login(ana.user.email, { recoveryCode });
  expect([(await use(ana.recoveryCodes[0] ?? '')).status, (await use(recoveryCodes[0])).status]).toEqual([401, 200]);
});

test('the settings show whether it is on, and switch it off only with password and code', async () => {
  const ana = await signUpProtected();
  const save = (data: object) =>
    server.api('PATCH /settings', { token: ana.token, body: { section: 'security', data } });
  const security = async () => (await server.api('GET /settings', { token: ana.token })).body.data.settings.security;
  expect(await security()).toEqual({ twoFactorEnabled: true, sessionTimeout: 24 });
  expect((await save({ twoFactorEnabled: true, sessionTimeout: 12 })).status).toBe(200);
  const refused = await save({ twoFactorEnabled: false, sessionTimeout: 6 });
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'currentPassword']);
  expect(await security()).toEqual({ twoFactorEnabled: true, sessionTimeout: 12 });
  const off = await save({ twoFactorEnabled: false, sessionTimeout: 6, ...(await confirmed(ana)) });
  expect(off.body.data.settings.security).toEqual({ twoFactorEnabled: false, sessionTimeout: 6 });
});

test('changes are logged; secrets and codes are neither stored in clear text nor logged', async () => {
  const ana = await signUpProtected();
  const [spent = '', left = ''] = ana.recoveryCodes;
  await login(ana.user.email, { recoveryCode: spent });
  const code = await codeOf(ana.secret);
  await login(ana.user.email, { code });
  const kept = JSON.stringify(await UserModel.findById(ana.user._id).lean());
  advance(STEP_MS);
  const [renewed, last] = (await call(ana.token, 'recovery-codes', await confirmed(ana))).body.data.recoveryCodes;
  await call(ana.token, 'disable', { currentPassword: PASSWORD, recoveryCode: last });
  const trail = await AuditModel.find({ actor: ana.user._id }).sort({ at: 1, _id: 1 }).lean();
  // The sign-ins of an hour are one entry.
  expect(trail.map(({ action, times = 1 }) => `${action} ${times}`)).toEqual([
    ...['signed_in 3', 'two_factor_enabled 1', 'recovery_code_used 2', 'recovery_codes_changed 1'],
    'two_factor_disabled 1',
  ]);
  const told = [kept, JSON.stringify(trail), logged.join('')];
  for (const text of told)
    for (const word of [ana.secret, left, left.replaceAll('-', ''), spent, renewed]) expect(text).not.toContain(word);
  expect(told[1]).not.toContain(code);
});

test('with a changed DATA_KEY a recovery code still works', async () => {
  const ana = await signUpProtected();
  await UserModel.updateOne({ _id: ana.user._id }, { $set: { 'twoFactor.secret': 'sealed-by-nobody-here'.repeat(3) } });
  expect(outcomes([await login(ana.user.email, { code: await codeOf(ana.secret) })])).toEqual(['TWO_FACTOR_INVALID']);
  expect((await login(ana.user.email, { recoveryCode: ana.recoveryCodes[0] })).status).toBe(200);
});

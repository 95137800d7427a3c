import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { connectStaff, hangUp } from '#test/sockets';
import { AuditModel } from '../audit/auditLog.ts';
import { ResetModel, SessionModel, UserModel } from './model.ts';
import { createSessions } from './sessions.ts';

const NEW_PASSWORD = 'another-calm-river';
const PUBLIC_URL = 'https://chat.example.com';
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
let server: TestServer;
let box: Mailbox;
const logged: string[] = [];

beforeAll(async () => {
  box = await startMailbox();
  const mail = { smtpUrl: box.url, from: { name: 'Parley', address: 'parley@example.com' } };
  const logTo = { write: (line: string) => void logged.push(line) };
  server = await startServer({ logLevel: 'trace', rateLimits: true, publicUrl: PUBLIC_URL, mail }, { logTo });
});
afterAll(async () => {
  hangUp();
  await server.stop();
  await box.stop();
});

/** An address of a caller behind a trusted proxy; each asks from another one unless the test says so. */
const from = (address: string) => ({ 'X-Forwarded-For': address });
let callers = 0;
const elsewhere = () => from(`198.51.100.${++callers}`);

const forgot = (email: unknown, headers: Record<string, string> = elsewhere()) =>
  server.api('POST /auth/forgot', { body: { email }, headers });
const reset = (token: unknown, newPassword: unknown = NEW_PASSWORD) =>
  server.api('POST /auth/reset', { body: { token, newPassword } });
const login = (email: string, password: string, more: object = {}) =>
  server.api('POST /auth/login', { body: { email, password, ...more } });

const mailsTo = (email: string) => box.mails.filter(({ to }) => to?.some(({ address }) => address === email));

/** Asks for a link; gives the token of the one that comes. */
async function tokenFor({ user }: Account, headers?: Record<string, string>): Promise<string> {
  const links = () => mailsTo(user.email).filter(({ text }) => text?.includes('/reset#'));
  const before = links().length;
  expect((await forgot(user.email, headers)).status).toBe(200);
  const mail = await until(async () => links()[before]);
  const [, token = ''] = /#([\w-]+)/.exec(mail.text ?? '') ?? [];
  return token;
}

test('the mailed link sets a new password once and ends every session', async () => {
  const ana = await signUp(server.api);
  const ear = await connectStaff(server.url, ana.token);
  const closed = new Promise((resolve) => ear.socket.once('disconnect', resolve));
  const token = await tokenFor(ana, { Host: 'evil.example.com' });
  const [mail] = mailsTo(ana.user.email);
  expect(mail?.subject).toBe('Choose a new password for Parley');
  expect(mail?.text).toContain(`${PUBLIC_URL}/reset#${token}\n`);
  expect(mail?.html).not.toContain('evil');
  expect(token).toMatch(/^[\w-]{43}$/);
  const done = await reset(token);
  expect([done.status, done.body.data]).toEqual([200, {}]);
  await closed;
  expect(ear.heard('session_ended')).toEqual([{ reason: 'password_changed' }]);
  expect((await server.api('GET /auth/profile', { token: ana.token })).status).toBe(401);
  expect((await login(ana.user.email, PASSWORD)).status).toBe(401);
  expect((await login(ana.user.email, NEW_PASSWORD)).status).toBe(200);
  const again = await reset(token, 'a-third-quiet-word');
  expect([again.status, again.body.code]).toEqual([409, 'RESET_LINK_SPENT']);
  expect((await login(ana.user.email, NEW_PASSWORD)).status).toBe(200);
});

test('an unknown address, a malformed one and one with an account get the same answer', async () => {
  const ana = await signUp(server.api);
  const { body, status } = await forgot(ana.user.email);
  expect([status, body.data]).toEqual([200, { mailed: true }]);
  for (const email of ['nobody@example.com', 'no address', `${ana.user.email.toUpperCase()} `])
    expect((await forgot(email)).body).toEqual(body);
  await until(async () => mailsTo(ana.user.email).length === 2);
  expect(mailsTo('nobody@example.com')).toEqual([]);
  for (const email of ['', undefined, { $gt: '' }, ['a@example.com']]) expect((await forgot(email)).status).toBe(422);
});

test('when a link is used twice at once, one call succeeds', async () => {
  const ana = await signUp(server.api);
  const token = await tokenFor(ana);
  const passwords = ['first-calm-river', 'second-calm-river'];
  const answers = await Promise.all(passwords.map((password) => reset(token, password)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = answers.findIndex(({ status }) => status === 200);
  const logins = await Promise.all(passwords.map((password) => login(ana.user.email, password)));
  expect(logins.map(({ status }) => status)).toEqual(winner === 0 ? [200, 401] : [401, 200]);
});

test('a link expires after an hour, when another link is used, and when password or address change', async () => {
  const ana = await signUp(server.api);
  const as = { token: ana.token };
  const old = await tokenFor(ana);
  server.advance(HOUR_MS);
  const moving = await tokenFor(ana);
  const email = 'moved-away@example.com';
  await server.api('PUT /auth/profile', { ...as, body: { email, currentPassword: PASSWORD } });
  const moved = { ...ana, user: { ...ana.user, email } };
  const stale = await tokenFor(moved);
  const change = { currentPassword: PASSWORD, newPassword: 'changed-by-hand-now' };
  expect((await server.api('PUT /auth/password', { ...as, body: change })).status).toBe(200);
  const [one, sister] = [await tokenFor(moved), await tokenFor(moved)];
  expect((await reset(one)).status).toBe(200);
  for (const token of [old, moving, stale, sister, 'A'.repeat(43)])
    expect((await reset(token, 'never-to-be-set-so')).body.code).toBe('RESET_LINK_SPENT');
  expect((await login(email, NEW_PASSWORD)).status).toBe(200);
});

test('an unsuitable password is refused, and the link still works', async () => {
  const ana = await signUp(server.api);
  const token = await tokenFor(ana);
  for (const odd of ['short', 'password123', 'é'.repeat(40), ana.user.email, '', null, { $gt: '' }]) {
    const refused = await reset(token, odd);
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'newPassword']);
  }
  for (const odd of ['', undefined, { $gt: '' }, 'A'.repeat(101)])
    expect((await reset(odd)).body.errors[0].path).toBe('token');
  expect((await reset(token)).status).toBe(200);
});

test('a login that checked the old password during a reset opens no session', async () => {
  const ana = await signUp(server.api);
  const compared = await UserModel.findById(ana.user._id).lean();
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect((await server.api('PUT /auth/password', { token: ana.token, body: change })).status).toBe(200);
  const sessions = createSessions({ secret: 'of this test', now: Date.now });
  await expect(sessions.open(compared ?? expect.fail(), 'Late')).rejects.toMatchObject({ status: 401 });
  expect(await SessionModel.countDocuments({ user: ana.user._id })).toBe(1);
});

test('the second factor is needed after a reset, too, and an API key outlasts it; both are mailed to the owner', async () => {
  const ana = await signUp(server.api);
  const { secret } = (await server.api('POST /auth/two-factor/setup', { token: ana.token })).body.data;
  const codeAt = (ahead: number) => generate({ secret, epoch: Math.floor((Date.now() + HOUR_MS + ahead) / 1000) });
  const body = { code: await codeAt(0), currentPassword: PASSWORD };
  const enabled = await server.api('POST /auth/two-factor/enable', { token: ana.token, body });
  const notice = await until(async () => mailsTo(ana.user.email)[0]);
  expect(notice.subject).toBe('Two-factor authentication is on');
  expect(notice.text).toContain(`${PUBLIC_URL}/forgot`);
  const [recoveryCode] = enabled.body.data.recoveryCodes;
  const form = { name: 'Till', scope: 'read', currentPassword: PASSWORD, recoveryCode };
  const { key } = (await server.api('POST /api-keys', { token: ana.token, body: form })).body.data;
  const told = await until(async () => mailsTo(ana.user.email)[1]);
  expect([told.subject, told.text]).toEqual(['A new API key was created', expect.stringContaining('Till')]);
  expect((await reset(await tokenFor(ana))).status).toBe(200);
  expect((await server.api('GET /sites', { token: key })).status).toBe(200);
  expect((await login(ana.user.email, NEW_PASSWORD)).body.code).toBe('TWO_FACTOR_REQUIRED');
  expect((await login(ana.user.email, NEW_PASSWORD, { code: await codeAt(30_000) })).status).toBe(200);
});

test('tokens are stored as hashes and never logged, and the reset is in the audit log', async () => {
  const ana = await signUp(server.api);
  const [left, token] = [await tokenFor(ana), await tokenFor(ana)];
  const kept = JSON.stringify(await ResetModel.find({}).lean());
  await reset(token);
  const entries = await AuditModel.find({ $or: [{ subject: ana.user._id }, { actor: ana.user._id }] }).lean();
  expect(entries.map(({ action }) => action).sort()).toEqual(
    ['signed_in', 'reset_link_made', 'reset_link_made', 'session_ended', 'password_reset'].sort(),
  );
  for (const text of [kept, JSON.stringify(entries), logged.join('')])
    for (const secret of [left, token, NEW_PASSWORD]) expect(text).not.toContain(secret);
});

test('an address can ask ten times an hour, and a mailbox gets three mails', async () => {
  const [ana, ben] = [await signUp(server.api, 'Ana', elsewhere()), await signUp(server.api, 'Ben', elsewhere())];
  const ask = () => forgot(ana.user.email, from('203.0.113.5'));
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429]);
  await tokenFor(ben);
  await until(async () => mailsTo(ana.user.email).length === 3);
  expect((await forgot(ana.user.email)).status).toBe(200);
  await tokenFor(ben);
  expect(mailsTo(ana.user.email)).toHaveLength(3);
});

test('a link that the mail server refuses at first comes later, but not when it has expired', async () => {
  const ana = await signUp(server.api);
  const tries = () => logged.filter((line) => line.includes('mail not accepted')).length;
  const refused = async () => {
    const before = tries();
    box.refuse(451);
    await forgot(ana.user.email);
    await until(async () => tries() > before);
    box.refuse(null);
  };
  await refused();
  server.advance(MINUTE_MS);
  await until(async () => mailsTo(ana.user.email)[0]);
  await refused();
  server.advance(HOUR_MS);
  await until(async () => logged.some((line) => line.includes('out of date')));
  expect(mailsTo(ana.user.email)).toHaveLength(1);
});

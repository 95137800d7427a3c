import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type BuiltCommand, buildCommand } from '#test/workers';
import { AuditModel } from './features/audit/auditLog.ts';
import { UserModel } from './features/auth/model.ts';

let built: BuiltCommand;
let server: TestServer;
let dataDir: string;

beforeAll(async () => {
  built = await buildCommand('cli');
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-cli-'));
  server = await startServer({ dataDir, mongodbUri: null });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([built.remove(), rm(dataDir, { recursive: true, force: true })]);
});

/** Gives a command in a process of its own, as `npm run admin --` does. */
function command(args: string[], env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env } };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [built.file, ...args], options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out.trim(), err: err.trim() }),
    );
  });
}

const roleOf = async (token: string) => (await server.api('GET /auth/profile', { token })).body.data.user.role;

test('while the server runs, an account is promoted and a password reset by link', async () => {
  await signUp(server.api);
  const ana = await signUp(server.api);
  expect(await roleOf(ana.token)).toBe('user');
  const promoted = await command(['promote', ana.user.email.toUpperCase()]);
  expect(promoted).toEqual({ code: 0, out: `${ana.user.email} is now a platform admin.`, err: '' });
  // Another process wrote it: the server keeps what it read for a second.
  await until(async () => (await roleOf(ana.token)) === 'parley_admin');

  // By the address of a database instead of the folder.
  const [socket] = (await readdir(path.join(dataDir, 'store'))).filter((name) => name.endsWith('.sock'));
  const at = encodeURIComponent(path.join(dataDir, 'store', socket ?? ''));
  const settings = { MONGODB_URI: `mongodb://${at}/parley?directConnection=true`, DATA_DIR: '/nowhere' };
  const linked = await command(['reset-password', ana.user.email], {
    ...settings,
    PUBLIC_URL: 'https://chat.example.com',
  });
  expect([linked.code, linked.err]).toEqual([0, '']);
  const [, token] = /https:\/\/chat\.example\.com\/reset#([\w-]{43})$/.exec(linked.out) ?? [];
  const reset = () => server.api('POST /auth/reset', { body: { token, newPassword: 'another-calm-river' } });
  expect([(await reset()).status, (await reset()).status]).toEqual([200, 409]);
  const trail = await AuditModel.find({ subject: ana.user._id, actor: null }).sort({ at: 1 }).lean();
  expect(trail.map(({ action, detail }) => [action, detail?.reason])).toEqual([
    ['account_promoted', undefined],
    ['reset_link_made', 'operator'],
  ]);
});

test('two-factor-off lets somebody sign in who has lost phone and recovery codes', async () => {
  const { user } = await signUp(server.api);
  const none = await command(['two-factor-off', user.email]);
  expect(none).toEqual({ code: 0, out: `${user.email} does not use two-factor authentication.`, err: '' });
  await UserModel.updateOne(
    { _id: user._id },
    { $set: { twoFactor: { secret: 'sealed', lastStep: 0, recovery: [], since: new Date() } } },
  );
  const logIn = () => server.api('POST /auth/login', { body: { email: user.email, password: PASSWORD } });
  expect((await logIn()).body.code).toBe('TWO_FACTOR_REQUIRED');
  const done = await command(['two-factor-off', user.email]);
  expect(done).toEqual({ code: 0, out: expect.stringContaining(`off for ${user.email}`), err: '' });
  expect((await logIn()).status).toBe(200);
  expect(await AuditModel.findOne({ action: 'two_factor_disabled', subject: user._id }).lean()).toMatchObject({
    actor: null,
    detail: { reason: 'operator' },
  });
});

test('the commands also work while the server is stopped, and it starts again afterwards', async () => {
  const ben = await signUp(server.api);
  await server.stop();
  expect(await command(['promote', ben.user.email])).toMatchObject({ code: 0, err: '' });
  const linked = await command(['reset-password', ben.user.email], { PORT: '4321' });
  const [, token] = /http:\/\/localhost:4321\/reset#([\w-]{43})$/.exec(linked.out) ?? [];
  server = await startServer({ dataDir, mongodbUri: null });
  expect(await roleOf(ben.token)).toBe('parley_admin');
  const body = { token, newPassword: 'another-calm-river' };
  expect((await server.api('POST /auth/reset', { body })).status).toBe(200);
});

test('a command that cannot be carried out fails with a clear message', async () => {
  const answers = await Promise.all([
    command(['promote', 'nobody@example.com']),
    command(['promote', 'nobody@example.com'], { DATA_DIR: path.join(dataDir, 'elsewhere') }),
    command(['promote', 'nobody@example.com'], { MONGODB_URI: 'nonsense' }),
    ...[[], ['promote'], ['constructor', 'a@example.com'], ['promote', 'a@example.com', 'more']].map((args) =>
      command(args),
    ),
  ]);
  expect(answers.map(({ code, out }) => [code, out])).toEqual(answers.map(() => [1, '']));
  const [unknown, noData, noDatabase, ...usage] = answers.map(({ err }) => err);
  expect(unknown).toBe('There is no account with the address nobody@example.com.');
  expect(noData).toMatch(/^There is no data in .*elsewhere\. Set DATA_DIR/);
  expect(noDatabase).toBe('MONGODB_URI must begin with mongodb:// or mongodb+srv://.');
  for (const text of usage) expect(text).toMatch(/^Usage:\n {2}npm run admin -- promote EMAIL/);
});

test('data of a newer Parley is left alone', async () => {
  const ana = await signUp(server.api);
  const schema = UserModel.db.collection<{ _id: string; oldestReader: number }>('schema');
  const before = await schema.findOneAndUpdate({}, { $set: { oldestReader: 99 } });
  const err = expect.stringMatching(/^The data was written by a newer Parley .*\.$/);
  expect(await command(['promote', ana.user.email])).toEqual({ code: 1, out: '', err });
  await schema.updateOne({}, { $set: { oldestReader: before?.oldestReader ?? 0 } });
});

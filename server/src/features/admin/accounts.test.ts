import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, hangUp } from '#test/sockets';
import type { PlatformAccount } from '../../../contract.ts';
import { UserModel } from '../auth/model.ts';
import { ProgressModel } from '../search/model.ts';
import { AccountWordModel, indexAccounts, wordFilter } from './accountSearch.ts';

let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await startServer();
  admin = await signUp(server.api, 'Petra Platform');
});
afterEach(hangUp);
afterAll(() => server.stop());

const list = async (query: string, by = admin) =>
  (await server.api(`GET /admin/users?${query}`, { token: by.token })).body.data;
const found = async (search: string) =>
  (await list(`search=${encodeURIComponent(search)}`)).users.map(({ name }: PlatformAccount) => name);
const change = (account: Account, body: object, by = admin) =>
  server.api(`PATCH /admin/users/${account.user._id}`, { token: by.token, body });
const logIn = ({ user }: Account, password: string) =>
  server.api('POST /auth/login', { body: { email: user.email, password } });

describe('the list of accounts', () => {
  test('shows what an admin needs about each account, newest first, page by page', async () => {
    const ana = await signUp(server.api, 'Ana Listed');
    await createSite(server.api, ana.token);
    const ben = await signUp(server.api, 'Ben Listed');
    const first = await list('limit=1');
    expect(first.users.map(({ name }: PlatformAccount) => name)).toEqual(['Ben Listed']);
    const second = await list(`limit=1&cursor=${first.nextCursor}`);
    const { _id, email } = ana.user;
    const rest = { role: 'user', suspended: false, twoFactorEnabled: false, sites: 1 };
    const times = { createdAt: expect.stringMatching(/Z$/), lastSeenAt: expect.stringMatching(/Z$/) };
    expect(second.users).toEqual([{ _id, name: 'Ana Listed', email, ...rest, ...times }]);
    expect((await list('limit=100')).nextCursor).toBeNull();
    expect((await server.api('GET /admin/users?cursor=x', { token: ben.token })).status).toBe(403);
    expect((await server.api('GET /admin/users?cursor=x', { token: admin.token })).status).toBe(400);
  });

  test('is searched by the beginnings of words in names and emails, each account once', async () => {
    const zoe = await signUp(server.api, 'Zoë Zoëton Quill');
    await signUp(server.api, 'Zora Quine');
    expect(await found('zo')).toEqual(['Zoë Zoëton Quill', 'Zora Quine']);
    expect(await found('ZOE qui')).toEqual(['Zoë Zoëton Quill']);
    expect(await found(zoe.user.email)).toEqual(['Zoë Zoëton Quill']);
    expect(await found('oë')).toEqual([]);
    expect(await found('.*')).toEqual([]);
    const first = await list('search=zo&limit=1');
    const second = await list(`search=zo&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(second.users.map(({ name }: PlatformAccount) => name)).toEqual(['Zora Quine']);
    expect(second.nextCursor).toBeNull();
  });

  test('finds an account by its new name, and not by the old one', async () => {
    const kai = await signUp(server.api, 'Kai Oldname');
    await server.api('PUT /auth/profile', { token: kai.token, body: { name: 'Kai Newname' } });
    expect([await found('newname'), await found('oldname')]).toEqual([['Kai Newname'], []]);
  });

  test('finds accounts that were stored before the search index existed', async () => {
    await signUp(server.api, 'Early Bird');
    await AccountWordModel.deleteMany({});
    await until(async () => ProgressModel.exists({ _id: 'accounts' }));
    await ProgressModel.deleteOne({ _id: 'accounts' });
    await indexAccounts(Date.now(), new AbortController().signal);
    expect(await found('bird')).toEqual(['Early Bird']);
  });

  test('uses indexes', async ({ skip }) => {
    await needPlans(skip);
    const anchor = { word: 'zo', prefix: true };
    const after = { word: 'zoe', user: (await UserModel.findOne({}).lean())?._id ?? null };
    for (const filter of [
      wordFilter(anchor, null),
      ...(after.user ? [wordFilter(anchor, { ...after, user: after.user })] : []),
    ]) {
      const plan = JSON.stringify(
        await AccountWordModel.find(filter).sort({ word: 1, user: 1 }).explain('queryPlanner'),
      );
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
    }
    const admins = UserModel.find({ role: 'parley_admin', suspendedAt: null }).explain('queryPlanner');
    expect(JSON.stringify(await admins)).toContain('platform_admins');
  });
});

describe('suspending an account', () => {
  test('signs it out on all devices and blocks login until the suspension ends', async () => {
    const ben = await signUp(server.api, 'Ben Out');
    const ear = await connectStaff(server.url, ben.token);
    const gone = new Promise((resolve) => ear.socket.once('disconnect', resolve));
    expect((await change(ben, { suspended: true })).body.data.user).toMatchObject({ suspended: true });
    await gone;
    expect(ear.heard('session_ended')).toEqual([{ reason: 'suspended' }]);
    expect((await server.api('GET /auth/profile', { token: ben.token })).status).toBe(401);
    await expect(connectStaff(server.url, ben.token)).rejects.toThrow('UNAUTHORIZED');

    const right = await logIn(ben, ben.password);
    expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_SUSPENDED']);
    expect((await logIn(ben, 'not-the-one-at-all')).body.code).toBe('INVALID_CREDENTIALS');

    expect((await change(ben, { suspended: false })).body.data.user).toMatchObject({ suspended: false });
    expect((await logIn(ben, ben.password)).status).toBe(200);
    const { entries } = (await server.api('GET /admin/audit', { token: admin.token })).body.data;
    const who = { actor: { _id: admin.user._id, name: 'Petra Platform' }, subject: { _id: ben.user._id } };
    for (const action of ['account_suspended', 'account_restored'])
      expect(entries.find((entry: { action: string }) => entry.action === action)).toMatchObject(who);
  });

  test('returns its chats to the queue', async () => {
    const [olga, ben] = [await signUp(server.api), await signUp(server.api)];
    const site = await createSite(server.api, olga.token);
    await join(site, ben, 'agent');
    const chat = await newChat(server.api, site, olga.token);
    await server.api(`POST /chats/${chat._id}/claim`, { token: ben.token });
    await change(ben, { suspended: true });
    await until(async () => {
      const { body } = await server.api(`GET /chats/${chat._id}`, { token: olga.token });
      return body.data.chat.status === 'waiting' && body.data.chat.claimedBy === null;
    });
  });

  test('is refused for your own account and for the last admin', async () => {
    expect((await change(admin, { suspended: true })).body.code).toBe('OWN_ACCOUNT');
    expect((await change(admin, { role: 'user' })).body.code).toBe('LAST_ADMIN');
    const second = await signUp(server.api, 'Sven Second');
    expect((await change(second, { role: 'parley_admin' })).body.data.user.role).toBe('parley_admin');
    expect((await server.api('GET /admin/overview', { token: second.token })).status).toBe(200);
    const both = await Promise.all([
      change(second, { suspended: true }, admin),
      change(admin, { suspended: true }, second),
    ]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThan(2);
    const living = await UserModel.countDocuments({ role: 'parley_admin', suspendedAt: null });
    expect(living).toBeGreaterThan(0);
    await UserModel.updateMany({ role: 'parley_admin' }, { $unset: { suspendedAt: 1 } });
  });
});

test('a former platform admin can no longer read the figures', async () => {
  const { body } = await logIn(admin, admin.password);
  const [petra, other] = [{ ...admin, token: body.data.token }, await signUp(server.api)];
  await change(other, { role: 'parley_admin' }, petra);
  expect((await list('limit=1', other)).users).toHaveLength(1);
  expect((await change(other, { role: 'user' }, petra)).status).toBe(200);
  expect((await server.api('GET /admin/users', { token: other.token })).status).toBe(403);
});

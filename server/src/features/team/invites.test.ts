import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { Site } from '../../../contract.ts';
import { UserModel } from '../auth/model.ts';
import { SiteModel } from '../sites/model.ts';
import { TEAM_LIMIT } from './contract.ts';
import { InviteModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });

async function newAdmin(): Promise<Account> {
  const account = await signUp(server.api, 'Ben Okafor');
  await join(site, account, 'admin');
  return account;
}

async function invitedBy(account: Account, email: string, role = 'admin'): Promise<string> {
  const { body } = await as(account)('POST /team/invites', { email, role, siteId: site._id });
  return body.data.invite._id;
}

test.each<[string, (admin: Account) => Promise<unknown>]>([
  ['is removed', ({ user }) => as(owner)(`DELETE /team/members/${user._id}`, { siteId: site._id })],
  ['leaves', (admin) => as(admin)('DELETE /team/members/me', { siteId: site._id })],
  [
    'loses the admin role',
    ({ user }) => as(owner)(`PATCH /team/members/${user._id}`, { siteId: site._id, role: 'agent' }),
  ],
  ['deletes the account', (admin) => as(admin)('DELETE /auth/account', { currentPassword: admin.password })],
])('the open invites of an admin who %s become invalid', async (_, end) => {
  const admin = await newAdmin();
  const ghost = await signUp(server.api);
  const [made, kept] = [await invitedBy(admin, ghost.user.email), await invitedBy(owner, 'other@example.com')];
  await end(admin);
  expect((await server.api(`GET /invites/${made}`)).status).toBe(404);
  expect((await as(ghost)(`POST /invites/${made}/accept`)).status).toBe(404);
  expect((await InviteModel.find({ site: site._id }, { _id: 1 }).lean()).map(({ _id }) => _id)).toEqual([kept]);
  expect((await as(ghost)(`GET /sites/${site._id}`)).status).toBe(404);
});

test('the invites of a suspended admin become invalid, and stay so', async () => {
  const admin = await newAdmin();
  const ghost = await signUp(server.api);
  const made = await invitedBy(admin, ghost.user.email);
  const operator = await signUp(server.api);
  await UserModel.updateOne({ _id: operator.user._id }, { $set: { role: 'parley_admin' } });
  const suspend = (suspended: boolean) => as(operator)(`PATCH /admin/users/${admin.user._id}`, { suspended });
  expect((await suspend(true)).status).toBe(200);
  expect((await suspend(false)).status).toBe(200);
  expect((await as(ghost)(`POST /invites/${made}/accept`)).status).toBe(404);
});

test('a leftover invite is refused when its sender can no longer invite', async () => {
  const admin = await newAdmin();
  const ghost = await signUp(server.api);
  const made = await invitedBy(admin, ghost.user.email);
  await SiteModel.updateOne({ _id: site._id }, { $pull: { team: { user: admin.user._id } } });
  expect((await server.api(`GET /invites/${made}`)).status).toBe(404);
  expect((await as(ghost)(`POST /invites/${made}/accept`)).status).toBe(404);
  await join(site, admin, 'admin');
  await UserModel.updateOne({ _id: admin.user._id }, { $set: { suspendedAt: new Date() } });
  expect((await as(ghost)(`POST /invites/${made}/accept`)).status).toBe(404);
  expect((await as(ghost)(`GET /sites/${site._id}`)).status).toBe(404);
});

test('open invites are limited, and a new one for the same address replaces the old', async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const rest = { site: site._id, role: 'agent', invitedBy: owner.user._id, createdAt: new Date(), expiresAt };
  await InviteModel.insertMany(
    Array.from({ length: TEAM_LIMIT }, (_, n) => ({
      ...rest,
      _id: `invite-${n}-${site._id}`,
      email: `${n}@example.com`,
    })),
  );
  const ask = (email: string) => as(owner)('POST /team/invites', { email, role: 'agent', siteId: site._id });
  const refused = await ask('one-more@example.com');
  expect([refused.status, refused.body.code]).toEqual([409, 'TOO_MANY_INVITES']);
  expect((await ask('7@example.com')).status).toBe(201);
  await InviteModel.updateOne({ site: site._id, email: '8@example.com' }, { $set: { expiresAt: new Date(0) } });
  expect((await ask('one-more@example.com')).status).toBe(201);
});

test('the list of invites has at most a thousand entries', async () => {
  const now = Date.now();
  const { _id: invitedBy } = owner.user;
  const dates = { createdAt: new Date(now), expiresAt: new Date(now + 60_000) };
  await InviteModel.insertMany(
    Array.from({ length: 1_003 }, (_, n) => ({
      _id: `invite-${String(n).padStart(15, '0')}`,
      site: site._id,
      email: `${n}@example.com`,
      role: 'agent',
      invitedBy,
      ...dates,
    })),
  );
  expect((await as(owner)('GET /team/invites')).body.data.invites).toHaveLength(1_000);
});

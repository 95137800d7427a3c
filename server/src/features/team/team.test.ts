import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import type { Invite, Site } from '../../../contract.ts';
import { InviteModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });

async function invited(email: string, role = 'agent'): Promise<Invite> {
  const { body } = await as(owner)('POST /team/invites', { email, role, siteId: site._id });
  return body.data.invite;
}
async function member(role: 'admin' | 'agent' | 'viewer', name = 'Ben Okafor'): Promise<Account> {
  const account = await signUp(server.api, name);
  await join(site, account, role);
  return account;
}
const members = async () =>
  (await as(owner)(`GET /team/members?siteId=${site._id}`)).body.data.members.map(
    ({ name, role, isOwner }: { name: string; role: string; isOwner: boolean }) => [name, role, isOwner],
  );

test('an invite is created, shown by its link, accepted by the invited person, and then removed', async () => {
  const ben = await signUp(server.api, 'Ben Okafor');
  const made = await invited(ben.user.email.toUpperCase(), 'viewer');
  expect(made).toMatchObject({ _id: expect.stringMatching(/^[\w-]{22}$/), email: ben.user.email, role: 'viewer' });
  expect((await as(owner)(`GET /team/invites?siteId=${site._id}`)).body.data.invites).toEqual([made]);

  const page = await server.api(`GET /invites/${made._id}`);
  expect(page.body.data.invite).toEqual({
    siteName: site.name,
    inviterName: 'Olga Owner',
    email: ben.user.email,
    role: 'viewer',
    expiresAt: made.expiresAt,
  });
  const accepted = await as(ben)(`POST /invites/${made._id}/accept`);
  expect(accepted.body.data).toEqual({ siteId: site._id });
  expect(await members()).toEqual([
    ['Olga Owner', 'admin', true],
    ['Ben Okafor', 'viewer', false],
  ]);
  expect((await server.api(`GET /invites/${made._id}`)).status).toBe(404);
  expect((await as(ben)(`POST /invites/${made._id}/accept`)).status).toBe(404);
  expect((await as(owner)(`GET /team/invites?siteId=${site._id}`)).body.data.invites).toEqual([]);
});

test('an invite only works for its email address, and needs a session', async () => {
  const other = await signUp(server.api);
  const made = await invited('somebody@example.com');
  expect((await server.api(`POST /invites/${made._id}/accept`)).status).toBe(401);
  const refused = await as(other)(`POST /invites/${made._id}/accept`);
  expect([refused.status, refused.body.code]).toEqual([403, 'INVITE_FOR_ANOTHER']);
  expect(await members()).toHaveLength(1);
});

test('inviting again or resending makes a new link for a week, and the old one no longer works', async () => {
  const ben = await signUp(server.api);
  const first = await invited(ben.user.email, 'viewer');
  const second = await invited(ben.user.email, 'admin');
  const third = (await as(owner)(`POST /team/invites/${second._id}/resend`)).body.data.invite;
  expect(new Set([first._id, second._id, third._id]).size).toBe(3);
  expect(third.role).toBe('admin');
  for (const dead of [first, second]) expect((await as(ben)(`POST /invites/${dead._id}/accept`)).status).toBe(404);
  expect((await as(owner)('GET /team/invites')).body.data.invites).toEqual([third]);
  expect((await as(ben)(`POST /invites/${third._id}/accept`)).status).toBe(200);
});

test('a revoked or expired invite does not work', async () => {
  const ben = await signUp(server.api);
  const revoked = await invited(ben.user.email);
  expect((await as(owner)(`DELETE /team/invites/${revoked._id}`)).status).toBe(200);
  expect((await as(ben)(`POST /invites/${revoked._id}/accept`)).status).toBe(404);
  const expired = await invited(ben.user.email);
  await InviteModel.updateOne({ _id: expired._id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect((await server.api(`GET /invites/${expired._id}`)).status).toBe(404);
  expect((await as(ben)(`POST /invites/${expired._id}/accept`)).status).toBe(404);
});

test('accepting six times at once adds one member', async () => {
  const ben = await signUp(server.api, 'Ben Okafor');
  const made = await invited(ben.user.email);
  const answers = await Promise.all(Array.from({ length: 6 }, () => as(ben)(`POST /invites/${made._id}/accept`)));
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(await members()).toEqual([
    ['Olga Owner', 'admin', true],
    ['Ben Okafor', 'agent', false],
  ]);
});

test.each([
  [{ email: 'no address' }, 422],
  [{ role: 'owner' }, 422],
  [{ siteId: undefined }, 422],
  [{ siteId: 'zzz' }, 400],
  [{ siteId: 'a'.repeat(24) }, 404],
])('an invite with %j answers %i', async (more, status) => {
  const body = { email: 'new@example.com', role: 'agent', siteId: site._id, ...more };
  expect((await as(owner)('POST /team/invites', body)).status).toBe(status);
});

test('a team member cannot be invited again', async () => {
  const ben = await member('agent');
  const body = { email: ben.user.email, siteId: site._id };
  expect((await as(owner)('POST /team/invites', body)).body.code).toBe('ALREADY_MEMBER');
});

test("without a site, all people of the caller's sites are listed once", async () => {
  const ben = await member('viewer');
  const other = await createSite(server.api, owner.token, 'Other');
  await join(other, ben, 'admin');
  const { body } = await as(owner)('GET /team/members');
  expect(body.data.members).toHaveLength(2);
  expect(body.data.members[1]).toMatchObject({
    _id: ben.user._id,
    role: 'admin',
    sites: [
      { _id: site._id, role: 'viewer' },
      { _id: other._id, role: 'admin' },
    ],
  });
});

test("role changes apply at once, also on open sockets; the owner's role cannot change", async () => {
  const ben = await member('agent');
  const chat = await newChat(server.api, site, owner.token);
  const ear = await connectStaff(server.url, ben.token);
  const send = () => ear.ask('send_message', { chatId: chat._id, clientId: crypto.randomUUID(), content: 'Hi' });
  expect((await send()).ok).toBe(true);
  const change = (id: string, role: string) => as(owner)(`PATCH /team/members/${id}`, { role, siteId: site._id });
  expect((await change(ben.user._id, 'viewer')).body.data.member).toMatchObject({ role: 'viewer' });
  expect((await send()).code).toBe('FORBIDDEN');
  expect((await change(owner.user._id, 'viewer')).body.code).toBe('OWNER_STAYS');
  expect((await change('a'.repeat(24), 'viewer')).status).toBe(404);
  expect((await change(ben.user._id, 'boss')).status).toBe(422);
});

test('a removed member stops receiving events at once, and their open chats return to the queue', async () => {
  const ben = await member('agent');
  const chat = await newChat(server.api, site, owner.token);
  await as(ben)(`POST /chats/${chat._id}/claim`);
  const ear = await connectStaff(server.url, ben.token);
  await ear.ask('open_chat', { chatId: chat._id });
  const removed = await as(owner)(`DELETE /team/members/${ben.user._id}?siteId=${site._id}`);
  expect(removed.status).toBe(200);
  const before = ear.heard('new_message').length;
  await newChat(server.api, site, owner.token, 'Not for Ben');
  expect((await ear.ask('open_chat', { chatId: chat._id })).code).toBe('CHAT_NOT_FOUND');
  expect(ear.heard('new_message')).toHaveLength(before);
  expect((await as(ben)('GET /chats')).body.data.chats).toEqual([]);
  await until(async () => {
    const { body } = await as(owner)(`GET /chats/${chat._id}`);
    return body.data.chat.status === 'waiting' && body.data.chat.claimedBy === null;
  });
  expect((await as(owner)(`DELETE /team/members/${owner.user._id}`, { siteId: site._id })).body.code).toBe(
    'OWNER_STAYS',
  );
});

test('a member can leave; the owner cannot', async () => {
  const ben = await member('viewer');
  expect((await as(ben)('DELETE /team/members/me', { siteId: site._id })).status).toBe(200);
  expect(await members()).toHaveLength(1);
  expect((await as(owner)('DELETE /team/members/me', { siteId: site._id })).body.code).toBe('OWNER_STAYS');
});

test('a site is handed over to a member who owns fewer sites than the limit', async () => {
  const ben = await member('agent');
  const hand = (userId: string) => as(owner)(`POST /sites/${site._id}/owner`, { userId });
  expect((await hand('a'.repeat(24))).status).toBe(404);
  for (let i = 0; i < 3; i++) await createSite(server.api, ben.token);
  expect((await hand(ben.user._id)).body.code).toBe('SITE_LIMIT_REACHED');
  const { sites } = (await as(ben)('GET /sites')).body.data;
  await as(ben)(`DELETE /sites/${sites.find((own: Site) => own.isOwner)._id}`);
  expect((await hand(ben.user._id)).status).toBe(200);
  expect(await members()).toEqual([
    ['Olga Owner', 'admin', false],
    ['Ben Okafor', 'admin', true],
  ]);
  expect((await hand(ben.user._id)).status).toBe(403);
});

test.each(['agent', 'viewer'] as const)('a %s can see the team, but neither invite nor manage', async (role) => {
  const ben = await member(role);
  const made = await invited('new@example.com');
  expect((await as(ben)(`GET /team/members?siteId=${site._id}`)).body.data.members).toHaveLength(2);
  expect((await as(ben)(`GET /team/invites?siteId=${site._id}`)).status).toBe(403);
  expect((await as(ben)('GET /team/invites')).body.data.invites).toEqual([]);
  const body = { email: 'x@example.com', role: 'agent', siteId: site._id };
  const refused = [
    await as(ben)('POST /team/invites', body),
    await as(ben)(`DELETE /team/invites/${made._id}`),
    await as(ben)(`POST /team/invites/${made._id}/resend`),
    await as(ben)(`PATCH /team/members/${ben.user._id}`, { role: 'admin', siteId: site._id }),
    await as(ben)(`DELETE /team/members/${owner.user._id}`, { siteId: site._id }),
    await as(ben)(`POST /sites/${site._id}/owner`, { userId: ben.user._id }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
});

test('the list shows which members are available', async () => {
  const ben = await member('agent');
  const online = async () =>
    (await as(owner)(`GET /team/members?siteId=${site._id}`)).body.data.members.map(
      ({ name, online }: { name: string; online: boolean }) => [name, online],
    );
  expect(await online()).toEqual([
    ['Olga Owner', false],
    ['Ben Okafor', false],
  ]);
  await connectStaff(server.url, ben.token);
  expect(await online()).toEqual([
    ['Olga Owner', false],
    ['Ben Okafor', true],
  ]);
});

import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { ApiKey, Site } from '../../../contract.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time/time.ts';
import { AuditModel } from '../audit/auditLog.ts';
import { UserModel } from '../auth/model.ts';
import { SiteModel } from '../sites/model.ts';
import { API_KEYS_MAX } from './contract.ts';
import { ApiKeyModel } from './model.ts';
import { newKey } from './token.ts';

const CALLS_MAX = 30;
const WRONG_MAX = 10;
const CALLS_PER_ACCOUNT_MAX = 5 * CALLS_MAX;
const NEW_KEYS_MAX = 24;
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  const limits = {
    callsPerKey: CALLS_MAX,
    keyCallsPerAccount: CALLS_PER_ACCOUNT_MAX,
    newKeysPerAccount: NEW_KEYS_MAX,
    wrongKeysPerIp: WRONG_MAX,
    registerPerIp: 100,
  };
  server = await startServer({ rateLimits: true, limits });
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

/** Makes an API key, of the owner if of nobody else. */
async function make(form: object = {}, { token }: Pick<Account, 'token'> = owner) {
  const body = { name: 'Script', scope: 'read', currentPassword: PASSWORD, ...form };
  const { status, body: answer } = await server.api('POST /api-keys', { token, body });
  return { status, code: answer.code, ...(answer.data as { apiKey: ApiKey; key: string } | undefined) };
}

async function made(
  form: object = {},
  account: Pick<Account, 'token'> = owner,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { apiKey, key } = await make(form, account);
  if (!apiKey || !key) throw new Error('no API key was made');
  return { apiKey, key };
}

const listed = async (): Promise<ApiKey[]> =>
  (await server.api('GET /api-keys', { token: owner.token })).body.data.apiKeys;
const sitesSeen = async (token: string) => {
  const { status, body } = await server.api('GET /sites', { token });
  return status === 200 ? body.data.sites.map(({ _id }: Site) => _id) : body.code;
};

test('a key is shown once, stored as a hash, works without cookies, and is audited', async () => {
  const { apiKey, key } = await made({ name: ' Till ', expiresInDays: 30 });
  expect(key).toMatch(new RegExp(`^parley_${apiKey._id}_[0-9a-f]{72}$`));
  expect(apiKey).toMatchObject({ name: 'Till', scope: 'read', siteIds: null, lastUsedAt: null });
  expect((await listed())[0]).toEqual(apiKey);
  const stored = JSON.stringify(await ApiKeyModel.findById(apiKey._id).lean());
  expect(stored).not.toContain(key.slice(-72, -8));

  const answer = await server.api('GET /sites', { token: key });
  expect(answer.body.data.sites.map(({ _id }: Site) => _id)).toEqual([site._id]);
  expect(answer.headers).not.toHaveProperty('set-cookie');

  await server.api(`DELETE /api-keys/${apiKey._id}`, { token: owner.token });
  const trail = await AuditModel.find({
    actor: owner.user._id,
    action: { $in: ['api_key_created', 'api_key_revoked'] },
  }).lean();
  expect(trail.map(({ action, detail }) => [action, detail?.reason])).toEqual([
    ['api_key_created', 'read'],
    ['api_key_revoked', undefined],
  ]);
});

test('making one needs the password, own sites and a name, and there are at most twenty', async () => {
  const ana = await signUp(server.api);
  const of = (form: object) => make(form, ana);
  expect(await of({ currentPassword: 'not-the-one-at-all' })).toMatchObject({ status: 422 });
  expect(await of({ name: ' ' })).toMatchObject({ status: 422 });
  expect(await of({ scope: 'owner' })).toMatchObject({ status: 422 });
  expect(await of({ siteIds: [] })).toMatchObject({ status: 422 });
  expect(await of({ siteIds: [site._id] })).toMatchObject({ status: 404, code: 'SITE_NOT_FOUND' });
  for (let count = 0; count < API_KEYS_MAX; count++) expect(await of({})).toMatchObject({ status: 201 });
  expect(await of({})).toMatchObject({ status: 409, code: 'API_KEY_LIMIT_REACHED' });
  await ApiKeyModel.deleteMany({ user: ana.user._id });
  let refused: number;
  do ({ status: refused } = await of({}));
  while (refused === 201);
  expect(refused).toBe(429);
  expect(await ApiKeyModel.countDocuments({ user: ana.user._id })).toBeLessThan(NEW_KEYS_MAX - API_KEYS_MAX);
  const foreign = await ApiKeyModel.findOne({ user: ana.user._id }).lean();
  expect((await server.api(`DELETE /api-keys/${foreign?._id}`, { token: owner.token })).status).toBe(404);
});

test('a revoked or expired key is refused at once', async () => {
  const [revoked, expired] = [await made(), await made({ expiresInDays: 1 })];
  for (const { key } of [revoked, expired]) expect(await sitesSeen(key)).toEqual([site._id]);
  await server.api(`DELETE /api-keys/${revoked.apiKey._id}`, { token: owner.token });
  expect(await sitesSeen(revoked.key)).toBe('API_KEY_INVALID');
  server.advance(DAY_MS);
  expect(await sitesSeen(expired.key)).toBe('API_KEY_INVALID');
  owner.token = (
    await server.api('POST /auth/login', { body: { email: owner.user.email, password: PASSWORD } })
  ).body.data.token;
});

test('its last use is written once a minute at most', async () => {
  const { key, apiKey } = await made();
  const lastUse = async () => (await listed()).find(({ _id }) => _id === apiKey._id)?.lastUsedAt;
  await sitesSeen(key);
  const first = await lastUse();
  expect(first).toEqual(expect.any(String));
  await sitesSeen(key);
  expect(await lastUse()).toBe(first);
  server.advance(MINUTE_MS);
  await sitesSeen(key);
  expect(await lastUse()).not.toBe(first);
});

test('it never allows more than its owner may do now, and says when its scope is too small', async () => {
  const ben = await signUp(server.api, 'Ben');
  await join(site, ben, 'agent');
  const { _id } = await newChat(server.api, site, owner.token);
  const [all, reply] = [await made({ scope: 'manage' }, ben), await made({ scope: 'reply' }, ben)];
  const note = (key: string) => server.api(`POST /chats/${_id}/notes`, { token: key, body: { content: 'Hello' } });
  expect((await note(all.key)).status).toBe(201);
  const rename = { token: all.key, body: { name: 'Mine' } };
  expect((await server.api(`PATCH /sites/${site._id}`, rename)).body.code).toBe('FORBIDDEN');
  const shared = { siteId: site._id, shortcut: 'hi', content: 'Hi' };
  const { key } = await made({ scope: 'reply' });
  expect((await server.api('POST /canned-replies', { token: key, body: shared })).body.code).toBe('API_KEY_SCOPE');
  const personal = { token: reply.key, body: { ...shared, personal: true } };
  expect((await server.api('POST /canned-replies', personal)).status).toBe(201);
  const change = { token: owner.token, body: { role: 'viewer', siteId: site._id } };
  await server.api(`PATCH /team/members/${ben.user._id}`, change);
  expect((await note(all.key)).body.code).toBe('FORBIDDEN');
  await server.api(`DELETE /team/members/${ben.user._id}`, { token: owner.token, body: { siteId: site._id } });
  expect((await note(all.key)).status).toBe(404);
});

test('it survives signing out and a new password, but not a suspension, and not its account', async () => {
  const eve = await signUp(server.api, 'Eve');
  const { key } = await made({}, eve);
  const body = { currentPassword: PASSWORD, newPassword: 'another-calm-river' };
  await server.api('PUT /auth/password', { token: eve.token, body });
  const exported = await server.api('GET /auth/account/export', { token: eve.token });
  expect(exported.body.apiKeys).toMatchObject([{ name: 'Script', scope: 'read', siteIds: null }]);
  await server.api('POST /auth/logout', { token: eve.token });
  expect(await sitesSeen(key)).toEqual([]);

  const suspend = (suspended: boolean) =>
    server.api(`PATCH /admin/users/${eve.user._id}`, { token: owner.token, body: { suspended } });
  await suspend(true);
  expect(await sitesSeen(key)).toBe('API_KEY_INVALID');
  await suspend(false);
  expect(await sitesSeen(key)).toEqual([]);

  const login = { email: eve.user.email, password: body.newPassword };
  const { token } = (await server.api('POST /auth/login', { body: login })).body.data;
  await server.api('DELETE /auth/account', { token, body: { currentPassword: body.newPassword } });
  expect(await UserModel.exists({ _id: eve.user._id })).toBeNull();
  expect(await ApiKeyModel.exists({ user: eve.user._id })).toBeNull();
});

test('a deleted site is taken out of it, and a key that had no other reaches nothing', async () => {
  const gone = await createSite(server.api, owner.token);
  const [both, one] = [await made({ siteIds: [site._id, gone._id] }), await made({ siteIds: [gone._id] })];
  await server.api(`DELETE /sites/${gone._id}`, { token: owner.token });
  await until(async () => SiteModel.exists({ _id: gone._id, purgedAt: { $exists: true } }));
  const sitesOf = async (id: string) => (await listed()).find(({ _id }) => _id === id)?.siteIds;
  expect([await sitesOf(both.apiKey._id), await sitesOf(one.apiKey._id)]).toEqual([[site._id], []]);
  expect([await sitesSeen(both.key), await sitesSeen(one.key)]).toEqual([[site._id], []]);
});

test('a dashboard socket says that it takes no API keys', async () => {
  const { key } = await made();
  const { io } = await import('socket.io-client');
  const socket = io(server.url, { auth: { token: key }, transports: ['websocket'], reconnection: false });
  const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
  socket.disconnect();
  expect(error.message).toBe('API_KEY_REFUSED');
});

test('calls are limited per key, and wrong keys per address without harm to those that work', async () => {
  const [busy, { key }] = [await made(), await made()];
  for (let call = 0; call < CALLS_MAX; call++) expect(await sitesSeen(busy.key)).toEqual([site._id]);
  expect(await sitesSeen(busy.key)).toBe('RATE_LIMITED');
  expect(await sitesSeen(key)).toEqual([site._id]);
  expect(await sitesSeen(owner.token)).toEqual([site._id]);

  const { apiKey, key: gone } = await made();
  await server.api(`DELETE /api-keys/${apiKey._id}`, { token: owner.token });
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  for (let tries = 0; tries < 2 * WRONG_MAX; tries++) expect(await sitesSeen(mistyped)).toBe('API_KEY_INVALID');
  const refusals = [];
  for (let tries = 0; tries <= WRONG_MAX; tries++) refusals.push(await sitesSeen(gone));
  expect([refusals[0], refusals.at(-1)]).toEqual(['API_KEY_INVALID', 'RATE_LIMITED']);
  expect(await sitesSeen(key)).toEqual([site._id]);
});

test('the calls of all API keys of an account are limited together', async () => {
  const ada = await signUp(server.api, 'Ada');
  const keys = await Promise.all(Array.from({ length: 6 }, () => made({}, ada)));
  const call = (token: string) => server.api('GET /sites', { token, headers: { 'X-Forwarded-For': '198.51.100.8' } });
  const answers = await Promise.all(keys.flatMap(({ key }) => Array.from({ length: CALLS_MAX }, () => call(key))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(CALLS_PER_ACCOUNT_MAX);
  const body = await server.api('GET /sites', { token: ada.token });
  expect(body.status).toBe(200);
});

test('wrong API keys that come together do not exceed the limit, and a right one is never refused', async () => {
  const { key } = await made();
  const status = async (token: string) =>
    (await server.api('GET /sites', { token, headers: { 'X-Forwarded-For': '198.51.100.9' } })).status;
  const several = Array.from({ length: 2 * WRONG_MAX });
  const right = await Promise.all(several.map(() => status(key)));
  expect(new Set(right)).toEqual(new Set([200]));
  const wrong = await Promise.all(several.map(() => status(newKey(new Types.ObjectId().toHexString()).key)));
  expect(wrong.filter((each) => each === 401)).toHaveLength(WRONG_MAX);
  expect(wrong.filter((each) => each === 429)).toHaveLength(WRONG_MAX);
});

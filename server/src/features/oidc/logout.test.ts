import { type CryptoKey, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PASSWORD, until } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { newBrowser, PARLEY, startProvider, type TestProvider } from '#test/oidcStandIn';
import { connectStaff, hangUp } from '#test/sockets';
import { SessionModel } from '../auth/model.ts';

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
let provider: TestProvider;
let cluster: TestCluster;
let [a, b]: TestServer[] = [];

beforeAll(async () => {
  provider = await startProvider({ ana: { email: 'ana@acme.example', email_verified: true, name: 'Ana' } });
  provider.person = 'ana';
  cluster = await startCluster(2, { oidc: provider.settings, publicUrl: PARLEY });
  [a, b] = cluster.nodes;
  provider.parleyUrl = at(a).url;
});
afterEach(hangUp);
afterAll(async () => {
  await cluster.stop();
  await provider.stop();
});

const at = (node: TestServer | undefined) => node as TestServer;

/** A new session with the provider, and what the provider calls it. */
async function session() {
  const { token } = (await newBrowser(at(a).url).signIn()).body.data;
  const { oidcSid = '' } = (await SessionModel.findOne({}).sort({ _id: -1 }).lean()) ?? {};
  expect(oidcSid).not.toBe('');
  return { token, sid: oidcSid };
}

const isAlive = async (token: string, node = a) => (await at(node).api('GET /auth/profile', { token })).status === 200;

async function send(claims: object, sign = provider.logoutToken): Promise<string> {
  const { issuer: iss, clientId: aud } = provider.settings;
  const token = await sign({ iss, aud, jti: crypto.randomUUID(), events: EVENTS, sub: 'ana', ...claims });
  return post(token);
}

async function post(token: string): Promise<string> {
  const answer = await fetch(`${at(b).url}/api/auth/oidc/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer.ok ? 'ended' : ((await answer.json()) as { code: string }).code;
}

test('a sign-in begun on one node is finished on the other', async () => {
  const anas = newBrowser(at(a).url);
  const { url } = (await anas.call('POST /auth/oidc/start')).body.data;
  const back = await anas.atProvider(url);
  const onB = newBrowser(at(b).url);
  for (const [host, jar] of anas.cookies) onB.cookies.set(host, jar);
  const ticket = (await onB.back(back)).split('#oidc=')[1];
  expect((await anas.call('POST /auth/oidc/exchange', { ticket })).status).toBe(200);
});

test('the provider ends one of its sessions, on all nodes and with their sockets', async () => {
  const [ended, other] = [await session(), await session()];
  const desk = await connectStaff(at(b).url, ended.token);
  await provider.logOut('ana', ended.sid);
  await until(async () => desk.heard('session_ended').length > 0);
  expect(desk.heard('session_ended')).toEqual([{ reason: 'signed_out' }]);
  for (const node of [a, b]) expect(await isAlive(ended.token, node)).toBe(false);
  expect(await isAlive(other.token)).toBe(true);
});

test('a logout token without a session ends all that the person opened with the provider, and no others', async () => {
  const [one, two] = [await session(), await session()];
  const newPassword = { newPassword: PASSWORD };
  await at(a).api('PUT /auth/password', { token: two.token, body: newPassword });
  const three = await session();
  const login = { email: 'ana@acme.example', password: PASSWORD };
  const byPassword = (await at(a).api('POST /auth/login', { body: login })).body.data.token;
  expect(await send({})).toBe('ended');
  expect(await Promise.all([one, two, three].map(({ token }) => isAlive(token)))).toEqual([false, false, false]);
  expect(await isAlive(byPassword)).toBe(true);
});

test('a logout token may name a session alone', async () => {
  const { token, sid } = await session();
  expect(await send({ sub: undefined, sid })).toBe('ended');
  expect(await isAlive(token)).toBe(false);
});

test.each<[string, object]>([
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another client', { aud: 'other' }],
  ['without an id', { jti: undefined }],
  ['without the event', { events: {} }],
  ['with a nonce', { nonce: 'n' }],
  ['for nobody', { sub: undefined }],
  ['that has expired', { exp: 1 }],
])('a logout token %s is refused', async (_what, claims) => {
  const { token } = await session();
  expect(await send(claims)).toBe('INVALID_LOGOUT_TOKEN');
  expect(await isAlive(token)).toBe(true);
});

test('a logout token is refused with a foreign signature, without one, too old, or a second time', async () => {
  const { token } = await session();
  const { privateKey } = await generateKeyPair('RS256');
  const signed =
    (alg: string, key: CryptoKey | Uint8Array, at = Math.floor(Date.now() / 1000)) =>
    (claims: object) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: 'k1' }).setIssuedAt(at).sign(key);
  expect(await send({}, signed('RS256', privateKey))).toBe('INVALID_LOGOUT_TOKEN');
  expect(await send({}, signed('HS256', Buffer.from('of-this-client-only-'.repeat(2))))).toBe('INVALID_LOGOUT_TOKEN');
  const none = [{ alg: 'none' }, { sub: 'ana', events: EVENTS, jti: 'x' }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  for (const odd of [`${none.join('.')}.`, 'x', 'a.b.c']) expect(await post(odd)).toBe('INVALID_LOGOUT_TOKEN');
  expect(await isAlive(token)).toBe(true);
  const { issuer: iss, clientId: aud } = provider.settings;
  const good = await provider.logoutToken({ iss, aud, jti: 'once', events: EVENTS, sub: 'ana' });
  expect(await post(good)).toBe('ended');
  const later = await session();
  expect(await post(good)).toBe('INVALID_LOGOUT_TOKEN');
  expect(await isAlive(later.token)).toBe(true);
});

test('sessions of the provider are found by index', async () => {
  const plan = await SessionModel.find({ oidcSid: 'a' }).explain('queryPlanner');
  expect(JSON.stringify(plan)).toContain('IXSCAN');
});

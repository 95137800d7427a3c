import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '#test/harness';
import { newBrowser, PARLEY, startProvider, type TestProvider, ticketIn } from '#test/oidcStandIn';
import { AuditModel } from '../audit/auditLog.ts';

let provider: TestProvider;
let server: TestServer;

beforeAll(async () => {
  provider = await startProvider({
    ana: { email: 'Ana@acme.example', email_verified: true, name: 'Ana Ruiz' },
    ben: { email: 'ben@acme.example', email_verified: true, name: 'B'.repeat(300) },
    nomail: { name: 'No Mail' },
  });
  server = await startServer({ oidc: provider.settings, publicUrl: PARLEY });
  provider.parleyUrl = server.url;
  provider.person = 'ana';
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

const browser = () => newBrowser(server.url);

test('somebody signs in with the provider, and is the same person the next time', async () => {
  const anas = browser();
  expect((await anas.call('GET /auth/oidc')).body.data).toEqual({ provider: { name: 'Acme ID', only: false } });
  const first = await anas.signIn({ returnTo: '/dashboard/inbox?chat=1' });
  expect([first.status, first.body.message]).toEqual([200, 'Login successful!']);
  const { user, token, returnTo } = first.body.data;
  expect(user).toMatchObject({ name: 'Ana Ruiz', email: 'ana@acme.example', role: 'parley_admin' });
  expect(returnTo).toBe('/dashboard/inbox?chat=1');
  expect((await server.api('GET /auth/profile', { token })).body.data.user._id).toBe(user._id);
  const again = await browser().signIn();
  expect([again.body.data.user._id, again.body.data.returnTo]).toEqual([user._id, '/dashboard']);
  const { sessions } = (await server.api('GET /auth/sessions', { token })).body.data;
  expect(sessions).toHaveLength(2);
  const exported = (await server.api('GET /auth/account/export', { token })).body;
  expect(exported.oidc).toEqual({ issuer: provider.settings.issuer, subject: 'ana', since: expect.any(String) });
  expect(await AuditModel.countDocuments({ actor: user._id, action: 'signed_in', 'detail.reason': 'oidc' })).toBe(1);
});

test('nothing that is worth a session is in an address, and a cookie that scripts cannot read ties all of it to the browser', async () => {
  const anas = browser();
  const { body, headers } = await anas.call('POST /auth/oidc/start');
  expect(headers.get('set-cookie')).toMatch(/^parley_oidc=[\w-]{43}; .*Path=\/; .*HttpOnly; SameSite=Lax$/);
  const asked = new URL(body.data.url).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  const back = await anas.atProvider(body.data.url);
  const elsewhere = browser();
  await elsewhere.call('POST /auth/oidc/start');
  // Whoever has another browser open this address, to have it signed in as somebody else.
  expect(await elsewhere.back(back)).toBe('/login#oidc=expired');
  expect(await anas.back(back)).toBe('/login#oidc=expired');
  const ticket = await anas.ticket();
  for (const other of [elsewhere, browser()])
    expect((await other.call('POST /auth/oidc/exchange', { ticket })).body.code).toBe('OIDC_EXPIRED');
  expect((await anas.call('POST /auth/oidc/exchange', { ticket })).status).toBe(200);
});

test('two tabs sign in at the same time', async () => {
  const anas = browser();
  const urls = [await anas.call('POST /auth/oidc/start'), await anas.call('POST /auth/oidc/start')];
  const backs: string[] = [];
  for (const { body } of urls) backs.push(await anas.atProvider(body.data.url));
  const tickets = [await anas.back(backs[1] ?? ''), await anas.back(backs[0] ?? '')].map(ticketIn);
  for (const ticket of tickets) expect((await anas.call('POST /auth/oidc/exchange', { ticket })).status).toBe(200);
});

test('state, code and ticket work once, and for a while', async () => {
  const anas = browser();
  const { url } = (await anas.call('POST /auth/oidc/start')).body.data;
  const back = await anas.atProvider(url);
  const ticket = ticketIn(await anas.back(back));
  expect(await anas.back(back)).toBe('/login#oidc=expired');
  const exchange = () => anas.call('POST /auth/oidc/exchange', { ticket });
  const answers = await Promise.all([exchange(), exchange(), exchange()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const late = await anas.ticket();
  await server.advance(61_000);
  expect((await anas.call('POST /auth/oidc/exchange', { ticket: late })).body).toMatchObject({
    code: 'OIDC_EXPIRED',
    message: 'This sign-in has expired. Please try again.',
  });
  const begun = (await anas.call('POST /auth/oidc/start')).body.data;
  const tooLate = await anas.atProvider(begun.url);
  await server.advance(600_000);
  expect(await anas.back(tooLate)).toBe('/login#oidc=expired');
  await server.advance(-661_000);
});

/** What becomes of an answer of the provider that was changed on its way. */
async function changed(change: (back: URL, start: URL) => void | Promise<void>): Promise<object> {
  const anas = browser();
  const start = new URL((await anas.call('POST /auth/oidc/start')).body.data.url);
  const back = new URL(await anas.atProvider(start.href));
  await change(back, start);
  const ticket = ticketIn(await anas.back(back.href));
  const { status, body } = await anas.call('POST /auth/oidc/exchange', { ticket });
  return { status, code: body.code };
}

const REFUSED = { status: 409, code: 'OIDC_REFUSED' };

test.each<[string, (back: URL) => void, object]>([
  ['another state', (back) => back.searchParams.set('state', 'x'.repeat(43)), { status: 409, code: 'OIDC_EXPIRED' }],
  ['no state', (back) => back.searchParams.delete('state'), { status: 409, code: 'OIDC_EXPIRED' }],
  ['the issuer of another provider', (back) => back.searchParams.set('iss', 'https://evil.example'), REFUSED],
  ['no issuer, which this provider names', (back) => back.searchParams.delete('iss'), REFUSED],
  ['another code', (back) => back.searchParams.set('code', 'x'.repeat(43)), REFUSED],
  ['two codes', (back) => back.searchParams.append('code', 'x'.repeat(43)), REFUSED],
])('an answer with %s is refused', async (_what, change, answer) => {
  expect(await changed(change)).toEqual(answer);
});

test('a code of another sign-in is refused: PKCE ties it to the one that asked for it', async () => {
  const stolen = browser();
  const { url } = (await stolen.call('POST /auth/oidc/start')).body.data;
  const code = new URL(await stolen.atProvider(url)).searchParams.get('code') ?? '';
  expect(await changed((back) => back.searchParams.set('code', code))).toEqual(REFUSED);
});

test.each([
  ['without PKCE', ['code_challenge', 'code_challenge_method']],
  ['without a nonce', ['nonce']],
])('a sign-in for which the provider was asked %s is refused', async (_what, names) => {
  const anas = browser();
  const start = new URL((await anas.call('POST /auth/oidc/start')).body.data.url);
  for (const name of names) start.searchParams.delete(name);
  const ticket = ticketIn(await anas.back(await anas.atProvider(start.href)));
  expect((await anas.call('POST /auth/oidc/exchange', { ticket })).body.code).toBe('OIDC_REFUSED');
});

test('what the provider refuses is said in a sentence, without its words', async () => {
  provider.person = null;
  const { status, body } = await browser().signIn();
  provider.person = 'ana';
  expect([status, body.message]).toEqual([409, 'Acme ID did not allow the sign-in.']);
});

test('while the provider is down, people are told so, and can sign in when it is back', async () => {
  const anas = browser();
  const { url } = (await anas.call('POST /auth/oidc/start')).body.data;
  const back = await anas.atProvider(url);
  await provider.down();
  const ticket = ticketIn(await anas.back(back));
  expect((await anas.call('POST /auth/oidc/exchange', { ticket })).body.message).toBe(
    'The sign-in with Acme ID failed. Please try again.',
  );
  await provider.up();
  expect((await anas.signIn()).status).toBe(200);
});

test('an account needs an e-mail, and its name is cut', async () => {
  provider.person = 'nomail';
  expect((await browser().signIn()).body.message).toBe('Acme ID does not tell your email address, which Parley needs.');
  provider.person = 'ben';
  expect((await browser().signIn()).body.data.user).toMatchObject({ name: 'B'.repeat(100), role: 'user' });
  provider.person = 'ana';
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/dashboardx',
  'javascript:alert(1)',
  '/login',
])('a sign-in does not lead to %s', async (returnTo) => {
  expect((await browser().call('POST /auth/oidc/start', { returnTo })).status).toBe(422);
});

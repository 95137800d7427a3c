import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import type { SiteRole } from '../team/contract.ts';
import { SiteModel } from './model.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNKNOWN_ID = 'aaaaaaaaaaaaaaaaaaaaaaaa';
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 50 });
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

async function member(role: SiteRole): Promise<string> {
  const account = await signUp(server.api);
  await join(site, account, role);
  return account.token;
}
const ask = (call: string, token: string | undefined, id = site._id) => server.api(call.replace(':id', id), { token });

test('a new widget code works at once and the old one does not; open widgets and dashboards are notified', async () => {
  const session = await visit(server.api, site);
  const widget = await connectVisitor(server.url, session.visitorToken);
  const closed = new Promise((resolve) => widget.socket.once('disconnect', resolve));
  const desk = await connectStaff(server.url, owner.token);
  const { status, body } = await ask('POST /sites/:id/widget-code', owner.token);
  expect(status).toBe(200);
  const { widgetCode } = body.data.site;
  expect(widgetCode).toMatch(/^[\w-]{16}$/);
  expect(widgetCode).not.toBe(site.widgetCode);
  await closed;
  expect(widget.heard('session_ended')).toEqual([{ reason: 'code_changed' }]);
  expect((await server.api(`GET /widget/${site.widgetCode}`)).status).toBe(404);
  expect((await server.api(`POST /widget/${site.widgetCode}/session`, { body: {} })).status).toBe(404);
  expect((await server.api(`GET /widget/${widgetCode}`)).status).toBe(200);
  await until(async () => desk.heard('site_updated').some(({ siteId }) => siteId === site._id));
});

test('the identity secret is created once, also with concurrent calls, and can be replaced', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => ask('GET /sites/:id/identity-secret', owner.token)));
  const secrets = new Set(answers.map(({ body }) => body.data.secret));
  expect(secrets.size).toBe(1);
  const [secret] = secrets;
  expect(secret).toMatch(/^[\w-]{43}$/);
  const changed = (await ask('POST /sites/:id/identity-secret', owner.token)).body.data.secret;
  expect(changed).not.toBe(secret);
  expect((await ask('GET /sites/:id/identity-secret', owner.token)).body.data.secret).toBe(changed);
  for (const call of ['GET /sites/:id', 'POST /sites/:id/widget-code'])
    expect(JSON.stringify((await ask(call, owner.token)).body)).not.toContain(changed);
});

test.each([
  ['GET /sites/:id/identity-secret', 403],
  ['POST /sites/:id/identity-secret', 403],
  ['POST /sites/:id/widget-code', 403],
  ['GET /sites/:id/installation', 200],
])('%s is for admins (others: %i), and a 404 for strangers', async (call, others) => {
  expect((await ask(call, await member('admin'))).status).toBe(200);
  expect((await ask(call, await member('agent'))).status).toBe(others);
  expect((await ask(call, await member('viewer'))).status).toBe(others);
  const stranger = await signUp(server.api);
  const foreign = await ask(call, stranger.token);
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual((await ask(call, stranger.token, UNKNOWN_ID)).body);
  expect((await ask(call, undefined)).status).toBe(401);
  expect((await ask(call, owner.token, 'none')).status).toBe(400);
});

const installation = async () => (await ask('GET /sites/:id/installation', owner.token)).body.data.installation;
const load = (headers: Record<string, string>, query = '') =>
  server.api(`GET /widget/${site.widgetCode}${query}`, { headers });
const ORIGIN = 'https://shop.example.com';

test('a widget that was never seen has no installation', async () => {
  await load({});
  for (const path of ['test/w_code', 'c/64b000000000000000000000']) await load({ Referer: `${server.url}/${path}` });
  await load({ Origin: server.url, Referer: `${server.url}/test/w_code` });
  expect(await installation()).toEqual({ seenAt: null, origin: null, page: null, version: null });
});

test('the page where a widget was seen is stored without its query and fragment', async () => {
  await load({ Origin: ORIGIN, Referer: `${ORIGIN}/cart?token=secret#x` }, '?v=0.1.0');
  const seen = await until(async () => {
    const found = await installation();
    return found.seenAt !== null && found;
  });
  expect(seen).toEqual({ seenAt: expect.any(String), origin: ORIGIN, page: `${ORIGIN}/cart`, version: '0.1.0' });
});

test('a visitor session also counts as seen, stored at most once a minute', async () => {
  const page = { url: `${ORIGIN}/first?x=1`, title: 'First' };
  const headers = { Origin: ORIGIN };
  const open = (url: string) =>
    server.api(`POST /widget/${site.widgetCode}/session`, { headers, body: { page: { ...page, url } } });
  await open(page.url);
  await until(async () => (await installation()).page === `${ORIGIN}/first`);
  await open(`${ORIGIN}/second`);
  server.advance(MINUTE_MS);
  await open(`${ORIGIN}/third`);
  const third = await until(async () => {
    const found = await installation();
    return found.page !== `${ORIGIN}/first` && found;
  });
  expect(third.page).toBe(`${ORIGIN}/third`);
});

test('outside its office hours a site is offline, whoever is online', async () => {
  await connectStaff(server.url, owner.token);
  const online = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data.online;
  const set = (days: object[]) =>
    server.api(`PATCH /sites/${site._id}`, {
      token: owner.token,
      body: { settings: { hours: { timeZone: 'UTC', days } } },
    });
  const everyDay = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '00:00', to: '24:00' }));
  await set(everyDay);
  expect(await online()).toBe(true);
  await set([]);
  expect(await online()).toBe(false);
});

test('a stranger cannot say that the widget is elsewhere, unless it was long not seen at home', async () => {
  // Sessions end when the clock moves so far.
  const seen = async () => (await SiteModel.findById(site._id).lean())?.installation;
  await load({ Origin: ORIGIN });
  await until(async () => (await seen())?.origin === ORIGIN);
  const foreign = { Origin: 'https://elsewhere.example' };
  server.advance(MINUTE_MS);
  await load(foreign);
  await load({ Origin: ORIGIN, Referer: `${ORIGIN}/fourth` });
  await until(async () => (await seen())?.page === `${ORIGIN}/fourth`);
  server.advance(8 * DAY_MS);
  await load(foreign);
  await until(async () => (await seen())?.origin === foreign.Origin);
  await load({ Origin: ORIGIN });
  await until(async () => (await seen())?.origin === ORIGIN);
});

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BROWSER, createSite, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { VisitorModel } from './model.ts';

const LIMITS = {
  returnsPerVisitor: 4,
  socketsPerVisitor: 3,
  socketsPerIp: 6,
  unknownTokensPerIp: 5,
  callsPerVisitor: 8,
  returnsPerAddress: 6,
  visitorCallsPerAddress: 10,
  packetsPerAddress: 100,
};
const UNAUTHORIZED = 401;
const TOO_MANY = 429;

let server: TestServer;
let token: string;
let site: Site;

beforeAll(async () => {
  server = await startServer({ rateLimits: true, limits: LIMITS });
  ({ token } = await signUp(server.api));
  site = await createSite(server.api, token);
});
afterEach(hangUp);
afterAll(() => server.stop());

/** A caller behind a proxy of the same machine. */
const from = (address: string) => ({ 'X-Forwarded-For': address });

const resume = (body: object, address = '203.0.113.1') =>
  server.api(`POST /widget/${site.widgetCode}/session`, { body, headers: { ...BROWSER, ...from(address) } });

test('returns of a visitor are limited, and without changes nothing is stored or sent', async () => {
  const ear = await connectStaff(server.url, token);
  await server.api(`PATCH /sites/${site._id}`, { token, body: { settings: { visitorPages: true } } });
  const page = { url: 'https://shop.example.com/', title: 'Shop' };
  const attributes = { plan: 'pro' };
  const { visitorToken, visitor } = await visit(server.api, site, { visitor: { name: 'Vera' }, page, attributes });
  const stored = () => VisitorModel.findById(visitor._id).lean();
  const before = await stored();
  const told = () => ear.heard('visitor_updated').filter(({ visitorId }) => visitorId === visitor._id).length;

  expect((await resume({ visitorToken, visitor: { name: 'Vera' }, page, attributes })).status).toBe(200);
  expect(await stored()).toEqual(before);
  expect((await resume({ visitorToken, page: { ...page, title: 'Cart' } })).status).toBe(200);
  await until(async () => told() > 0);
  expect(told()).toBe(1);
  expect((await stored())?.page?.title).toBe('Cart');

  await resume({ visitorToken });
  await resume({ visitorToken });
  expect((await resume({ visitorToken })).status).toBe(TOO_MANY);
});

test('unknown tokens from one address are limited, over HTTP, for sessions and on sockets', async () => {
  const good = await visit(server.api, site);
  const call = (bearer: string, address: string) =>
    server.api(`POST /widget/${site.widgetCode}/messages`, { token: bearer, body: {}, headers: from(address) });
  const flooder = from('203.0.113.7');
  for (let n = 0; n < LIMITS.unknownTokensPerIp; n++)
    expect((await call(`nobody-${n}`, '203.0.113.7')).status).toBe(UNAUTHORIZED);
  expect((await call('nobody', '203.0.113.7')).status).toBe(TOO_MANY);
  expect((await resume({ visitorToken: 'nobody' }, '203.0.113.7')).status).toBe(TOO_MANY);
  await expect(connectVisitor(server.url, 'nobody', flooder)).rejects.toThrow('RATE_LIMITED');
  // Good tokens do not count.
  for (let n = 0; n <= LIMITS.unknownTokensPerIp; n++)
    expect((await call(good.visitorToken, '203.0.113.8')).status).not.toBe(TOO_MANY);
});

test('unknown tokens that come together do not exceed the limit, and those of visitors are never refused', async () => {
  const call = async (bearer: string, address: string) => {
    const call = `POST /widget/${site.widgetCode}/messages`;
    return (await server.api(call, { token: bearer, body: {}, headers: from(address) })).status;
  };
  // The server has not seen their tokens yet, as after a restart.
  const visitors = await Promise.all(
    Array.from({ length: 2 * LIMITS.unknownTokensPerIp }, () => visit(server.api, site)),
  );
  const good = await Promise.all(visitors.map(({ visitorToken }) => call(visitorToken, '203.0.113.9')));
  expect(good).not.toContain(TOO_MANY);
  const unknown = await Promise.all(visitors.map((_, n) => call(`nobody-${n}`, '203.0.113.9')));
  expect(unknown.filter((status) => status === UNAUTHORIZED)).toHaveLength(LIMITS.unknownTokensPerIp);
  expect(unknown.filter((status) => status === TOO_MANY)).toHaveLength(LIMITS.unknownTokensPerIp);
});

test('a visitor keeps only the latest sockets, also when all connect at once, and the others are told', async () => {
  const { visitorToken } = await visit(server.api, site);
  const dial = (n: number) => connectVisitor(server.url, visitorToken, from(`203.0.113.${20 + n}`));
  const connected = () => ears.filter(({ socket }) => socket.connected).length;
  const ears = await Promise.all(Array.from({ length: 8 }, (_, n) => dial(n)));
  await until(async () => connected() === LIMITS.socketsPerVisitor);
  const late = await dial(9);
  expect(await late.ask('sync', {})).toMatchObject({ ok: true });
  // Which of them came first the server knows: they were all on their way at once.
  await until(async () => connected() === LIMITS.socketsPerVisitor - 1);
  expect(late.socket.connected).toBe(true);
  expect(ears.map((ear) => ear.heard('gave_way').length)).toEqual(ears.map(({ socket }) => (socket.connected ? 0 : 1)));
});

test('connections of an address are limited, independently of other addresses', async () => {
  for (let n = 0; n < LIMITS.socketsPerIp; n++) await connectStaff(server.url, token, from('203.0.113.40'));
  await expect(connectStaff(server.url, token, from('203.0.113.40'))).rejects.toThrow();
  expect((await connectStaff(server.url, token, from('203.0.113.41'))).socket.connected).toBe(true);
  hangUp();
  await until(() => connectStaff(server.url, token, from('203.0.113.40')).catch(() => null));
});

test("calls above a visitor's limit are refused before validation", async () => {
  const { visitorToken } = await visit(server.api, site);
  const ear = await connectVisitor(server.url, visitorToken);
  for (let n = 0; n < LIMITS.callsPerVisitor; n++) expect((await ear.ask('sync', {})).ok).toBe(true);
  expect(await ear.ask('sync', { chatId: 'no id' })).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
});

test('returns of all visitors of one address are limited together, over HTTP and by page changes', async () => {
  const address = '203.0.113.60';
  const page = (n: number) => ({ url: `https://shop.example.com/${n}`, title: 'Shop' });
  const tokens = await Promise.all(Array.from({ length: 3 }, async () => (await visit(server.api, site)).visitorToken));
  const { ask } = await connectVisitor(server.url, tokens[0], from(address));
  for (let n = 0; n < LIMITS.returnsPerAddress / 2; n++) {
    expect((await ask('page', page(n))).ok).toBe(true);
    expect((await resume({ visitorToken: tokens[n % tokens.length], page: page(n) }, address)).status).toBe(200);
  }
  expect((await resume({ visitorToken: tokens[0], page: page(9) }, address)).status).toBe(TOO_MANY);
  expect(await ask('page', page(9))).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
  expect((await resume({ visitorToken: tokens[0] }, '203.0.113.61')).status).toBe(200);
});

test('calls of all visitors of one address are limited together, over HTTP and sockets', async () => {
  const address = '203.0.113.70';
  const [one, two] = [await visit(server.api, site), await visit(server.api, site)];
  const ear = await connectVisitor(server.url, one.visitorToken, from(address));
  const call = (to: string) =>
    server.api(`POST /widget/${site.widgetCode}/rating`, { token: two.visitorToken, body: {}, headers: from(to) });
  for (let n = 0; n < LIMITS.visitorCallsPerAddress / 2; n++) {
    expect((await ear.ask('sync', {})).ok).toBe(true);
    expect((await call(address)).status).not.toBe(TOO_MANY);
  }
  expect(await ear.ask('sync', {})).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
  expect((await call(address)).status).toBe(TOO_MANY);
  expect((await call('203.0.113.71')).status).not.toBe(TOO_MANY);
});

test('connections of one address that send too much are closed, and others are not', async () => {
  const flooder = from('203.0.113.80');
  const ears = [await connectStaff(server.url, token, flooder), await connectStaff(server.url, token, flooder)];
  const other = await connectStaff(server.url, token, from('203.0.113.81'));
  for (const { socket } of ears) for (let n = 0; n < LIMITS.packetsPerAddress * 0.7; n++) socket.emit('no_such_event');
  await until(async () => ears.some(({ socket }) => !socket.connected));
  expect((await other.ask('sync', { chats: [] })).ok).toBe(true);
});

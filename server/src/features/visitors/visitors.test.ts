import { randomUUID } from 'node:crypto';
import { mongo } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, join, newChat, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import {
  ATTRIBUTE_NAME_MAX_LENGTH,
  ATTRIBUTE_TEXT_MAX_LENGTH,
  ATTRIBUTES_MAX,
  PAGE_URL_MAX_LENGTH,
  PAGES_SEEN_MAX,
  type Site,
} from '../../../contract.ts';
import { launcherColors } from '../sites/launcher/contract.ts';
import { VisitorModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const edit = (body: object) => server.api(`PATCH /sites/${site._id}`, { token: owner.token, body });

test('any page can read the public config of a site by code or id, and nothing more', async () => {
  const answer = await fetch(`${server.url}/api/widget/${site.widgetCode}`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('cache-control')).toMatch(/^max-age=\d+$/);
  expect(answer.headers.get('etag')).toBeTruthy();
  const { data } = (await answer.json()) as { data: object };
  expect(data).toEqual({
    widgetCode: site.widgetCode,
    name: site.name,
    customization: site.customization,
    preChat: 'off',
    privacyUrl: null,
    visitorPages: false,
    colors: launcherColors(site.customization.color),
    buttonText: 'Need help?',
    online: false,
    logo: null,
    usualReplyMinutes: null,
    mail: false,
  });
  expect((await server.api(`GET /widget/${site._id}`)).body.data).toEqual(data);
  const preflight = await fetch(`${server.url}/api/widget/${site.widgetCode}/session`, { method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
});

test.each(['nonsense', 'a'.repeat(24), '%00', '../sites', '$where'])('the code %j is unknown', async (code) => {
  expect((await server.api(`GET /widget/${encodeURIComponent(code)}`)).status).toBe(404);
  expect((await server.api(`POST /widget/${encodeURIComponent(code)}/session`, { body: {} })).status).toBe(404);
});

test('the site is online while an agent is connected and available', async () => {
  const online = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data.online;
  const vera = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  await until(async () => vera.heard('availability').length > 0);
  const agent = await connectStaff(server.url, owner.token);
  await until(online);
  expect(await agent.ask('set_availability', { online: false })).toEqual({ ok: true, online: false });
  expect(await online()).toBe(false);
  await until(async () => vera.heard('availability').length >= 3);
  expect(vera.heard('availability')).toEqual([{ online: false }, { online: true }, { online: false }]);
  const again = await connectStaff(server.url, owner.token);
  expect(await online()).toBe(false);
  await again.ask('set_availability', { online: true });
  await edit({ settings: { offlineMode: true } });
  expect(await online()).toBe(false);
  await edit({ settings: { offlineMode: false } });
  expect(await online()).toBe(true);
});

test('a session is resumed by its token, on its own site only', async () => {
  const other = await createSite(server.api, owner.token);
  const first = await visit(server.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  expect(first).toEqual({
    visitorToken: expect.stringMatching(/^[\w-]{43}$/),
    visitor: { _id: expect.any(String), name: 'Vera', email: 'vera@example.com' },
    config: (await server.api(`GET /widget/${site.widgetCode}`)).body.data,
    chat: null,
    messages: [],
    more: false,
    receipts: [],
  });
  const again = await visit(server.api, site, { visitorToken: first.visitorToken });
  expect(again).toEqual(first);
  const elsewhere = await visit(server.api, other, { visitorToken: first.visitorToken });
  expect(elsewhere.visitor._id).not.toBe(first.visitor._id);
  const send = { token: first.visitorToken, body: { clientId: randomUUID(), content: 'Hi' } };
  expect((await server.api(`POST /widget/${other.widgetCode}/messages`, send)).status).toBe(404);
  await server.api(`DELETE /sites/${other._id}`, { token: owner.token });
});

test('an unknown token opens a new session', async () => {
  const { visitorToken } = await visit(server.api, site, { visitorToken: 'x'.repeat(43) });
  expect(visitorToken).not.toBe('x'.repeat(43));
});

test.each([
  [{ visitorToken: { $ne: null } }],
  [{ visitor: { email: 'no address' } }],
  [{ visitor: { name: 'x'.repeat(101) } }],
  [{ page: { url: 'javascript:alert(1)', title: '' } }],
  [{ page: { url: `https://a.example/${'x'.repeat(2000)}`, title: '' } }],
])('a session with %j is refused', async (body) => {
  const answer = await server.api(`POST /widget/${site.widgetCode}/session`, { body, headers: BROWSER });
  expect(answer.status).toBe(422);
});

test('a message over HTTP is stored once under its clientId and needs the token', async () => {
  const { visitorToken } = await visit(server.api, site);
  const body = { clientId: randomUUID(), content: 'By post' };
  const call = `POST /widget/${site.widgetCode}/messages`;
  const first = await server.api(call, { token: visitorToken, body });
  const second = await server.api(call, { token: visitorToken, body });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body.data.message).toEqual(first.body.data.message);
  expect((await server.api(call, { body })).status).toBe(401);
  expect((await server.api(call, { token: owner.token, body })).status).toBe(401);
  expect((await server.api(call, { token: visitorToken, body: { ...body, content: '' } })).status).toBe(422);
});

test('a widget that connects after a change which its page has not loaded gets the new config', async () => {
  const { visitorToken } = await visit(server.api, site);
  await edit({ customization: { navbarTitle: 'Ask the captain' } });
  const ear = await connectVisitor(server.url, visitorToken);
  const [{ config }] = await until(async () => ear.heard('config_changed').length > 0 && ear.heard('config_changed'));
  expect(config.customization.navbarTitle).toBe('Ask the captain');
});

test('open widgets update when the site is saved, and disappear when it is switched off', async () => {
  const { visitorToken } = await visit(server.api, site);
  const ear = await connectVisitor(server.url, visitorToken);
  await edit({ customization: { color: '#ff0000', navbarTitle: 'Ask us' } });
  const shown = () => ear.heard('config_changed').at(-1)?.config.customization;
  await until(async () => shown()?.navbarTitle === 'Ask us');
  expect(shown()).toMatchObject({ color: '#ff0000', navbarTitle: 'Ask us' });

  const closed = new Promise((resolve) => ear.socket.once('disconnect', resolve));
  await edit({ widgetEnabled: false });
  await closed;
  expect(ear.heard('session_ended')).toEqual([{ reason: 'widget_disabled' }]);
  for (const call of [`GET /widget/${site.widgetCode}`, `POST /widget/${site.widgetCode}/session`])
    expect((await server.api(call, { body: call.startsWith('POST') ? {} : undefined })).body.code).toBe(
      'WIDGET_DISABLED',
    );
  await expect(connectVisitor(server.url, visitorToken)).rejects.toThrow('WIDGET_DISABLED');
  await edit({ widgetEnabled: true });
  expect((await connectVisitor(server.url, visitorToken)).socket.connected).toBe(true);
});

test('pages of other domains are refused when the site lists its own', async () => {
  await edit({ settings: { allowedDomains: ['shop.example.com'] } });
  const from = (Origin: string) =>
    server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers: { ...BROWSER, Origin } });
  expect((await from('https://evil.example')).body.code).toBe('ORIGIN_NOT_ALLOWED');
  expect((await from('https://notshop.example.com.evil.example')).status).toBe(403);
  const { visitorToken } = (await from('https://www.shop.example.com')).body.data;
  const listen = (Origin: string) => connectVisitor(server.url, visitorToken, { Origin });
  await expect(listen('https://evil.example')).rejects.toThrow('ORIGIN_NOT_ALLOWED');
  expect((await listen('https://shop.example.com')).socket.connected).toBe(true);
  await edit({ settings: { allowedDomains: [] } });
});

test('staff are notified when a visitor of an open chat returns', async () => {
  const agent = await connectStaff(server.url, owner.token);
  const session = await visit(server.api, site, { page: { url: 'https://shop.example.com/a', title: 'A' } });
  const vera = await connectVisitor(server.url, session.visitorToken);
  const { chat } = await vera.ask('send_message', { clientId: randomUUID(), content: 'Hello' });
  await vera.ask('page', { url: 'https://shop.example.com/b', title: 'B' });
  const opened = await agent.ask('open_chat', { chatId: chat._id });
  expect(opened.visitor).toEqual({
    _id: session.visitor._id,
    online: true,
    page: { url: 'https://shop.example.com/b', title: 'B' },
    pages: ['B', 'A'].map((title) => expect.objectContaining({ title })),
    userId: null,
    verified: false,
    attributes: [],
  });
});

test('a visitor can read and mark only their own chat', async () => {
  const chat = await newChat(server.api, site, owner.token);
  const ear = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  expect((await ear.ask('read', { chatId: chat._id, seq: 1 })).code).toBe('CHAT_NOT_FOUND');
  expect(await ear.ask('sync', { chatId: chat._id, afterSeq: 0 })).toMatchObject({
    ok: true,
    chat: null,
    messages: [],
  });
});

test('open widgets are told whether somebody is available only when that changes', async () => {
  const [otto, ana] = [await signUp(server.api), await signUp(server.api)];
  const shop = await createSite(server.api, otto.token);
  await join(shop, ana, 'agent');
  const ottos = await connectStaff(server.url, otto.token);
  const anas = await connectStaff(server.url, ana.token);
  const vera = await connectVisitor(server.url, (await visit(server.api, shop)).visitorToken);
  await until(async () => vera.heard('availability').length > 0);
  const [first] = vera.heard('availability');
  expect(first).toEqual({ online: true });
  for (const online of [false, true, false]) await anas.ask('set_availability', { online });
  await ottos.ask('set_availability', { online: false });
  await until(async () => vera.heard('availability').at(-1)?.online === false);
  // One at its arrival, and one more if the agents' arrival is still being told.
  expect(vera.heard('availability').filter(({ online }) => online).length).toBeLessThanOrEqual(2);
});

test('open widgets are notified when the team gains or loses the people who could answer', async () => {
  const [otto, ana] = [await signUp(server.api), await signUp(server.api)];
  const shop = await createSite(server.api, otto.token);
  const vera = await connectVisitor(server.url, (await visit(server.api, shop)).visitorToken);
  await connectStaff(server.url, ana.token);
  const body = { siteId: shop._id, email: ana.user.email };
  const { _id } = (await server.api('POST /team/invites', { token: otto.token, body })).body.data.invite;
  await server.api(`POST /invites/${_id}/accept`, { token: ana.token });
  await until(async () => vera.heard('availability').at(-1)?.online === true);
  await server.api(`DELETE /team/members/${ana.user._id}`, { token: otto.token, body });
  await until(async () => vera.heard('availability').at(-1)?.online === false);
});

test('a visitor who sends as much as is allowed takes less than 16 kB, and the list of pages has short addresses', async () => {
  await edit({ settings: { visitorPages: true } });
  const names = Array.from({ length: ATTRIBUTES_MAX }, (_, i) => `${i}`.padEnd(ATTRIBUTE_NAME_MAX_LENGTH, 'n'));
  const attributes = Object.fromEntries(names.map((name) => [name, 'v'.repeat(ATTRIBUTE_TEXT_MAX_LENGTH)]));
  const { visitorToken, visitor } = await visit(server.api, site, { attributes });
  const socket = await connectVisitor(server.url, visitorToken);
  const shop = 'https://shop.example.com/';
  const paths = Array.from({ length: PAGES_SEEN_MAX + 1 }, (_, i) => `${shop}${'p'.repeat(250)}${i}`);
  for (const path of [`${shop}${'p'.repeat(1_900)}`, ...paths])
    await socket.ask('page', { url: `${path}?q=`.padEnd(PAGE_URL_MAX_LENGTH, 'q'), title: 't'.repeat(300) });
  const stored = await VisitorModel.findById(visitor._id).orFail().lean();
  expect(stored.page?.url).toHaveLength(PAGE_URL_MAX_LENGTH);
  expect(stored.pages?.map(({ url }) => url)).toEqual(paths.slice(1).toReversed());
  expect(mongo.BSON.calculateObjectSize(stored)).toBeLessThan(16_000);
});

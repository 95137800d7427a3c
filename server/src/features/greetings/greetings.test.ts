import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, join, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { startNode } from '#test/nodes';
import { connectVisitor, hangUp } from '#test/sockets';
import { GREETINGS_MAX, type Greeting, type GreetingFigures, type Site, type StaffMessage } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';
import { VisitorModel } from '../visitors/model.ts';
import { GreetingFiguresModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const HELLO: Greeting = {
  id: 'aaaa0001',
  text: 'Can I help you to choose?',
  enabled: true,
  page: '/pricing',
  after: 5,
  visits: 'all',
  whileOnline: false,
  oncePerVisitor: true,
};

const save = (greetings: unknown, who = owner) =>
  server.api(`PATCH /sites/${site._id}`, { token: who.token, body: { settings: { greetings } } });
const config = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data;
const figures = async (): Promise<GreetingFigures[]> =>
  (await server.api(`GET /sites/${site._id}/greetings`, { token: owner.token })).body.data.greetings;
const show = (greeting: string, headers: Record<string, string> = BROWSER) =>
  server.api(`POST /widget/${site.widgetCode}/greetings`, { body: { greeting }, headers });

const download = async (path: string) =>
  (await fetch(`${server.url}/api${path}`, { headers: { Authorization: `Bearer ${owner.token}` } })).text();

/** A new visitor whose first message answers a greeting. */
async function answer(greeting: string, headers: Record<string, string> = BROWSER) {
  const session = (await server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers })).body.data;
  const body = { clientId: randomUUID(), content: 'Yes, please', greeting };
  const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, { token: session.visitorToken, body });
  return { session, message: sent.body.data.message, chatId: sent.body.data.chat._id, status: sent.status };
}

test('greetings are part of the settings, and only those switched on are in the config, which has nothing without them', async () => {
  expect(site.settings.greetings).toEqual([]);
  const before = await config();
  expect(before).not.toHaveProperty('greetings');
  const off = { ...HELLO, id: 'bbbb0001', enabled: false };
  const saved = await save([off, { ...HELLO, text: `  ${HELLO.text}\n` }]);
  expect(saved.body.data.site.settings.greetings).toEqual([off, HELLO]);
  const { enabled: _, ...shown } = HELLO;
  expect(await config()).toEqual({ ...before, greetings: [shown] });
  await save([off]);
  expect(await config()).toEqual(before);
});

test('greetings that are wrong are refused with a sentence, and nothing is saved', async () => {
  const wrong: unknown[] = [
    'hello',
    null,
    [null],
    Array.from({ length: GREETINGS_MAX + 1 }, (_, i) => ({ ...HELLO, id: `aaaa000${i}` })),
    [HELLO, HELLO],
    [{ ...HELLO, id: 'a.b' }],
    [{ ...HELLO, id: 'constructor' }],
    [{ ...HELLO, id: '__proto__' }],
    [{ ...HELLO, text: ' ' }],
    [{ ...HELLO, text: 'x'.repeat(301) }],
    [{ ...HELLO, page: 'x'.repeat(201) }],
    [{ ...HELLO, after: -1 }],
    [{ ...HELLO, after: 0.5 }],
    [{ ...HELLO, visits: 'none' }],
    [{ ...HELLO, enabled: 'yes' }],
  ];
  for (const greetings of wrong) {
    const { status, body } = await save(greetings);
    expect([status, body.errors?.[0]?.path], JSON.stringify(greetings)).toEqual([422, 'settings.greetings']);
  }
  expect(await config()).not.toHaveProperty('greetings');
});

test('open widgets get changed greetings at once', async () => {
  const vera = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  await save([HELLO]);
  await until(async () => vera.heard('config_changed').length > 0);
  expect(vera.heard('config_changed').at(-1)?.config.greetings).toHaveLength(1);
});

test('a view is counted and stores nothing else; machines, unknown greetings and those of other sites do not count', async () => {
  await save([HELLO]);
  expect(await figures()).toEqual([{ id: HELLO.id, shown: 0, answered: 0 }]);
  const visitors = await VisitorModel.countDocuments({ site: site._id });
  for (let i = 0; i < 3; i++) expect((await show(HELLO.id)).status).toBe(200);
  expect((await show(HELLO.id, { 'User-Agent': 'Googlebot/2.1' })).status).toBe(200);
  expect((await show('ffff0001')).status).toBe(200);
  expect((await show('')).status).toBe(422);
  expect(await figures()).toEqual([{ id: HELLO.id, shown: 3, answered: 0 }]);
  expect(Object.keys((await GreetingFiguresModel.findById(site._id).lean())?.greetings ?? {})).toEqual([HELLO.id]);
  expect(await VisitorModel.countDocuments({ site: site._id })).toBe(visitors);
  expect(await ChatModel.countDocuments({ site: site._id })).toBe(0);
});

test('one address can not make up figures, and a page that may not have the widget counts nothing', async () => {
  const limited = await startNode({ rateLimits: true, limits: { greetingsPerAddress: 2 } });
  const own = await signUp(limited.api);
  const shop = await createSite(limited.api, own.token);
  const settings = { greetings: [HELLO], allowedDomains: ['shop.example.com'] };
  await limited.api(`PATCH /sites/${shop._id}`, { token: own.token, body: { settings } });
  const from = async (origin: string) => {
    const asked = { body: { greeting: HELLO.id }, headers: { ...BROWSER, Origin: origin } };
    return (await limited.api(`POST /widget/${shop.widgetCode}/greetings`, asked)).status;
  };
  expect(await from('https://evil.example.com')).toBe(403);
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push(await from('https://shop.example.com'));
  expect(statuses).toEqual([200, 200, 429]);
  await limited.stop();
});

test('a chat that answers a greeting begins with its text, for both sides, and counts one message', async () => {
  await save([HELLO]);
  const { session, message, chatId } = await answer(HELLO.id);
  expect(message).toMatchObject({ seq: 1, content: 'Yes, please', greeting: HELLO.text });
  const chat = await until(async () => {
    const { body } = await server.api(`GET /chats/${chatId}`, { token: owner.token });
    return body.data.chat.lastSeq > 0 && body.data.chat;
  });
  expect(chat).toMatchObject({ lastSeq: 1, unread: 1, lastMessage: 'Yes, please' });
  expect(chat.messages.map(({ greeting }: StaffMessage) => greeting)).toEqual([HELLO.text]);

  // What the team asked stays as it was, and a second message answers nothing.
  await save([{ ...HELLO, text: 'Something else?' }]);
  const next = { clientId: randomUUID(), content: 'The blue one', greeting: HELLO.id };
  const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, {
    token: session.visitorToken,
    body: next,
  });
  expect(sent.body.data.message).not.toHaveProperty('greeting');
  const back = await server.api(`POST /widget/${site.widgetCode}/session`, {
    body: { visitorToken: session.visitorToken },
    headers: BROWSER,
  });
  expect(back.body.data.messages[0].greeting).toBe(HELLO.text);
  await until(async () => (await figures())[0]?.answered === 1);

  const text = await download(`/chats/${chatId}/export?format=txt`);
  expect(text).toContain(`System: Greeting: ${HELLO.text}`);
  expect(text).toContain('1 chat, 2 messages');
  expect(await download(`/visitors/${chat.visitorId}/export`)).toContain(HELLO.text);
});

test('a retry counts no second answer, and neither does a machine nor a greeting that the site does not have', async () => {
  await save([HELLO]);
  const session = await visit(server.api, site);
  const vera = await connectVisitor(server.url, session.visitorToken);
  const said = { clientId: randomUUID(), content: 'Hello', greeting: HELLO.id };
  const first = await vera.ask('send_message', said);
  expect((await vera.ask('send_message', said)).message).toEqual(first.message);
  expect(first.message.greeting).toBe(HELLO.text);
  expect((await answer('ffff0001')).message).not.toHaveProperty('greeting');
  expect((await answer(HELLO.id, { 'User-Agent': 'Googlebot/2.1' })).status).toBe(201);
  await until(async () => (await figures())[0]?.answered === 1);
  // Written in order, so all earlier answers are counted with this one.
  await answer(HELLO.id);
  await until(async () => (await figures())[0]?.answered === 2);
});

test('figures go with their greeting, and with their site', async () => {
  await save([HELLO, { ...HELLO, id: 'cccc0001' }]);
  await show(HELLO.id);
  await show('cccc0001');
  expect((await figures()).map(({ shown }) => shown)).toEqual([1, 1]);
  await save([HELLO]);
  const stored = async () => Object.keys((await GreetingFiguresModel.findById(site._id).lean())?.greetings ?? {});
  await until(async () => (await stored()).join() === HELLO.id);
  await server.api(`DELETE /sites/${site._id}`, { token: owner.token });
  await until(async () => (await GreetingFiguresModel.countDocuments({ _id: site._id })) === 0);
});

test('only who may edit the settings changes greetings and sees their figures', async () => {
  await save([HELLO]);
  const agent = await signUp(server.api);
  await join(site, agent, 'agent');
  expect((await save([], agent)).status).toBe(403);
  expect((await server.api(`GET /sites/${site._id}/greetings`, { token: agent.token })).status).toBe(403);
});

import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { startNode } from '#test/nodes';
import { connectStaff, hangUp } from '#test/sockets';
import {
  MESSAGE_MAX_LENGTH,
  MESSAGE_PAGE,
  type Site,
  type VisitorPoll,
  type VisitorSession,
} from '../../../../contract.ts';
import { LIMITS } from '../../../platform/http/limits/limitTable.ts';
import { ChatModel } from '../../chats/model.ts';

/** Long for a test, so that one that should not wait fails; `brief` answers at once. */
const HOLD_MS = 60_000;

let server: TestServer;
let brief: TestServer;
let owner: Account;
let site: Site;
let vera: VisitorSession;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100, rateLimits: true }, { peerTimeouts: { poll: HOLD_MS } });
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  vera = await visit(server.api, site);
});
afterEach(() => hangUp());
afterAll(async () => {
  await server.stop();
  await brief?.stop();
});

const call = (what: string, body: object, { api } = server, { widgetCode } = site, { visitorToken } = vera) =>
  api(`POST /widget/${widgetCode}/${what}`, { token: visitorToken, body, headers: BROWSER });

/** A call as it is written to a connection, for several at once. */
function post(what: string, body: object, { widgetCode } = site, { visitorToken } = vera): string {
  const sent = JSON.stringify(body);
  const head = `Authorization: Bearer ${visitorToken}\r\nContent-Type: application/json\r\nContent-Length: ${sent.length}`;
  return `POST /api/widget/${widgetCode}/${what} HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${sent}`;
}

async function openSockets({ url }: TestServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(metrics.match(/sockets_open\{namespace="\/visitor"[^}]*\} (\d+)/)?.[1]);
}

async function answeredRequests(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(metrics.match(/duration_seconds_count\{[^}]*\/requests",status="200"\} (\d+)/)?.[1] ?? 0);
}

async function poll(at?: string): Promise<VisitorPoll> {
  const { status, body } = await call('poll', at === undefined ? {} : { at });
  expect(status).toBe(200);
  return body.data;
}

const names = ({ events }: VisitorPoll) => events.map(([name]) => name).filter((name) => name !== 'availability');

async function answerChat(chatId: string, content: string): Promise<void> {
  const body = { clientId: randomUUID(), content };
  const { status } = await server.api(`POST /chats/${chatId}/messages`, { token: owner.token, body });
  expect(status).toBe(201);
}

test('the first poll is answered at once, and later ones when an event comes', async () => {
  const chatId = await say(server.api, site, vera, 'Hello');
  let answer = await poll();
  expect(answer.missed).toBe(true);
  const ear = await connectStaff(server.url, owner.token);
  await ear.ask('open_chat', { chatId });
  // What opening the chat changed is missed; an agent's writing is not stored, so only its event can answer a poll.
  const listening = (async () => {
    while (!names(answer).includes('typing')) answer = await poll(answer.at);
  })();
  await until(async () => {
    await ear.ask('typing', { chatId, isTyping: false });
    await ear.ask('typing', { chatId, isTyping: true });
    return names(answer).includes('typing');
  });
  await listening;
});

test('what happens between two polls is missed', async () => {
  const chatId = await say(server.api, site, vera, 'Hello');
  const { at } = await poll();
  await answerChat(chatId, 'Good morning');
  expect(await poll(at)).toMatchObject({ missed: true });
});

test('a run of the assistant that begins between two polls is missed', async () => {
  const chatId = await say(server.api, site, vera, 'Hello');
  const { at } = await poll();
  const assistant = { run: new Types.ObjectId() };
  await ChatModel.updateOne({ _id: chatId }, { $set: { assisted: true, assistant } });
  const seen = await poll(at);
  expect(seen).toMatchObject({ missed: true });
  await ChatModel.updateOne({ _id: chatId }, { $unset: { assistant: 1 } });
  expect(await poll(seen.at)).toMatchObject({ missed: true });
});

test('a later opening of a closed site is missed', async () => {
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '00:00', to: '24:00' }));
  const closeFor = (count: number) => {
    const dates = Array.from({ length: count }, (_, n) => new Date(Date.now() + (n - 1) * 86_400_000).toISOString());
    const holidays = dates.map((date) => ({ date: date.slice(0, 10), name: 'Holiday', yearly: false }));
    const body = { settings: { hours: { timeZone: 'UTC', days, holidays } } };
    return server.api(`PATCH /sites/${site._id}`, { token: owner.token, body });
  };
  await closeFor(3);
  const { at } = await poll();
  await closeFor(5);
  expect(await poll(at)).toMatchObject({ missed: true });
});

test('polls count as presence, and the end of access ends them', async () => {
  const { at } = await poll();
  const held = poll(at);
  const visitors = async () => (await server.api(`GET /sites/${site._id}/visitors`, { token: owner.token })).body.data;
  await until(async () => (await visitors()).visitors.length === 1);
  await server.api(`DELETE /visitors/${(await visitors()).visitors[0]._id}`, { token: owner.token });
  expect(names(await held)).toContain('session_ended');
  expect((await call('poll', {})).status).toBe(401);
});

test('a poll waits no longer than the server says, and is then empty', async () => {
  brief = await startNode({}, { peerTimeouts: { poll: 1 } });
  const ana = await signUp(brief.api);
  const own = await createSite(brief.api, ana.token);
  const session = await visit(brief.api, own);
  const { at } = (await call('poll', {}, brief, own, session)).body.data;
  const answer: VisitorPoll = (await call('poll', { at }, brief, own, session)).body.data;
  expect(answer).toMatchObject({ at, missed: false });
  expect(names(answer)).toEqual([]);
});

test('of too many polls of a visitor the oldest gives way', async () => {
  const { at } = await poll();
  const open: Promise<void>[] = [];
  let gaveWay = false;
  await until(async () => {
    const answered = poll(at).then((answer) => {
      gaveWay ||= names(answer).includes('gave_way');
    });
    open.push(answered);
    return gaveWay;
  });
  // The end of the visitor ends them all.
  await server.api(`DELETE /widget/${site.widgetCode}/me`, { token: vera.visitorToken });
  await Promise.allSettled(open);
});

test('requests of the socket work over HTTP, with the same checks', async () => {
  const clientId = randomUUID();
  const send = () => call('requests', { event: 'send_message', ask: { clientId, content: 'Hello' } });
  const [first, again] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(again.body.data.message._id).toBe(first.body.data.message._id);
  const { body } = await call('requests', { event: 'sync', ask: {} });
  expect(body.data.messages).toHaveLength(1);
  const ear = await connectStaff(server.url, owner.token);
  const { chatId } = first.body.data.message;
  await ear.ask('open_chat', { chatId });
  expect((await call('requests', { event: 'typing', ask: { isTyping: true } })).status).toBe(200);
  await until(async () => ear.heard('typing').length > 0);
  for (const wrong of [
    { event: 'send_message', ask: { clientId: 'x' } },
    { event: 'connection', ask: {} },
    { event: '__proto__', ask: {} },
    { event: 'sync', ask: [] },
    { event: 'sync' },
    { event: { sync: 1 }, ask: {} },
    {},
  ])
    expect((await call('requests', wrong)).status).toBe(422);
  expect((await call('poll', { at: {} })).status).toBe(422);
});

test('a visitor who does not read large answers over HTTP waits for them, and others do not', async () => {
  const chatId = await say(server.api, site, vera, 'Hello');
  const long = '…'.repeat(MESSAGE_MAX_LENGTH);
  await Promise.all(Array.from({ length: MESSAGE_PAGE / 2 }, () => answerChat(chatId, long)));
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
  // The first ones lie in the buffers of the connection, the next is not read, and the others wait for it or are refused.
  const before = await answeredRequests();
  silent.write(post('requests', { event: 'sync', ask: {} }).repeat(40));
  await until(async () => (await answeredRequests()) > before);
  const sync = (of: VisitorSession) => call('requests', { event: 'sync', ask: {} }, server, site, of);
  const refused = async () => expect((await sync(vera)).status).toBe(429);
  await Promise.any(Array.from({ length: 21 }, refused));
  expect((await sync(await visit(server.api, site))).status).toBe(200);
  silent.destroy();
  await until(async () => (await sync(vera)).status === 200);
});

test('polls that come together do not exceed the connections of an address', async () => {
  await brief?.stop();
  brief = await startNode(
    { rateLimits: true, limits: { socketsPerIp: 5, socketsPerVisitor: 100, missedPollsPerVisitor: 100 } },
    { peerTimeouts: { poll: HOLD_MS } },
  );
  const ana = await signUp(brief.api);
  const own = await createSite(brief.api, ana.token);
  const session = await visit(brief.api, own);
  const { at } = (await call('poll', {}, brief, own, session)).body.data;
  // All of them wait for the visitor, who is read again after a change, and so go on in one turn.
  await brief.api(`PATCH /visitors/${session.visitor._id}`, { token: ana.token, body: { name: 'Vera' } });
  const together = connect(Number(new URL(brief.url).port), '127.0.0.1');
  together.write(post('poll', { at }, own, session).repeat(20));
  await until(async () => (await openSockets(brief)) >= 5);
  expect((await call('poll', { at }, brief, own, session)).status).toBe(429);
  expect(await openSockets(brief)).toBe(5);
  together.destroy();
});

test('polls that are answered at once are limited, and those that wait do not count', async () => {
  for (let count = 0; count < LIMITS.missedPollsPerVisitor.max; count++) await poll();
  expect((await call('poll', {})).status).toBe(429);
  // On a site of somebody who was never there: an owner who goes offline meanwhile would answer the polls that wait.
  site = await createSite(server.api, (await signUp(server.api)).token);
  vera = await visit(server.api, site);
  const { at } = await poll();
  const waiting = Array.from({ length: LIMITS.missedPollsPerVisitor.max - 1 }, () => poll(at));
  await until(async () => (await openSockets(server)) === waiting.length);
  // A poll counts until it is known to wait, which is after its socket is open.
  await until(async () => (await call('poll', {})).status === 200);
  await server.api(`DELETE /widget/${site.widgetCode}/me`, { token: vera.visitorToken });
  await Promise.all(waiting);
});

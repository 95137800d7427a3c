import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type PushService, startPushService, type TestDevice } from '#test/pushes';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { NoticeModel } from './model.ts';
import { createThrottle } from './push.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let service: PushService;
let owner: Account;
let site: Site;

beforeAll(async () => {
  service = await startPushService();
  server = await startServer({}, { pushAgent: service.agent });
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(async () => {
  await server.stop();
  await service.stop();
});

/** Subscribes a new device of the account. */
async function deviceOf({ token }: Account, more = {}): Promise<TestDevice> {
  const device = service.newDevice(more);
  expect((await server.api('POST /push/subscriptions', { token, body: device.device })).status).toBe(201);
  return device;
}

async function member(role: 'agent' | 'viewer'): Promise<[Account, TestDevice]> {
  const account = await signUp(server.api);
  await join(site, account, role);
  return [account, await deviceOf(account)];
}

const rung = async (device: TestDevice, times = 1) => until(async () => device.received.length === times);
const bodies = ({ received }: TestDevice) => received.map(({ payload }) => payload.body);

test('a waiting visitor notifies everybody who can answer, has push messages on and no open dashboard', async () => {
  const byHand = { settings: { autoAssign: false } };
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: byHand });
  const bell = await deviceOf(owner, { preview: true });
  const [, agent] = await member('agent');
  const [, viewer] = await member('viewer');
  const [open, watched] = await member('agent');
  await connectStaff(server.url, open.token);
  const [quiet, silent] = await member('agent');
  await server.api('PATCH /settings', {
    token: quiet.token,
    body: { section: 'notifications', data: { browserNotifications: false } },
  });
  const [off, away] = await member('agent');
  const ear = await connectStaff(server.url, off.token);
  await ear.ask('set_availability', { online: false });
  ear.socket.disconnect();
  await until(async () => (await socketsOpen()) === 1);
  const stranger = await deviceOf(await signUp(server.api));

  const chat = await newChat(server.api, site, owner.token, `Are you ${'very '.repeat(40)}open?`);
  await Promise.all([rung(bell), rung(agent)]);
  expect(bell.received[0]?.payload).toMatchObject({ title: 'Vera · Corner Shop', chatId: chat._id });
  expect(bodies(bell)[0]).toMatch(/^Are you very .{90,110}…$/);
  expect(bodies(agent)).toEqual(['A visitor is waiting for an answer.']);
  // When the next round has come, whatever else the first one sent has come, too.
  server.advance(MINUTE_MS);
  await rung(bell, 2);
  for (const { received } of [viewer, watched, silent, away, stranger]) expect(received).toEqual([]);
});

test('a chat for a department rings for its members first, and for everybody when others may help', async () => {
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings: { autoAssign: false } } });
  const bell = await deviceOf(owner);
  const [ben, his] = await member('agent');
  const body = { name: 'Orders', members: [ben.user._id], helpAfterMinutes: 5 };
  const made = await server.api(`POST /sites/${site._id}/departments`, { token: owner.token, body });
  const department = made.body.data.departments[0]._id;
  const { visitorToken } = await visit(server.api, site);
  const message = { clientId: crypto.randomUUID(), content: 'Hello', department };
  await server.api(`POST /widget/${site.widgetCode}/messages`, { token: visitorToken, body: message });
  await rung(his);
  server.advance(MINUTE_MS);
  await rung(his, 2);
  expect(bell.received).toEqual([]);
  server.advance(5 * MINUTE_MS);
  await rung(bell);
});

test('a claimed chat notifies its claimer only, available or not; the chat of a bot nobody', async () => {
  const bell = await deviceOf(owner);
  const [ben, his] = await member('agent');
  const ear = await connectStaff(server.url, ben.token);
  await ear.ask('set_availability', { online: false });
  const robot = { 'User-Agent': 'curl/8.0' };
  const machine = await server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers: robot });
  await say(server.api, site, machine.body.data, 'Beep');
  // An agent who writes first begins a claimed chat, of which nothing rang yet.
  const session = await visit(server.api, site);
  await connectVisitor(server.url, session.visitorToken);
  const begun = await server.api(`POST /visitors/${session.visitor._id}/chats`, {
    token: ben.token,
    body: { content: 'Can I help?' },
  });
  expect(begun.status).toBe(201);
  const gone = new Promise((resolve) => ear.socket.once('disconnect', resolve));
  ear.socket.disconnect();
  await gone;
  await until(async () => (await socketsOpen()) === 0);
  await say(server.api, site, session, 'Yes, please');
  await rung(his);
  expect(bodies(his)).toEqual(['New message']);
  expect(bell.received).toEqual([]);
});

test('notifications are repeated until somebody reacts', async () => {
  const bell = await deviceOf(owner);
  const chat = await newChat(server.api, site, owner.token);
  await rung(bell);
  for (const times of [2, 3]) {
    server.advance(MINUTE_MS);
    await rung(bell, times);
  }
  await server.api(`POST /chats/${chat._id}/claim`, { token: owner.token });
  server.advance(2 * MINUTE_MS);
  await until(async () => !(await NoticeModel.exists({ chat: chat._id })));
  expect(bodies(bell)).toHaveLength(3);
});

test('a chat that is handed back notifies the others', async () => {
  const bell = await deviceOf(owner);
  const [ben] = await member('agent');
  const chat = await newChat(server.api, site, owner.token);
  await rung(bell);
  await server.api(`POST /chats/${chat._id}/claim`, { token: ben.token });
  await NoticeModel.deleteMany({ chat: chat._id });
  await server.api(`POST /chats/${chat._id}/transfer`, { token: ben.token, body: { userId: null } });
  await rung(bell, 2);
});

test('outside office hours a new chat sends no push message', async () => {
  const bell = await deviceOf(owner, { preview: true });
  const setHours = (hours: object | null) =>
    server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings: { hours } } });
  await setHours({ timeZone: 'UTC', days: [] });
  const session = await visit(server.api, site);
  const chat = await say(server.api, site, session, 'At night');
  await until(async () => NoticeModel.exists({ chat, kind: 'bell' }));
  await setHours(null);
  await say(server.api, site, session, 'In the morning');
  server.advance(MINUTE_MS);
  await until(async () => bell.received.length > 0);
  expect(bodies(bell)).toEqual(['In the morning']);
});

/** Dashboards that the server holds open. */
async function socketsOpen(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(/^parley_sockets_open\{namespace="\/"\} (\d+)$/m)?.[1]);
}

test('a throttle runs the first task at once, then only the last of those that waited', () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const throttle = createThrottle(1_000);
  const doing = (key: string, what: string) => throttle.run(key, async () => void done.push(what));
  doing('a', 'a1');
  doing('a', 'a2');
  doing('b', 'b1');
  doing('a', 'a3');
  expect(done).toEqual(['a1', 'b1']);
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(['a1', 'b1', 'a3']);
  doing('a', 'a4');
  vi.advanceTimersByTime(1_000);
  doing('a', 'a5');
  throttle.stop();
  vi.advanceTimersByTime(5_000);
  expect(done).toEqual(['a1', 'b1', 'a3', 'a4']);
  vi.useRealTimers();
});

import type { lookup } from 'node:dns';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type PushService, startPushService } from '#test/pushes';
import { SessionModel } from '../../features/auth/model.ts';
import { isPublic, PrivateAddressError, publicAgent } from '../http/publicAddress.ts';
import { readOrCreateSecret } from '../secrets/secrets.ts';
import { PUSH_DEVICES_MAX, type PushDevice } from './contract.ts';
import { PushModel } from './devices.ts';
import { createPush, type Notice, newVapidKey, vapidKeys } from './send.ts';

const NOTICE: Notice = {
  title: { text: '{name} · {site}', values: { name: 'Vera', site: 'Shop' } },
  body: { text: 'New message', values: {} },
  preview: 'Is it open today?',
  chatId: 'c'.repeat(24),
};
const KEYS = vapidKeys(newVapidKey());

let server: TestServer;
let service: PushService;
let somebody: Account;

beforeAll(async () => {
  [server, service] = await Promise.all([startServer(), startPushService()]);
  somebody = await signUp(server.api);
});
afterEach(() => service.answer(201));
afterAll(async () => {
  await server.stop();
  await service.stop();
});

const as = ({ token }: Account) => ({
  subscribe: (device: object) => server.api('POST /push/subscriptions', { token, body: device }),
  unsubscribe: (endpoint: string) => server.api('DELETE /push/subscriptions', { token, body: { endpoint } }),
});
const devicesOf = (account: Account) => PushModel.find({ user: account.user._id }).sort({ seenAt: 1 }).lean();

/** Sends a notice to all devices of an account that are signed in. */
async function tell({ user }: Account, options: { agent?: typeof service.agent; notice?: Notice } = {}) {
  const { agent = service.agent, notice = NOTICE } = options;
  const push = createPush({ keys: KEYS, subject: 'mailto:ops@example.com', agent, retryAfterMs: [0, 0] });
  const sessions = await SessionModel.find({ user: user._id }, { _id: 1 }).lean();
  return push.send({ user: new Types.ObjectId(user._id), sessions: sessions.map(({ _id }) => _id) }, notice);
}

test('the public key is the same for everybody, and a valid point of the curve', async () => {
  const [ana, ben] = [await signUp(server.api), await signUp(server.api)];
  const keyFor = async ({ token }: Account) => (await server.api('GET /push/key', { token })).body.data.key;
  expect(await keyFor(ana)).toMatch(/^B[\w-]{86}$/);
  expect(await keyFor(ben)).toBe(await keyFor(ana));
});

test('the key is created once and readable by its owner only', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-key-'));
  const kept = () => vapidKeys(readOrCreateSecret(folder, 'vapid-key', newVapidKey));
  expect(kept()).toEqual(kept());
  expect((await stat(path.join(folder, 'vapid-key'))).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});

test('a device is added once, updated by adding it again, and removed', async () => {
  const ana = await signUp(server.api);
  const { device } = service.newDevice();
  expect((await as(ana).subscribe(device)).status).toBe(201);
  expect((await as(ana).subscribe({ ...device, preview: true })).status).toBe(200);
  expect(await devicesOf(ana)).toMatchObject([{ endpoint: device.endpoint, keys: device.keys, preview: true }]);
  expect((await as(ana).unsubscribe(device.endpoint)).status).toBe(200);
  expect(await devicesOf(ana)).toEqual([]);
});

test('a browser belongs to the last person who signed in, and only they can remove it', async () => {
  const [ana, ben] = [await signUp(server.api), await signUp(server.api)];
  const { device } = service.newDevice();
  await as(ana).subscribe(device);
  await as(ben).subscribe(device);
  await as(ana).unsubscribe(device.endpoint);
  expect([(await devicesOf(ana)).length, (await devicesOf(ben)).length]).toEqual([0, 1]);
});

test('an account keeps its most recently used devices', async () => {
  const ana = await signUp(server.api);
  const endpoints: string[] = [];
  for (let i = 0; i < PUSH_DEVICES_MAX + 2; i++) {
    const { device } = service.newDevice();
    endpoints.push(device.endpoint);
    server.advance(1);
    await as(ana).subscribe(device);
  }
  expect((await devicesOf(ana)).map(({ endpoint }) => endpoint)).toEqual(endpoints.slice(2));
});

test('a device is removed with its session, by logout or expiry', async () => {
  const ana = await signUp(server.api);
  const [first, second] = [service.newDevice(), service.newDevice()];
  await as(ana).subscribe(first.device);
  const body = { email: ana.user.email, password: ana.password };
  const { token } = (await server.api('POST /auth/login', { body })).body.data;
  await as({ ...ana, token }).subscribe(second.device);
  await server.api('POST /auth/logout', { token });
  expect((await devicesOf(ana)).map(({ endpoint }) => endpoint)).toEqual([first.device.endpoint]);
  await SessionModel.deleteMany({ user: ana.user._id });
  expect(await tell(ana)).toEqual([]);
  expect(await devicesOf(ana)).toEqual([]);
});

test.each([
  ['http://push.example.com/1'],
  ['https://localhost/1'],
  ['https://127.0.0.1/1'],
  ['https://0x7f.1/1'],
  ['https://[::1]/1'],
  ['https://[::ffff:10.0.0.1]/1'],
  ['https://169.254.169.254/latest/meta-data'],
  ['https://ana:secret@push.example.com/1'],
  ['no address'],
  [{ $ne: null }],
])('%j is refused as an endpoint', async (endpoint) => {
  const { keys } = service.newDevice().device;
  expect((await as(somebody).subscribe({ endpoint, keys })).status).toBe(422);
});

test.each<[Partial<PushDevice['keys']>]>([
  [{ p256dh: 'AAAA' }],
  [{ p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  [{ auth: 'AAAA' }],
])('keys with %j are refused', async (odd) => {
  const { endpoint, keys } = service.newDevice().device;
  expect((await as(somebody).subscribe({ endpoint, keys: { ...keys, ...odd } })).status).toBe(422);
});

test('a message is encrypted and signed, and includes the text only when the device allows it', async () => {
  const ana = await signUp(server.api);
  const [quiet, open] = [service.newDevice(), service.newDevice({ preview: true })];
  for (const { device } of [quiet, open]) await as(ana).subscribe(device);
  expect(await tell(ana)).toEqual(['sent', 'sent']);
  const { body, preview, chatId } = NOTICE;
  const title = 'Vera · Shop';
  // A sentence comes with what it is made of; what people wrote is quoted.
  const said = { title: NOTICE.title };
  expect(quiet.received).toMatchObject([{ payload: { title, body: body.text, said: { ...said, body }, chatId } }]);
  expect(open.received).toMatchObject([{ payload: { title, body: preview, said, chatId } }]);
  const headers = quiet.received[0]?.headers ?? {};
  expect(headers).toMatchObject({ topic: chatId, urgency: 'high', 'content-encoding': 'aes128gcm' });
  expect(Number(headers.ttl)).toBeGreaterThan(0);
  const [, token = '', key] = String(headers.authorization).match(/^vapid t=(\S+), k=(\S+)$/) ?? [];
  expect(key).toBe(KEYS.publicKey);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ aud: new URL(quiet.device.endpoint).origin, sub: 'mailto:ops@example.com' });
});

test.each([
  [[404], 'gone', 1, 0],
  [[410], 'gone', 1, 0],
  [[503, 429, 201], 'sent', 3, 1],
  [[500], 'failed', 3, 1],
  [[403], 'failed', 1, 1],
  [[302], 'failed', 1, 1],
])('answers %j: %s after %i requests', async (answers, outcome, asked, left) => {
  const ana = await signUp(server.api);
  await as(ana).subscribe(service.newDevice().device);
  const before = service.asked;
  service.answer(...answers);
  expect(await tell(ana)).toEqual([outcome]);
  expect(service.asked - before).toBe(asked);
  expect(await devicesOf(ana)).toHaveLength(left);
});

test('stopping cancels pending retries', async () => {
  const ana = await signUp(server.api);
  await as(ana).subscribe(service.newDevice().device);
  service.answer(503);
  const before = service.asked;
  const push = createPush({ keys: KEYS, subject: 'mailto:ops@example.com', agent: service.agent });
  const [session] = await SessionModel.find({ user: ana.user._id }).lean();
  const sending = push.send({ user: new Types.ObjectId(ana.user._id), sessions: session ? [session._id] : [] }, NOTICE);
  await expect.poll(() => service.asked).toBe(before + 1);
  await push.stop();
  expect(await sending).toEqual(['failed']);
});

const resolving = (...addresses: string[]) =>
  ((_host: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

test('a host name in a private network is not contacted, and not retried', async () => {
  const ana = await signUp(server.api);
  await as(ana).subscribe(service.newDevice().device);
  const before = service.asked;
  expect(await tell(ana, { agent: publicAgent(resolving('127.0.0.1', '::1', 'fd00::1')) })).toEqual(['failed']);
  expect(service.asked).toBe(before);
  const refused = new Promise((_, reject) => {
    request('https://push.example.com', { agent: publicAgent(resolving('10.0.0.1')) }).on('error', reject);
  });
  await expect(refused).rejects.toThrow(PrivateAddressError);
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['2002:a00:1::', false],
  ['2001:db8::1', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

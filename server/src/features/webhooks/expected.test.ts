import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Receiver, startReceiver } from '#test/receivers';
import { connectVisitor, hangUp } from '#test/sockets';
import { type Delivery, type Site, WEBHOOK_EVENTS, type WebhookEvent, type WebhookPayload } from '../../../contract.ts';
import { events } from '../../platform/events/index.ts';
import { liveSite } from '../sites/guards.ts';
import { SiteModel } from '../sites/model.ts';
import { DeliveryModel } from './model.ts';

let server: TestServer;
let receiver: Receiver;
let lan: ReturnType<typeof createServer>;
const inLan: string[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  lan = createServer(async (req, res) => {
    inLan.push(await text(req));
    res.writeHead(204).end();
  });
  lan.listen(0, '127.0.0.1');
  await once(lan, 'listening');
  server = await startServer({ webhookHosts: [lanHost()] }, { webhookAgent: receiver.agent });
});
afterAll(async () => {
  hangUp();
  await server.stop();
  await receiver.stop();
  lan.close();
});

const lanHost = () => `127.0.0.1:${(lan.address() as AddressInfo).port}`;

let count = 0;

interface Hooked {
  owner: Account;
  token: string;
  site: Site;
  path: string;
  /** The address of the webhook's calls. */
  calls: string;
  payloads(): WebhookPayload[];
}

async function hook(owner: Account, site: Site, events: readonly WebhookEvent[] = WEBHOOK_EVENTS): Promise<Hooked> {
  const { token } = owner;
  const path = `/expected/${++count}`;
  const added = await server.api(`POST /sites/${site._id}/webhooks`, {
    token,
    body: { url: receiver.url(path), events },
  });
  return {
    owner,
    token,
    site,
    path,
    calls: `/sites/${site._id}/webhooks/${added.body.data.webhook._id}`,
    // Once each: under load, a try that took too long is repeated.
    payloads: () => [
      ...new Map(receiver.received(path).map(({ headers, payload }) => [headers['webhook-id'], payload])).values(),
    ],
  };
}

async function hooked(events?: readonly WebhookEvent[]): Promise<Hooked> {
  const owner = await signUp(server.api, 'Olga');
  return hook(owner, await createSite(server.api, owner.token), events);
}

const types = (payloads: WebhookPayload[]) => payloads.map(({ type }) => type);

test('what happens to a chat while its receiver is busy comes in the order in which it happened', async () => {
  const shop = await hooked(['message.created', 'chat.claimed']);
  const { site, token, path } = shop;
  const bob = await signUp(server.api, 'Bob');
  await join(site, bob, 'agent');
  let free = () => {};
  const isFree = new Promise<number>((resolve) => {
    free = () => resolve(204);
  });
  receiver.answer(path, () => isFree);
  const chats: string[] = [];
  for (let i = 0; i < 3; i++) chats.push(await say(server.api, site, await visit(server.api, site), 'Hello'));
  for (const chat of chats) {
    await server.api(`POST /chats/${chat}/claim`, { token });
    for (const userId of [bob.user._id, shop.owner.user._id, bob.user._id])
      await server.api(`POST /chats/${chat}/transfer`, { token, body: { userId } });
  }
  await until(async () => (await DeliveryModel.countDocuments({ site: site._id })) === 5 * chats.length);
  free();
  await until(async () => shop.payloads().length === 5 * chats.length);
  for (const chat of chats) {
    const own = shop.payloads().filter(({ data }) => data.chat?._id === chat);
    expect(own.map(({ data }) => data.by?.name ?? data.message?.content)).toEqual([
      'Hello',
      'Olga',
      'Bob',
      'Olga',
      'Bob',
    ]);
  }
});

test('a chat that is handed over, given back and opened again, and changed messages, are told as such', async () => {
  const { site, token, owner, payloads } = await hooked();
  const bob = await signUp(server.api, 'Bob');
  await join(site, bob, 'agent');
  const session = await visit(server.api, site);
  const vera = await connectVisitor(server.url, session.visitorToken);
  const { message } = await vera.ask('send_message', { clientId: crypto.randomUUID(), content: 'One' });
  const chat = message.chatId;
  await server.api(`POST /chats/${chat}/claim`, { token });
  await server.api(`POST /chats/${chat}/transfer`, { token, body: { userId: bob.user._id } });
  await server.api(`POST /chats/${chat}/transfer`, { token, body: { userId: null } });
  const sent = await server.api(`POST /chats/${chat}/messages`, { token, body: { content: 'Tow' } });
  const messageId = sent.body.data.message._id;
  await server.api(`PATCH /chats/${chat}/messages/${messageId}`, { token, body: { content: 'Two' } });
  await server.api(`DELETE /chats/${chat}/messages/${messageId}`, { token });
  await server.api(`POST /chats/${chat}/close`, { token });
  await server.api(`POST /chats/${chat}/reopen`, { token });
  const told = await until(
    async () => types(payloads()).at(-1) === 'chat.claimed' && payloads().length >= 12 && payloads(),
  );
  const olga = { _id: owner.user._id, name: 'Olga' };
  const also = { _id: bob.user._id, name: 'Bob' };
  const of = (type: string) => told.filter((one) => one.type === type).map(({ data }) => data);
  expect(of('chat.claimed')).toMatchObject([
    { by: olga, from: null, how: 'claimed' },
    { by: also, from: olga, how: 'transferred' },
    ...(of('chat.claimed').length > 3 ? [{ how: 'claimed' }] : []),
    { by: olga, how: 'reopened' },
  ]);
  expect(of('chat.handed_back')).toMatchObject([{ by: olga, from: also }]);
  expect(of('message.updated')).toMatchObject([{ message: { _id: messageId } }]);
  expect(of('message.deleted')).toMatchObject([
    { message: { _id: messageId, content: '', deletedAt: expect.any(String) } },
  ]);
  expect(of('chat.reopened')).toMatchObject([{ by: olga }]);
  const order = types(told).filter((type) => !type.startsWith('message.created'));
  expect(order.indexOf('chat.closed')).toBeLessThan(order.indexOf('chat.reopened'));
  expect(order.at(-1)).toBe('chat.claimed');
});

test('a webhook that this node does not know of yet gets what waits for it', async () => {
  const { site, payloads } = await hooked(['chat.rated']);
  const chat = await say(server.api, site, await visit(server.api, site), 'Hello');
  const [webhook] = (await SiteModel.findById(site._id).lean())?.webhooks ?? [];
  if (!webhook) throw new Error('there is no webhook');
  // What this node remembers of the site is a moment older than the webhook, which another node has added.
  await SiteModel.updateOne({ _id: site._id }, { $set: { webhooks: [] } });
  await until(async () => (await liveSite(site._id))?.webhooks?.length === 0);
  await SiteModel.collection.updateOne({ _id: new Types.ObjectId(site._id) }, { $set: { webhooks: [webhook] } });
  const at = new Date();
  const what = { webhook: webhook._id, site: site._id, event: 'chat.rated' as const, lane: chat, order: 1, chat, at };
  await DeliveryModel.create({ ...what, _id: `msg_${chat}`, createdAt: at, dueAt: at, attempts: 0, status: 'waiting' });
  await events.emit('webhooksAwaited', { webhooks: [String(webhook._id)] });
  await until(async () => payloads().length === 1);
});

test('slow receivers of one account delay nobody else, and do not fail for want of a place', async () => {
  const slow = await signUp(server.api, 'Sam');
  const hooks: Hooked[] = [];
  for (let i = 0; i < 3; i++) {
    const site = await createSite(server.api, slow.token);
    for (let j = 0; j < 5; j++) hooks.push(await hook(slow, site, ['message.created']));
  }
  let waiting = 0;
  let most = 0;
  for (const { path } of hooks)
    receiver.answer(path, () => {
      most = Math.max(most, ++waiting);
      return new Promise(() => {});
    });
  for (const site of new Set(hooks.map((one) => one.site)))
    for (let i = 0; i < 3; i++) await say(server.api, site, await visit(server.api, site), 'Slow');
  await until(async () => most >= 8);
  const quick = await hooked(['message.created']);
  await say(server.api, quick.site, await visit(server.api, quick.site), 'Quick');
  await until(async () => quick.payloads().length === 1);
  expect(most).toBe(8);
});

test('what is dropped is one entry with its number, and the log keeps the newest done ones, failed ones too', async () => {
  const { site, token, calls, path } = await hooked(['message.created']);
  const webhook = new Types.ObjectId(calls.split('/').at(-1));
  const at = new Date();
  const later = new Date(Date.now() + 3_600_000);
  const what = {
    webhook,
    site: new Types.ObjectId(site._id),
    event: 'message.created',
    at,
    createdAt: at,
    attempts: 0,
  };
  const done = Array.from({ length: 300 }, (_, i) => ({
    ...what,
    _id: `msg_${path}:done:${i}`,
    lane: `${i}`,
    order: i,
    status: 'failed',
    doneAt: new Date(at.getTime() - 1_000 - i),
  }));
  await DeliveryModel.collection.insertMany(done as never);
  receiver.answer(path, () => 500);
  const visitor = await visit(server.api, site);
  const chat = await say(server.api, site, visitor, 'Too old by now');
  await until(async () => DeliveryModel.findOne({ webhook, lane: chat, triedAt: { $exists: true } }).lean());
  await DeliveryModel.updateOne({ webhook, lane: chat }, { createdAt: new Date(0), dueAt: at });
  await until(async () => (await DeliveryModel.countDocuments({ webhook, status: 'failed' })) <= 201);

  const waiting = Array.from({ length: 10_000 }, (_, i) => ({
    ...what,
    _id: `msg_${path}:waiting:${i}`,
    lane: `w${i}`,
    order: i,
    status: 'waiting',
    dueAt: later,
  }));
  await DeliveryModel.collection.insertMany(waiting as never);
  const dropped = async (): Promise<Delivery[]> =>
    (await server.api(`GET ${calls}/deliveries`, { token })).body.data.deliveries.filter(
      ({ status }: Delivery) => status === 'dropped',
    );
  await until(async () => {
    await say(server.api, site, visitor, 'One too many');
    return ((await dropped())[0]?.count ?? 0) >= 3;
  });
  expect(await dropped()).toHaveLength(1);
  expect(await DeliveryModel.countDocuments({ webhook, status: 'dropped' })).toBe(1);
});

test('the token of a bot has to be entered again for another host', async () => {
  const owner = await signUp(server.api, 'Olga');
  const { token } = owner;
  const site = await createSite(server.api, token);
  const botToken = `123456789:${'A'.repeat(35)}`;
  const given = { kind: 'telegram', url: receiver.url('', 'api.telegram.org'), botToken, telegramChat: '42' };
  const added = await server.api(`POST /sites/${site._id}/webhooks`, {
    token,
    body: { ...given, events: ['chat.opened'] },
  });
  const calls = `/sites/${site._id}/webhooks/${added.body.data.webhook._id}`;
  const elsewhere = { url: receiver.url('/stolen') };
  const { status, body } = await server.api(`PATCH ${calls}`, { token, body: elsewhere });
  expect([status, body.errors?.[0].path]).toEqual([422, 'botToken']);
  await server.api(`POST ${calls}/test`, { token });
  expect(receiver.received(`/stolen/bot${botToken}/sendMessage`)).toEqual([]);
  expect((await server.api(`PATCH ${calls}`, { token, body: { ...elsewhere, botToken } })).status).toBe(200);
  expect((await server.api(`PATCH ${calls}`, { token, body: { telegramChat: '43' } })).status).toBe(200);
});

test('a receiver in a private network gets its events if the operator has listed it', async () => {
  const owner = await signUp(server.api, 'Olga');
  const { token } = owner;
  const site = await createSite(server.api, token);
  const add = (url: string) =>
    server.api(`POST /sites/${site._id}/webhooks`, { token, body: { url, events: ['chat.opened'] } });
  const refused = await add('http://127.0.0.1:1/hooks');
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([422, 'url']);
  expect((await add(`http://${lanHost()}/hooks`)).status).toBe(201);
  await say(server.api, site, await visit(server.api, site), 'Hello');
  await until(async () => inLan.length > 0);
  expect(JSON.parse(inLan[0] ?? '')).toMatchObject({ type: 'chat.opened' });
});

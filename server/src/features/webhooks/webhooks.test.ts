import type { lookup } from 'node:dns';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { PUBLIC_URL } from '#test/mailbox';
import { type Receiver, type Request, startReceiver } from '#test/receivers';
import { differences } from '#test/schemas';
import { connectVisitor, hangUp } from '#test/sockets';
import { type Site, WEBHOOK_EVENTS, WEBHOOKS_MAX, type WebhookEvent, type WebhookPayload } from '../../../contract.ts';
import { publicAgent } from '../../platform/http/publicAddress.ts';
import { AuditModel } from '../audit/auditLog.ts';
import { ChatModel } from '../chats/model.ts';
import { SiteModel } from '../sites/model.ts';
import { VisitorModel } from '../visitors/model.ts';
import { DeliveryModel } from './model.ts';
import { createPoster } from './post.ts';

let server: TestServer;
let receiver: Receiver;
let owner: Account;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ publicUrl: PUBLIC_URL }, { webhookAgent: receiver.agent });
  owner = await signUp(server.api, 'Olga');
});
afterAll(async () => {
  hangUp();
  await server.stop();
  await receiver.stop();
});

let count = 0;

interface Hooked {
  site: Site;
  path: string;
  secret: string;
  /** The calls about this webhook. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into field by field
  call(what: string, body?: object): Promise<{ status: number; body: any }>;
  received(): Request[];
  payloads(): WebhookPayload[];
}

/** A new site of a new owner with a webhook at a path of its own. */
async function hooked(events: readonly WebhookEvent[] = WEBHOOK_EVENTS): Promise<Hooked> {
  owner = await signUp(server.api, 'Olga');
  const { token } = owner;
  const site = await createSite(server.api, token);
  const path = `/${++count}`;
  const body = { url: receiver.url(path), events };
  const added = await server.api(`POST /sites/${site._id}/webhooks`, { token, body });
  expect(added.status).toBe(201);
  const { webhook, secret } = added.body.data;
  return {
    site,
    path,
    secret,
    call(what, body) {
      const [method, rest = ''] = what.split(' ');
      return server.api(`${method} /sites/${site._id}/webhooks/${webhook._id}${rest}`, { token, body });
    },
    received: () => receiver.received(path),
    payloads: () => receiver.received(path).map(({ payload }) => payload),
  };
}

const types = (payloads: WebhookPayload[]) => payloads.map(({ type }) => type);

test('everything that happens in a chat is told in its order, signed, and as the documentation says', async () => {
  const { site, secret, payloads, received } = await hooked();
  const { token } = owner;
  const session = await visit(server.api, site);
  const vera = await connectVisitor(server.url, session.visitorToken);
  const { chatId } = (await vera.ask('send_message', { clientId: crypto.randomUUID(), content: 'One' })).message;
  await server.api(`POST /widget/${site.widgetCode}/session`, {
    body: { visitorToken: session.visitorToken, visitor: { name: 'Vera', email: 'vera@example.com' } },
  });
  await server.api(`POST /chats/${chatId}/claim`, { token });
  for (const content of ['Two', 'Three'])
    await server.api(`POST /chats/${chatId}/messages`, { token, body: { content } });
  await server.api(`POST /chats/${chatId}/close`, { token });
  await server.api(`POST /widget/${site.widgetCode}/rating`, {
    token: session.visitorToken,
    body: { chatId, score: 4, comment: 'Good' },
  });
  await until(async () => payloads().length >= 8);
  const ofChat = payloads().filter(({ type }) => type !== 'visitor.identified');
  expect(types(ofChat)).toEqual([
    'chat.opened',
    'message.created',
    'chat.claimed',
    'message.created',
    'message.created',
    'chat.closed',
    'chat.rated',
  ]);
  expect(ofChat.flatMap(({ data }) => data.message?.content ?? [])).toEqual(['One', 'One', 'Two', 'Three']);
  expect(ofChat[2]?.data.by).toEqual({ _id: owner.user._id, name: 'Olga' });
  expect(ofChat[6]?.data).toMatchObject({
    site: { _id: site._id, name: 'Corner Shop' },
    rating: { score: 4, comment: 'Good' },
    chat: { status: 'closed', url: `${PUBLIC_URL}/dashboard/inbox?chat=${chatId}` },
  });
  const identified = payloads().filter(({ type }) => type === 'visitor.identified');
  expect(identified.map(({ data }) => data.visitor)).toMatchObject([{ name: 'Vera', email: 'vera@example.com' }]);

  const { webhooks } = (await server.api('GET /openapi.json')).body;
  for (const payload of payloads()) {
    const { schema } = webhooks[payload.type].post.requestBody.content['application/json'];
    expect([payload.type, ...differences(payload, schema)]).toEqual([payload.type]);
  }

  const { sections } = (await server.api('GET /docs/webhooks')).body.data;
  const { code } = sections.find(({ id }: { id: string }) => id === 'verify').code[0];
  const verify = new Function(`${code}\nreturn verifyWebhook;`)();
  for (const { headers, body, payload } of received()) expect(await verify(secret, headers, body)).toEqual(payload);
  const [first] = received() as [Request];
  expect(first.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
  await expect(verify(secret, first.headers, `${first.body} `)).rejects.toThrow('not signed');
  await expect(verify(`whsec_${btoa('another')}`, first.headers, first.body)).rejects.toThrow('not signed');
});

test('a webhook gets the events that were chosen, from then on, and none of bots', async () => {
  const { site, call, payloads } = await hooked(['chat.closed']);
  const { token } = owner;
  const session = await visit(server.api, site);
  const chat = await say(server.api, site, session, 'Hello');
  const headers = { 'User-Agent': 'Googlebot/2.1' };
  const robot = (await server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers })).body.data;
  await until(async () => (await ChatModel.findById(chat).lean())?.toldSeq === 1);
  await call('PATCH ', { events: ['message.created'] });
  await say(server.api, site, robot, 'Buy now');
  await say(server.api, site, session, 'Anybody there?');
  await until(async () => payloads().length > 0);
  expect((await call('PATCH ', { enabled: false })).body.data.webhook.enabled).toBe(false);
  await say(server.api, site, session, 'Nobody');
  await until(async () => (await ChatModel.findById(chat).lean())?.lastSeq === 3);
  await call('PATCH ', { enabled: true });
  await server.api(`POST /chats/${chat}/messages`, { token, body: { content: 'Here' } });
  await until(async () => payloads().length > 1);
  expect(payloads().map(({ data }) => data.message?.content)).toEqual(['Anybody there?', 'Here']);
});

test('what is wrong is refused with a sentence, and there is room for a few webhooks', async () => {
  const { site } = await hooked();
  const { token } = owner;
  const add = (body: object) => server.api(`POST /sites/${site._id}/webhooks`, { token, body });
  const events = ['chat.closed'];
  for (const url of [
    'http://example.com/hook',
    'https://localhost/hook',
    'https://127.0.0.1/hook',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://ana:secret@example.com/',
    'example.com',
    null,
  ]) {
    const { status, body } = await add({ url, events });
    expect([url, status, body.errors?.[0].path]).toEqual([url, 422, 'url']);
  }
  for (const wrong of [[], ['chat.exploded'], 'chat.closed', null, [...WEBHOOK_EVENTS, 'chat.closed']])
    expect((await add({ url: receiver.url('/'), events: wrong })).body.errors?.[0].path).toBe('events');
  const statuses = await Promise.all(
    Array.from({ length: WEBHOOKS_MAX + 1 }, async () => (await add({ url: receiver.url('/'), events })).status),
  );
  expect(statuses.toSorted()).toEqual([201, 201, 201, 201, 409, 409]);
  const { webhooks } = (await server.api(`GET /sites/${site._id}/webhooks`, { token })).body.data;
  expect(webhooks).toHaveLength(WEBHOOKS_MAX);
});

test('address and secret are encrypted, audited without their text, and only for admins', async () => {
  const { site, path, secret, call } = await hooked();
  expect((await call('GET /secret')).body.data.secret).toBe(secret);
  const stored = JSON.stringify(await SiteModel.findById(site._id).lean());
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain('hooks.example.com');
  const agent = await signUp(server.api);
  await join(site, agent, 'agent');
  expect((await server.api(`GET /sites/${site._id}/webhooks`, { token: agent.token })).status).toBe(403);
  const seen = (await server.api(`GET /sites/${site._id}`, { token: owner.token })).body.data.site;
  expect(seen).not.toHaveProperty('webhooks');

  await call('PATCH ', { url: receiver.url(`${path}/new`) });
  await call('POST /secret');
  await call('DELETE ');
  expect((await call('GET /secret')).status).toBe(404);
  const entries = await until(async () => {
    const found = await (await AuditModel.find({ site: site._id }).lean()).filter(({ action }) =>
      action.startsWith('webhook'),
    );
    return found.length === 4 && found;
  });
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    'webhook_added',
    'webhook_changed',
    'webhook_removed',
    'webhook_secret_changed',
  ]);
  expect(JSON.stringify(entries)).not.toContain('hooks.example.com');
});

test('after a new secret the old one signs as well, for a day', async () => {
  const { secret, call, received } = await hooked();
  const { body } = await call('POST /secret');
  expect(body.data.secret).not.toBe(secret);
  await call('POST /test');
  expect(received()[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
});

test('a test shows at once what the receiver answers, and is in the log', async () => {
  const { path, call, payloads } = await hooked();
  expect((await call('POST /test')).body.data.delivery).toMatchObject({ status: 'sent', answerStatus: 204 });
  expect(types(payloads())).toEqual(['webhook.test']);
  receiver.answer(path, () => ({ status: 500, body: `out of order ${'x'.repeat(100_000)}` }));
  const { delivery } = (await call('POST /test')).body.data;
  expect(delivery).toMatchObject({ status: 'failed', answerStatus: 500, failure: 'status' });
  expect(delivery.answer).toMatch(/^out of order x{187}$/);
  const { deliveries } = (await call('GET /deliveries')).body.data;
  expect(deliveries.map(({ answerStatus }: { answerStatus: number }) => answerStatus)).toEqual([500, 204]);
});

test('a redirect is not followed, and private addresses are not connected to', async () => {
  const { path, call } = await hooked();
  receiver.answer(path, () => ({ status: 302, headers: { Location: receiver.url(`${path}/inside`) } }));
  const { delivery } = (await call('POST /test')).body.data;
  expect(delivery).toMatchObject({ status: 'failed', answerStatus: 302 });
  expect(receiver.received(`${path}/inside`)).toEqual([]);

  const toPrivate = ((_host: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as typeof lookup;
  const poster = createPoster(publicAgent(toPrivate));
  const asked = { headers: {}, body: '{}' };
  const private_address = { failure: 'private_address' };
  expect(await poster.post({ ...asked, url: receiver.url('/private') })).toEqual(private_address);
  expect(await poster.post({ ...asked, url: `https://127.0.0.1:${receiver.port}/private` })).toEqual(private_address);
  expect(receiver.received('/private')).toEqual([]);
  poster.stop();
});

test('who does not answer in time, or not at all, has failed', async () => {
  receiver.answer('/silent', () => new Promise(() => {}));
  const patient = createPoster(receiver.agent, { usualMaxMs: 200 });
  const asked = { headers: {}, body: '{}' };
  expect(await patient.post({ ...asked, url: receiver.url('/silent') })).toEqual({ failure: 'timeout' });
  const strict = createPoster(publicAgent());
  expect(await patient.post({ ...asked, url: 'https://hooks.example.com:1/' })).toMatchObject({
    failure: 'connection',
  });
  strict.stop();
});

test('an event can be sent again, with its id', async () => {
  const { site, call, received } = await hooked(['message.created']);
  await say(server.api, site, await visit(server.api, site), 'Hello');
  const delivery = await until(async () => {
    const { deliveries } = (await call('GET /deliveries')).body.data;
    return deliveries[0]?.status === 'sent' && deliveries[0];
  });
  expect((await call(`POST /deliveries/${delivery._id}/resend`)).body.data.delivery.status).toBe('waiting');
  await until(async () => received().length === 2);
  const [first, second] = received();
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.payload).toEqual(first?.payload);
  expect((await call('POST /deliveries/msg_unknown/resend')).body.code).toBe('DELIVERY_NOT_FOUND');
});

test('a site without webhooks writes nothing for them', async () => {
  const { token } = owner;
  const site = await createSite(server.api, token);
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const chat = await say(server.api, site, session, 'Hello');
  await server.api(`POST /chats/${chat}/claim`, { token });
  await server.api(`POST /chats/${chat}/close`, { token });
  const stored = await until(async () => ChatModel.findOne({ _id: chat, status: 'closed' }).lean());
  for (const field of ['untold', 'toldSeq', 'happened']) expect(stored).not.toHaveProperty(field);
  expect(await VisitorModel.findById(session.visitor._id).lean()).not.toHaveProperty('untold');
  expect(await DeliveryModel.countDocuments({ site: site._id })).toBe(0);
});

test('with a visitor, a chat or a site, what the log says of it goes', async () => {
  const { site } = await hooked();
  const { token } = owner;
  const [vera, mina] = [await visit(server.api, site, { visitor: { name: 'Vera' } }), await visit(server.api, site)];
  const [first, second] = [await say(server.api, site, vera, 'One'), await say(server.api, site, mina, 'Two')];
  const left = () => DeliveryModel.countDocuments({ site: site._id });
  await until(async () => (await left()) === 5);
  await server.api(`DELETE /chats/${first}`, { token });
  await until(async () => (await left()) === 3);
  await server.api(`DELETE /visitors/${vera.visitor._id}`, { token });
  await until(async () => (await left()) === 2);
  expect(await DeliveryModel.countDocuments({ chat: second })).toBe(2);
  await server.api(`DELETE /sites/${site._id}`, { token });
  await until(async () => (await left()) === 0);
});

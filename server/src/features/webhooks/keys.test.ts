import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Receiver, startReceiver } from '#test/receivers';
import { DAY_MS } from '../../platform/time/time.ts';
import { AuditModel } from '../audit/auditLog.ts';

let server: TestServer;
let receiver: Receiver;
let count = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({}, { webhookAgent: receiver.agent });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const newKey = async ({ token }: Account, form: object = {}) => {
  const body = { name: 'Script', scope: 'manage', currentPassword: PASSWORD, ...form };
  const { apiKey, key } = (await server.api('POST /api-keys', { token, body })).body.data;
  return { _id: apiKey._id as string, key: key as string };
};

/** A site of a new owner with a webhook that was made with a new API key. */
async function hookedByKey(form: object = {}) {
  const owner = await signUp(server.api, 'Olga');
  const site = await createSite(server.api, owner.token);
  const apiKey = await newKey(owner, form);
  const path = `/key-${++count}`;
  const hooks = `/sites/${site._id}/webhooks`;
  const body = { url: receiver.url(path), events: ['message.created'] };
  const made = await server.api(`POST ${hooks}`, { token: apiKey.key, body });
  expect(made.status).toBe(201);
  const webhook = `${hooks}/${made.body.data.webhook._id}`;
  const patch = (token: string, change: object) => server.api(`PATCH ${webhook}`, { token, body: change });
  const state = async () => (await server.api(`GET ${hooks}`, { token: owner.token })).body.data.webhooks[0];
  const revoke = ({ _id }: { _id: string }) => server.api(`DELETE /api-keys/${_id}`, { token: owner.token });
  const visitor = await visit(server.api, site);
  const write = (text: string) => say(server.api, site, visitor, text);
  return { owner, site, apiKey, path, patch, state, revoke, write };
}
type Shop = Awaited<ReturnType<typeof hookedByKey>>;

const OFF = { enabled: false, switchedOffFor: 'api_key', switchedOffAt: expect.any(String) };
const ON = { enabled: true, switchedOffFor: null, switchedOffAt: null };
const received = ({ path }: Shop) => receiver.received(path).length;

/** A message comes to a second webhook of the site, so that the first has had its turn. */
async function passes(shop: Shop, text: string): Promise<void> {
  await shop.write(text);
  await until(async () => receiver.received(`${shop.path}-own`).some(({ body }) => body.includes(text)));
}
const withOwn = async (shop: Shop) => {
  const body = { url: receiver.url(`${shop.path}-own`), events: ['message.created'] };
  await server.api(`POST /sites/${shop.site._id}/webhooks`, { token: shop.owner.token, body });
};

test('revoking an API key switches off what was made with it, and nothing else', async () => {
  const shop = await hookedByKey();
  await withOwn(shop);
  await passes(shop, 'before');
  await until(async () => received(shop) === 1);
  expect(await shop.state()).toMatchObject(ON);
  await shop.revoke(shop.apiKey);
  expect(await shop.state()).toMatchObject(OFF);
  await passes(shop, 'after');
  expect(received(shop)).toBe(1);
  const entry = await AuditModel.findOne({ site: shop.site._id, action: 'webhook_switched_off' }).lean();
  expect(entry?.detail).toEqual({ reason: 'api_key' });
  expect((await shop.patch(shop.owner.token, { enabled: true })).body.data.webhook).toMatchObject(ON);
  await passes(shop, 'taken over');
  await until(async () => received(shop) === 2);
  expect(await shop.state()).toMatchObject(ON);
});

test('so does its expiry, with the next event or look', async () => {
  const [told, seen] = [await hookedByKey({ expiresInDays: 1 }), await hookedByKey({ expiresInDays: 1 })];
  await withOwn(told);
  for (const half of [1, 2]) {
    server.advance(DAY_MS / 2);
    for (const shop of [told, seen]) expect([half, await shop.state()]).toMatchObject([half, half === 1 ? ON : {}]);
  }
  await passes(told, 'late');
  expect(received(told)).toBe(0);
  for (const shop of [told, seen]) expect(await shop.state()).toMatchObject(OFF);
  expect(await AuditModel.countDocuments({ site: seen.site._id, action: 'webhook_switched_off' })).toBe(1);
});

test('a webhook of a person is the key’s once that has changed it, until a person enters an address again', async () => {
  const shop = await hookedByKey();
  await shop.patch(shop.owner.token, { url: receiver.url(`${shop.path}-moved`) });
  await shop.revoke(shop.apiKey);
  expect(await shop.state()).toMatchObject(ON);
  const other = await newKey(shop.owner);
  await shop.patch(other.key, { url: receiver.url(shop.path) });
  await shop.patch(shop.owner.token, { events: ['message.created', 'chat.opened'] });
  await shop.revoke(other);
  expect(await shop.state()).toMatchObject(OFF);
});

test('a webhook made while its key is revoked is sent nothing', async () => {
  const shop = await hookedByKey();
  await withOwn(shop);
  const path = `${shop.path}-late`;
  const body = { url: receiver.url(path), events: ['message.created'] };
  const make = server.api(`POST /sites/${shop.site._id}/webhooks`, { token: shop.apiKey.key, body });
  await Promise.all([make, shop.revoke(shop.apiKey)]);
  await passes(shop, 'after');
  await until(async () => (await shop.state()).enabled === false);
  expect(receiver.received(path)).toEqual([]);
});

test('an API key that may only read or reply can neither make nor change webhooks', async () => {
  const shop = await hookedByKey();
  for (const scope of ['read', 'reply']) {
    const { key } = await newKey(shop.owner, { scope });
    expect((await shop.patch(key, { enabled: false })).body.code).toBe('API_KEY_SCOPE');
  }
});

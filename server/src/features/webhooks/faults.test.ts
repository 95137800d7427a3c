import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { type Api, startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { startNode } from '#test/nodes';
import { type Receiver, startReceiver } from '#test/receivers';
import type { Site, VisitorSession, WebhookPayload } from '../../../contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time/time.ts';
import { OutageModel } from '../outages/outages.ts';

const KILL_MS = 120_000;

let server: TestServer;
let receiver: Receiver;
let box: Mailbox;
let admin: Account;

beforeAll(async () => {
  [receiver, box] = await Promise.all([startReceiver(), startMailbox()]);
  server = await startServer(mailingInto(box), { webhookAgent: receiver.agent });
  admin = await signUp(server.api, 'Ada');
});
afterAll(async () => {
  await server.stop();
  await Promise.all([receiver.stop(), box.stop()]);
});

interface Shop {
  api: Api;
  owner: Account;
  site: Site;
  /** The address of the webhook's calls. */
  webhook: string;
  path: string;
}

let count = 0;

/** A site of a new owner, with a webhook that gets messages at a path of its own. */
async function openShop(api: Api = server.api): Promise<Shop> {
  const owner = await signUp(api, 'Olga');
  const { token } = owner;
  const site = await createSite(api, token);
  const path = `/${++count}`;
  const body = { url: receiver.url(path), events: ['message.created'] };
  const added = await api(`POST /sites/${site._id}/webhooks`, { token, body });
  return { api, owner, site, path, webhook: `/sites/${site._id}/webhooks/${added.body.data.webhook._id}` };
}

/** New visitors. */
const visitors = ({ api, site }: Shop, number: number) =>
  Promise.all(Array.from({ length: number }, () => visit(api, site)));

/** Each visitor writes the next number. */
async function write({ api, site }: Shop, sessions: VisitorSession[], numbers: number[]): Promise<void> {
  for (const number of numbers) await Promise.all(sessions.map((session) => say(api, site, session, `${number}`)));
}

/** What came of each chat, without repetitions. */
function texts(path: string, isCounted: (payload: WebhookPayload) => boolean = () => true): string[] {
  const chats = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { headers, payload } of receiver.received(path)) {
    const id = headers['webhook-id'] ?? '';
    if (seen.has(id) || !isCounted(payload)) continue;
    seen.add(id);
    const { _id } = payload.data.chat;
    chats.set(_id, [...(chats.get(_id) ?? []), payload.data.message.content]);
  }
  return [...chats.values()].map((contents) => contents.join(' '));
}

const logOf = async ({ api, owner, webhook }: Shop) =>
  (await api(`GET ${webhook}/deliveries`, { token: owner.token })).body.data.deliveries;
const stateOf = async ({ api, owner, site }: Shop) =>
  (await api(`GET /sites/${site._id}/webhooks`, { token: owner.token })).body.data.webhooks[0];

test('one who never answers delays neither the other webhooks nor, for long, a stop', async () => {
  const [slow, quick] = [await openShop(), await openShop()];
  receiver.answer(slow.path, () => new Promise(() => {}));
  await write(slow, await visitors(slow, 8), [1]);
  await until(async () => receiver.received(slow.path).length > 0);
  await write(quick, await visitors(quick, 2), [1, 2, 3]);
  await until(async () => texts(quick.path).join() === '1 2 3,1 2 3');
  expect(receiver.received(slow.path).length).toBeLessThanOrEqual(4);
});

test('what is refused of one chat holds up that chat only, and comes in its order afterwards', async () => {
  const shop = await openShop();
  const [vera, mina] = (await visitors(shop, 2)) as [VisitorSession, VisitorSession];
  const refused = await say(shop.api, shop.site, vera, '1');
  await until(async () => receiver.received(shop.path).length === 1);
  let isRefusing = true;
  receiver.answer(shop.path, ({ payload }) => (isRefusing && payload.data.chat._id === refused ? 400 : 204));
  await write(shop, [vera], [2, 3]);
  await until(async () => receiver.received(shop.path).length >= 2);
  await write(shop, [mina], [1, 2]);
  await until(async () => texts(shop.path, ({ data }) => data.chat?._id !== refused).join() === '1 2');
  expect(receiver.received(shop.path).filter(({ payload }) => payload.data.message.content === '3')).toEqual([]);
  isRefusing = false;
  server.advance(MINUTE_MS);
  await until(async () => texts(shop.path).includes('1 2 3'));
});

test('after an hour without a receiver everything comes, each chat in its order', async () => {
  const shop = await openShop();
  let isDown = true;
  receiver.answer(shop.path, () => (isDown ? { status: 503, body: 'Back soon' } : 200));
  const sessions = await visitors(shop, 4);
  await write(shop, sessions, [1, 2]);
  await until(async () => (await stateOf(shop)).failingSince);
  for (let minutes = 0; minutes < 60; ) {
    const before = receiver.received(shop.path).length;
    await until(async () => {
      server.advance(MINUTE_MS);
      minutes++;
      return receiver.received(shop.path).length > before;
    });
  }
  await write(shop, sessions, [3, 4]);
  // A dead receiver is not asked for each event again and again.
  expect(receiver.received(shop.path).length).toBeLessThan(40);
  expect((await logOf(shop))[0]).toMatchObject({ status: 'waiting' });
  isDown = false;
  await until(async () => {
    server.advance(MINUTE_MS);
    return (await logOf(shop)).every(({ status }: { status: string }) => status === 'sent');
  });
  expect(texts(shop.path)).toEqual(Array(4).fill('1 2 3 4'));
  expect((await stateOf(shop)).failingSince).toBeNull();
});

test('one that accepts nothing for a day is switched off with a mail, and gets what waits when it is on again', async () => {
  const shop = await openShop();
  const { token } = shop.owner;
  let isDown = true;
  receiver.answer(shop.path, () => (isDown ? 404 : 200));
  const [vera] = (await visitors(shop, 1)) as [VisitorSession];
  await write(shop, [vera], [1]);
  await until(async () => (await stateOf(shop)).failingSince);
  await write(shop, [vera], [2]);
  // What comes to the outbox after the webhook is off does not wait for it.
  await until(async () => (await logOf(shop)).length === 2);
  // In two halves: a session that rests for a day ends.
  server.advance(DAY_MS / 2);
  await stateOf(shop);
  server.advance(DAY_MS / 2);
  const off = await until(async () => {
    const state = await stateOf(shop);
    return !state.enabled && state;
  });
  expect(off.switchedOffAt).not.toBeNull();
  const mail = await until(async () =>
    box.mails.find(({ to, subject }) => to?.[0]?.address === shop.owner.user.email && subject?.includes('webhook')),
  );
  expect(mail.subject).toBe('A webhook of Corner Shop was switched off');
  expect(mail.text).not.toContain('hooks.example.com');
  await write(shop, [vera], [3]);
  const asked = receiver.received(shop.path).length;
  isDown = false;
  await shop.api(`PATCH ${shop.webhook}`, { token, body: { enabled: true } });
  await until(async () => receiver.received(shop.path).length > asked);
  await write(shop, [vera], [4]);
  await until(async () => texts(shop.path).join().endsWith('4'));
  expect(texts(shop.path)).toEqual(['1 2 4']);
  expect(await stateOf(shop)).toMatchObject({ enabled: true, failingSince: null, switchedOffAt: null });
});

test('what fails while its webhook is switched on again is sent at once, as is all that waits', async () => {
  const shop = await openShop();
  const { token } = shop.owner;
  receiver.answer(shop.path, () => 404);
  await write(shop, await visitors(shop, 1), [1]);
  await until(async () => {
    server.advance(MINUTE_MS);
    return receiver.received(shop.path).length >= 4;
  });
  let fail = (_status: number) => {};
  const held = new Promise<number>((resolve) => {
    fail = resolve;
  });
  const asked = receiver.received(shop.path).length;
  receiver.answer(shop.path, () => held);
  await until(async () => {
    server.advance(MINUTE_MS);
    return receiver.received(shop.path).length > asked;
  });
  for (const enabled of [false, true]) await shop.api(`PATCH ${shop.webhook}`, { token, body: { enabled } });
  receiver.answer(shop.path, () => 200);
  fail(404);
  await until(async () => (await logOf(shop))[0].status === 'sent');
});

test('platform admins hear once of a certificate that is not valid, until a delivery succeeds', async () => {
  const noticesOf = async ({ user, password }: Account) => {
    const { token } = (await server.api('POST /auth/login', { body: { email: user.email, password } })).body.data;
    return (await server.api('GET /notices', { token })).body.data.notices;
  };
  const owner = await signUp(server.api, 'Otto');
  const { token } = owner;
  const site = await createSite(server.api, token, 'Lapsed');
  const body = {
    kind: 'mattermost',
    url: receiver.url('/hooks/lapsed', 'lapsed.example.com'),
    events: ['message.created'],
  };
  const added = (await server.api(`POST /sites/${site._id}/webhooks`, { token, body })).body.data.webhook;
  const sessions = [await visit(server.api, site), await visit(server.api, site)];
  for (const session of sessions) await say(server.api, site, session, 'Hello');
  await until(async () => OutageModel.exists({ site: site._id }));
  expect(await noticesOf(admin)).toEqual([]);
  server.advance(HOUR_MS);
  const [notice] = await until(async () => {
    const notices = await noticesOf(admin);
    return notices.length > 0 && notices;
  });
  expect(notice).toMatchObject({
    about: 'certificate',
    siteName: 'Lapsed',
    host: expect.stringMatching(/^lapsed\.example\.com:\d+$/),
    reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  expect(await noticesOf(owner)).toEqual([]);
  const mails = () => box.mails.filter(({ text }) => text?.includes('lapsed.example.com'));
  await until(async () => mails().length > 0);
  expect(mails()[0]?.to).toMatchObject([{ address: admin.user.email }]);

  // The next tries, and the day after them.
  server.advance(DAY_MS / 2);
  await noticesOf(owner);
  server.advance(DAY_MS / 2);
  const off = await until(async () => (await noticesOf(owner))[0]);
  expect(off).toMatchObject({ about: 'webhook', siteId: site._id, siteName: 'Lapsed' });
  expect(mails()).toHaveLength(1);

  const fresh = await server.api('POST /auth/login', { body: { email: owner.user.email, password: owner.password } });
  await server.api(`PATCH /sites/${site._id}/webhooks/${added._id}`, {
    token: fresh.body.data.token,
    body: { url: receiver.url('/hooks/renewed'), enabled: true },
  });
  await until(async () => receiver.received('/hooks/renewed').length > 0);
  expect([await noticesOf(owner), await noticesOf(admin)]).toEqual([[], []]);
});

test('a process that is killed with deliveries waiting loses none, and keeps their order', {
  timeout: KILL_MS,
}, async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-hooked-'));
  // Its reconciler is to make its rounds.
  const outside = { webhookCertificate: receiver.certificate, reconcileEveryMs: 500 };
  const first = await startNode({ dataDir, mongodbUri: null }, outside);
  const shop = await openShop(first.api);
  let answered = 0;
  // Some are accepted; then nothing is answered any more.
  receiver.answer(shop.path, () => (++answered <= 6 ? 204 : new Promise(() => {})));
  const sessions = await visitors(shop, 4);
  await write(shop, sessions, [1, 2, 3, 4]);
  await until(async () => answered > 6);
  await first.kill();

  receiver.answer(shop.path, () => 204);
  // The leases of what was under way have ended.
  const second = await startNode({ dataDir, mongodbUri: null }, { ...outside, aheadMs: MINUTE_MS });
  const revived = { ...shop, api: second.api };
  await write(revived, sessions, [5]);
  await until(async () => texts(shop.path).length === 4 && texts(shop.path).every((each) => each.endsWith('5')));
  expect(texts(shop.path)).toEqual(Array(4).fill('1 2 3 4 5'));
  await second.stop();
  await rm(dataDir, { recursive: true });
});

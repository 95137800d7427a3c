import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Account, PASSWORD, say, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { startNode } from '#test/nodes';
import { type PushService, startPushService } from '#test/pushes';
import { type RefusingStore, startRefusingStore } from '#test/refusingStore';
import { connectStaff, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../../contract.ts';
import { ABSENT_MAX_MS } from '../../assign/absentAgents.ts';
import { append, expectFirstMessage } from './messages.ts';

/** Oftener than in earnest, so that the test waits less. */
const RECONCILE_EVERY_MS = 500;
/** As in earnest: nothing here is about several nodes. */
const BEAT_EVERY_MS = 5_000;

let box: Mailbox;
let service: PushService;

beforeAll(async () => {
  [box, service] = [await startMailbox(), await startPushService()];
});
afterAll(async () => {
  hangUp();
  await Promise.all([box.stop(), service.stop()]);
});

interface Shop {
  server: TestServer;
  store: RefusingStore;
  owner: Omit<Account, 'password'>;
  dashboard: Ear;
  site: Site;
}

/** A shop whose owner has a dashboard and a device, and is given the chats. */
async function openShop(
  onEnd: TestContext['onTestFinished'],
  start: (...with_: Parameters<typeof startNode>) => Promise<TestServer> = startNode,
): Promise<Shop> {
  const store = await startRefusingStore();
  onEnd(store.stop);
  const env = { ...mailingInto(box), mongodbUri: store.uri };
  const server = await start(env, {
    pushCertificate: service.certificate,
    reconcileEveryMs: RECONCILE_EVERY_MS,
    beatEveryMs: BEAT_EVERY_MS,
  });
  onEnd(server.stop);
  // Not by `signUp`, which uses the models of a server in this process.
  const form = { name: 'Olga', email: 'olga@example.com', password: PASSWORD, confirmPassword: PASSWORD };
  const owner: Shop['owner'] = (await server.api('POST /auth/register', { body: form })).body.data;
  const { token } = owner;
  const { body } = await server.api('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  await server.api('POST /push/subscriptions', { token, body: service.newDevice().device });
  const dashboard = await connectStaff(server.url, token);
  return { server, store, owner, dashboard, site: body.data.site };
}

test('of a batch of 200 messages, one that the store refuses is refused alone', async ({ onTestFinished }) => {
  const shop = await openShop(onTestFinished, startServer);
  shop.store.refuseMessage('number 77');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, number) => {
      const chat = new Types.ObjectId();
      const sender = {
        senderKey: `v:${chat}`,
        sender: 'visitor' as const,
        author: null,
        authorName: null,
        event: null,
      };
      expectFirstMessage(chat);
      const words = { clientId: `number ${number}`, content: `number ${number}`, createdAt: new Date() };
      return append({ chat, site: new Types.ObjectId(shop.site._id), ...sender, ...words });
    }),
  );
  expect(outcomes.flatMap(({ status }, number) => (status === 'rejected' ? number : []))).toEqual([77]);
  expect(await shop.store.db.collection('messages').countDocuments()).toBe(199);
});

let count = 0;

/** A new visitor writes a word that nobody else does. */
async function write({ server, site }: Shop): Promise<{ chatId: string; word: string }> {
  const word = `zebra${++count}`;
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  return { chatId: await say(server.api, site, session, word), word };
}

/**
 * The first step that does not follow, or not yet, from the message that a visitor wrote. Each asks only for what it needs: a test
 * that waits looks many times. @param chats how many chats there are
 */
async function missing(
  shop: Shop,
  { chatId, word }: { chatId: string; word: string },
  chats: number,
): Promise<string | null> {
  const { server, store, owner } = shop;
  const get = async (path: string) => (await server.api(`GET ${path}`, { token: owner.token })).body.data;
  const isScheduled = async (kind: string) =>
    (await store.db.collection('notices').findOne({ chat: new Types.ObjectId(chatId), kind })) !== null;
  const { chat } = await get(`/chats/${chatId}`);
  const steps: Record<string, () => boolean | Promise<boolean>> = {
    row: () => chat.lastSeq === 1 && chat.lastMessage === word && chat.unread === 1,
    assignment: () => chat.claimedBy?._id === owner.user._id,
    mail: () => isScheduled('team'),
    bell: () => isScheduled('bell'),
    search: async () => JSON.stringify(await get(`/search?q=${word}`)).includes(chatId),
    async figures() {
      const { totalChats, visitors } = await get('/overview');
      return totalChats === chats && visitors === chats;
    },
  };
  for (const [step, isDone] of Object.entries(steps)) if (!(await isDone())) return step;
  return null;
}

test('the chat of an absent agent is handed back although the store refuses it at first', async ({
  onTestFinished,
}) => {
  const shop = await openShop(onTestFinished);
  const { chatId } = await write(shop);
  const claimer = async () =>
    (await shop.server.api(`GET /chats/${chatId}`, { token: shop.owner.token })).body.data.chat.claimedBy;
  await until(claimer);
  await shop.server.api(`POST /chats/${chatId}/claim`, { token: shop.owner.token });
  const { count } = shop.store.refuse(['findAndModify chats'], 1);
  shop.dashboard.socket.disconnect();
  await until(async () => {
    await shop.server.advance(ABSENT_MAX_MS);
    return (await claimer()) === null;
  });
  expect(count()).toBe(1);
});

test.concurrent('lists and searches are answered while a row cannot be written', async ({ onTestFinished }) => {
  const shop = await openShop(onTestFinished);
  const first = await write(shop);
  await until(async () => (await missing(shop, first, 1)) === null);
  const refused = shop.store.refuse(['update chats']);
  await write(shop);
  for (const query of ['', 'search=hello']) {
    const { status } = await shop.server.api(`GET /chats?${query}`, { token: shop.owner.token });
    expect(status).toBe(200);
  }
  // The row is still being tried.
  expect(refused.count()).toBeLessThan(5);
  refused.end();
});

/** After so many refusals a step no longer tries by itself, or waits long. */
test.concurrent.for([
  { step: 'row', commands: ['update chats'], triesOfItsOwn: 5 },
  { step: 'search', commands: ['update chatWords'], triesOfItsOwn: 4 },
  { step: 'mail and bell', commands: ['update notices'], triesOfItsOwn: 10 },
  { step: 'ring', commands: ['aggregate pushes'], triesOfItsOwn: 5 },
  { step: 'figures', commands: ['update figures'], triesOfItsOwn: 3 },
  { step: 'assignment', commands: ['findAndModify chats'], triesOfItsOwn: 1 },
])(
  '$step: refused once and then for long, everything is right without a restart or another message',
  async ({ commands, triesOfItsOwn }, { onTestFinished }) => {
    const shop = await openShop(onTestFinished);
    const once = shop.store.refuse(commands, 1);
    const first = await write(shop);
    await until(async () => (await missing(shop, first, 1)) === null);
    expect(once.count()).toBe(1);

    const long = shop.store.refuse(commands);
    const second = await write(shop);
    await until(async () => long.count() >= triesOfItsOwn);
    expect(await missing(shop, second, 2)).not.toBeNull();
    long.end();
    await until(async () => (await missing(shop, second, 2)) === null);
  },
);

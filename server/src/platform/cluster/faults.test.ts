import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { type Receiver, startReceiver } from '#test/receivers';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { signedEntries } from './entries.ts';
import { installationName } from './installation.ts';
import { NodeModel } from './nodes.ts';
import { openRedis } from './stream.ts';

const MESSAGES = 20;
const CHATS = 5;
const texts = (ear: Ear) => ear.heard('new_message').map(({ message }) => message.content);

describe('two nodes with faults', () => {
  let cluster: TestCluster;
  let owner: Account;
  let site: Site;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    const limits = { registerPerIp: 100, visitorMessages: 1_000 };
    cluster = await startCluster(2, { rateLimits: true, limits }, { webhookCertificate: receiver.certificate });
    owner = await signUp(node(0).api, 'Olga Owner');
    site = await createSite(node(0).api, owner.token);
  });
  afterEach(hangUp);
  afterAll(async () => {
    await cluster.stop();
    await receiver.stop();
  });

  const node = (i: number) => cluster.nodes[i] as TestServer;

  test('people on one node go on talking, and everything arrives on the other in order once it is back', async () => {
    const session = await visit(node(0).api, site, { visitor: { name: 'Vera' } });
    const visitor = await connectVisitor(node(0).url, session.visitorToken);
    const [here, there] = [await connectStaff(node(0).url, owner.token), await connectStaff(node(1).url, owner.token)];
    const { chat } = await visitor.ask('send_message', { clientId: randomUUID(), content: 'Before' });
    await until(async () => texts(there).includes('Before'));

    await cluster.redis.down();
    const sent = Array.from({ length: MESSAGES }, (_, i) => `While it is away ${i}`);
    for (const content of sent)
      expect((await visitor.ask('send_message', { clientId: randomUUID(), content })).ok).toBe(true);
    await expect.poll(() => texts(here)).toEqual(['Before', ...sent]);
    // Correct without Redis: who asks the store is told.
    const missed = await there.ask('sync', { chats: [{ chatId: chat._id, afterSeq: 1 }] });
    expect(missed.chats[0].messages).toHaveLength(MESSAGES);

    await cluster.redis.up();
    await until(async () => texts(there).length > MESSAGES);
    expect(texts(there)).toEqual(['Before', ...sent]);
    await there.ask('send_message', { chatId: chat._id, clientId: randomUUID(), content: 'And back' });
    await until(async () => texts(visitor).includes('And back'));
    for (const ear of [here, there]) expect(ear.heard('user_offline')).toEqual([]);
  });

  test('whoever is on another node sees within seconds what is written while Redis is away, once', async () => {
    const session = await visit(node(0).api, site, { visitor: { name: 'Vito' } });
    const visitor = await connectVisitor(node(0).url, session.visitorToken);
    const agent = await connectStaff(node(1).url, owner.token);
    const dora = await signUp(node(1).api, 'Dora Lind');
    const shop = await createSite(node(1).api, dora.token);
    const body = { settings: { autoAssign: true } };
    await node(1).api(`PATCH /sites/${shop._id}`, { token: dora.token, body });
    await connectStaff(node(1).url, dora.token);
    await cluster.redis.down();
    const waiting = await say(node(1).api, shop, await visit(node(1).api, shop), 'Anybody?');
    const { chat } = await visitor.ask('send_message', { clientId: randomUUID(), content: 'Is anybody there?' });
    await until(async () => texts(agent).includes('Is anybody there?'));
    expect(agent.heard('new_chat').map((event) => event.chat._id)).toContain(chat._id);
    await agent.ask('send_message', { chatId: chat._id, clientId: randomUUID(), content: 'I am' });
    await until(async () => texts(visitor).includes('I am'));
    // The node that assigns has heard of it neither: the other one may be gone before Redis is back.
    const claimer = async () =>
      (await node(1).api(`GET /chats/${waiting}`, { token: dora.token })).body.data.chat.claimedBy;
    await until(claimer);

    await cluster.redis.up();
    await visitor.ask('send_message', { clientId: randomUUID(), content: 'Good' });
    await until(async () => texts(agent).includes('Good'));
    expect(texts(agent)).toEqual(['Is anybody there?', 'Good']);
    expect(texts(visitor)).toEqual(['I am']);
  });

  test('a node that missed events ends its connections, so that its clients ask for what is new', async () => {
    const ears = await Promise.all(cluster.nodes.map(({ url }) => connectStaff(url, owner.token)));
    const redis = openRedis(cluster.redis.url, () => {});
    await until(async () => redis.isReady);
    const [name, secret] = [await installationName(), cluster.env.jwtSecret ?? ''];
    const { encode } = signedEntries(secret, name);
    const listed = await NodeModel.findOne().lean();
    await NodeModel.collection.insertOne({ ...listed, _id: 'another' } as never);
    for (const count of [1, 3])
      await redis.xAdd(`parley:${name}:events`, '*', encode({ node: 'another', count, events: [] }));
    for (const ear of ears) await until(async () => !ear.socket.connected);
    for (const ear of ears) expect(ear.heard('session_ended')).toEqual([]);
    await NodeModel.deleteOne({ _id: 'another' });
    redis.destroy();
  });

  test('without Redis, limits count on, and who signs out or is removed is disconnected on every node', async () => {
    const [ben, cleo] = [await signUp(node(1).api, 'Ben Okafor'), await signUp(node(1).api, 'Cleo Ito')];
    await join(site, ben, 'agent');
    const connect = (i: number, { token }: Account) => connectStaff(node(i).url, token);
    const [removed, here, there] = [await connect(1, ben), await connect(0, cleo), await connect(1, cleo)];
    await cluster.redis.down();
    await node(0).api(`DELETE /team/members/${ben.user._id}`, { token: owner.token, body: { siteId: site._id } });
    expect((await node(0).api('POST /auth/logout', { token: cleo.token })).status).toBe(200);
    for (const { socket } of [removed, here, there]) await until(async () => !socket.connected);
    await cluster.redis.up();
  });

  test('what both nodes have to deliver arrives once, each chat in its order', async () => {
    const { token } = owner;
    const shop = await createSite(node(0).api, token, 'Told');
    const body = { url: receiver.url('/told'), events: ['message.created'] };
    await node(0).api(`POST /sites/${shop._id}/webhooks`, { token, body });
    const sessions = await Promise.all(Array.from({ length: CHATS }, () => visit(node(0).api, shop)));
    const numbers = ['1', '2', '3', '4', '5', '6'];
    // Each message of a chat by the other node than the one before.
    await Promise.all(
      sessions.map(async (session) => {
        for (const [i, content] of numbers.entries()) await say(node(i % 2).api, shop, session, content);
      }),
    );
    const received = () => receiver.received('/told');
    await until(async () => received().length >= CHATS * numbers.length);
    const came = received().map(({ payload: { data } }) => ({ chat: data.chat._id, content: data.message.content }));
    for (const chat of new Set(came.map((each) => each.chat)))
      expect(came.filter((each) => each.chat === chat).map(({ content }) => content)).toEqual(numbers);
  });

  test('a chat is closed and opened again on nodes that do not hear of each other: nobody is connected', async () => {
    const session = await visit(node(0).api, site, { visitor: { name: 'Vera' } });
    const [a, b] = [node(0).api, node(1).api];
    const { token } = owner;
    const chat = await say(b, site, session, 'Is the chair still there?');
    for (const [closing, opening] of [
      [a, b],
      [b, a],
    ] as const) {
      expect((await closing(`POST /chats/${chat}/close`, { token })).status).toBe(200);
      const { body } = await opening(`POST /chats/${chat}/reopen`, { token });
      expect(body).toMatchObject({ success: true, data: { chat: { status: 'active' } } });
      await say(opening, site, session, 'One more question');
    }
  });

  test('when a node stops, another takes over the work that only one does', async () => {
    const shop = await createSite(node(1).api, owner.token, 'Assigned');
    const body = { settings: { autoAssign: true } };
    await node(1).api(`PATCH /sites/${shop._id}`, { token: owner.token, body });
    const ear = await connectStaff(node(1).url, owner.token);
    const [first] = cluster.nodes.splice(0, 1);
    await first?.stop();
    // By now it is the only node: `node(0)`.
    const chatId = await say(node(0).api, shop, await visit(node(0).api, shop), 'Anybody?');
    await until(async () => ear.heard('chat_claimed').some((e) => e.chatId === chatId));
  });
});

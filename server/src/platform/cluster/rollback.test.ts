import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, say, signUp, until, visit } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { type ReplicaSet, startReplicaSet } from '#test/replicaSet';
import { connectStaff, hangUp } from '#test/sockets';
import type { Message, Site, VisitorSession } from '../../../contract.ts';
import { MessageModel } from '../../features/chats/messageModel.ts';

const ELECTION_MS = 300;

let set: ReplicaSet;
let cluster: TestCluster;
let owner: Account;
let site: Site;
let visitor: VisitorSession;
let chat: string;

beforeAll(async () => {
  set = await startReplicaSet();
  cluster = await startCluster(2, { mongodbUri: `${set.uri}&readPreference=secondaryPreferred` });
  owner = await signUp(node(0).api);
  site = await createSite(node(0).api, owner.token);
});
beforeEach(async () => {
  visitor = await visit(node(0).api, site);
  chat = await say(node(0).api, site, visitor, 'Before');
});
afterEach(() => {
  hangUp();
  if (set.waiting.length > 0) set.elect(0);
});
afterAll(async () => {
  await cluster.stop();
  await set.stop();
});

const node = (i: number) => cluster.nodes[i] as TestServer;
const contents = (messages: Pick<Message, 'content'>[]) => messages.map(({ content }) => content).toSorted();

/** Sends a visitor's message. @returns its status */
async function send(to: TestServer, content: string, clientId: string = randomUUID()): Promise<number> {
  const body = { clientId, content };
  return (await to.api(`POST /widget/${site.widgetCode}/messages`, { token: visitor.visitorToken, body })).status;
}

/** What each node says is in the chat, in the order of the alphabet. */
async function read(): Promise<string[][]> {
  const answers = cluster.nodes.map(({ api }) => api(`GET /chats/${chat}/messages`, { token: owner.token }));
  return (await Promise.all(answers)).map(({ body }) => contents(body.data.messages));
}

test('what was acknowledged is read, also while all secondaries lag', async () => {
  await set.lag();
  const { token } = owner;
  const body = { clientId: randomUUID(), content: 'Answer' };
  expect((await node(0).api(`POST /chats/${chat}/messages`, { token, body })).status).toBe(201);
  expect(await send(node(1), 'After')).toBe(201);
  expect(await read()).toEqual(Array(2).fill(['After', 'Answer', 'Before']));
  const login = { email: owner.user.email, password: PASSWORD };
  const other = (await node(0).api('POST /auth/login', { body: login })).body.data.token;
  const profile = async () => (await node(1).api('GET /auth/profile', { token: other })).status;
  expect(await profile()).toBe(200);
  await node(0).api('POST /auth/logout', { token: other });
  await until(async () => (await profile()) === 401);
});

test('what no majority has is not acknowledged, and is sent to the next primary, once', async () => {
  const agent = await connectStaff(node(1).url, owner.token);
  // The first message may still be on its way to the other node.
  const heard = () =>
    contents(agent.heard('new_message').map(({ message }) => message)).filter((text) => text !== 'Before');
  await set.isolate();
  const clientId = randomUUID();
  const { token } = owner;
  const body = { clientId: randomUUID(), content: 'Answer' };
  let acknowledged = 0;
  const sent = [
    send(node(0), 'Twice', clientId),
    send(node(1), 'Twice', clientId),
    node(1)
      .api(`POST /chats/${chat}/messages`, { token, body })
      .then(({ status }) => status),
  ].map((sending) => sending.finally(() => acknowledged++));
  await until(async () => set.waiting.filter((name) => name === 'insert messages').length >= 2);
  expect([acknowledged, await read()]).toEqual([0, [['Before'], ['Before']]]);
  expect(heard()).toEqual([]);

  set.elect(ELECTION_MS);
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  const messages = await MessageModel.find({ chat }).sort({ seq: 1 }).lean();
  expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(contents(messages)).toEqual(['Answer', 'Before', 'Twice']);
  await until(async () => heard().length >= 2);
  expect(heard()).toEqual(['Answer', 'Twice']);
});

test('whatever is answered with success outlives the primary that was cut off', async () => {
  await set.isolate();
  const { token } = owner;
  const body = { email: owner.user.email, password: PASSWORD };
  const done = Promise.all([
    node(0).api(`POST /chats/${chat}/claim`, { token }),
    node(1).api('POST /auth/login', { body }),
    node(0).api(`PATCH /sites/${site._id}`, { token, body: { name: 'Renamed' } }),
  ]);
  const writes = ['findAndModify chats', 'insert sessions', 'findAndModify sites'];
  await until(async () => writes.every((name) => set.waiting.includes(name)));
  set.elect(ELECTION_MS);
  const [claimed, login, renamed] = await done;
  expect([claimed.status, login.status, renamed.status]).toEqual([200, 200, 200]);
  for (const { api } of cluster.nodes) {
    expect((await api('GET /auth/profile', { token: login.body.data.token })).status).toBe(200);
    await until(async () => {
      const { chat: found } = (await api(`GET /chats/${chat}`, { token })).body.data;
      return found.claimedBy?._id === owner.user._id && found.site.name === 'Renamed';
    });
  }
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { type RefusingStore, startRefusingStore } from '#test/refusingStore';
import { connectStaff, type Ear, hangUp } from '#test/sockets';

let store: RefusingStore;
let cluster: TestCluster;
let first: TestServer;
let owner: Account;
let chat: { _id: string };
let agent: Ear;

beforeAll(async () => {
  store = await startRefusingStore();
  cluster = await startCluster(2, { mongodbUri: store.uri });
  const [a, b] = cluster.nodes as [TestServer, TestServer];
  first = a;
  owner = await signUp(a.api);
  chat = await newChat(a.api, await createSite(a.api, owner.token), owner.token);
  agent = await connectStaff(b.url, owner.token);
});
afterAll(async () => {
  hangUp();
  await cluster.stop();
  await store.stop();
});

/** Adds a note through one node, which the other has to read. */
const note = (content: string) =>
  first.api(`POST /chats/${chat._id}/notes`, { token: owner.token, body: { clientId: randomUUID(), content } });
const heard = () => agent.heard('note_added').map((event) => event.note.content);

test('an event that a node could not read, because the database failed, is read again', async () => {
  const refusal = store.refuse(['find notes'], 2);
  await note('While the database fails');
  await until(async () => heard().includes('While the database fails'));
  expect(refusal.count()).toBe(2);
});

test('after too many tries, the sockets of the node are closed, so that clients ask for what is new', async () => {
  const refusal = store.refuse(['find notes']);
  await note('In vain');
  await until(async () => !agent.socket.connected);
  refusal.end();
  expect(heard()).not.toContain('In vain');
});

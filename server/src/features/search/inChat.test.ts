import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { startNode } from '#test/nodes';
import type { ChatFinds, Site } from '../../../contract.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const search = async (chat: string, query: string, { token } = owner): Promise<ChatFinds> =>
  (await server.api(`GET /chats/${chat}/search?${query}`, { token })).body.data;

/** A chat with these messages, from seq 1 on. */
async function chatWith(contents: string[]): Promise<string> {
  const chat = new Types.ObjectId((await newChat(server.api, site, owner.token, contents[0]))._id);
  const rows = contents.slice(1).map((content, at) => ({
    chat,
    site: site._id,
    seq: at + 2,
    senderKey: `v:${chat}`,
    clientId: randomUUID(),
    sender: 'visitor',
    content,
    createdAt: new Date(),
  }));
  await MessageModel.insertMany(rows);
  return chat.toHexString();
}

test('finds the messages of one chat that have every word, newest first', async () => {
  const chat = await chatWith(['Where is my order?', 'Order 4711', 'I said ORDER 47110', 'Thanks', 'é']);
  await server.api(`POST /chats/${chat}/close`, { token: owner.token });
  expect(await search(chat, 'q=order')).toEqual({ seqs: [3, 2, 1], next: null });
  expect(await search(chat, 'q=order%204711')).toEqual({ seqs: [3, 2], next: null });
  expect(await search(chat, 'q=order&before=3')).toEqual({ seqs: [2, 1], next: null });
  expect(await search(chat, 'q=e')).toEqual({ seqs: [5], next: null });
  // System messages are no one's words.
  for (const nothing of ['q=closed', 'q=', '', 'q=.*'])
    expect(await search(chat, nothing)).toEqual({ seqs: [], next: null });
});

test('searches a chat of any length, a part with each call', async () => {
  const chat = await chatWith(Array.from({ length: 2_345 }, (_, i) => (i % 1_000 === 0 ? 'needle' : `hay ${i}`)));
  const first = await search(chat, 'q=needle');
  expect(first.seqs).toEqual([2_001, 1_001]);
  expect(await search(chat, `q=needle&before=${first.next}`)).toEqual({ seqs: [1], next: null });
});

test('stops early where the messages are long', async () => {
  const chat = await chatWith(Array.from({ length: 500 }, (_, i) => `${'hay '.repeat(1_200)}${i}`));
  const { seqs, next } = await search(chat, 'q=hay');
  expect(next).toBe(301);
  expect(seqs).toHaveLength(200);
});

test('the search over all chats lands on a message far up', async () => {
  const chat = await chatWith(['A needle called quasar', ...Array.from({ length: 90 }, (_, i) => `hay ${i}`)]);
  await ChatModel.updateOne({ _id: chat }, { $set: { lastSeq: 91 } });
  const { body } = await server.api('GET /search?q=quasar%20needle', { token: owner.token });
  expect(body.data.messages).toMatchObject([{ chatId: chat, seq: 1, excerpt: 'A needle called quasar' }]);
  expect(body.data.chats).toEqual([]);
});

test('is for the team of the site only, and takes no other input', async () => {
  const chat = await chatWith(['Hello']);
  const [viewer, stranger] = [await signUp(server.api), await signUp(server.api)];
  await join(site, viewer, 'viewer');
  expect(await search(chat, 'q=hello', viewer)).toEqual({ seqs: [1], next: null });
  expect(await search(chat, 'q=hello', stranger)).toBeUndefined();
  for (const bad of ['before=0', 'before=x', `q=${'x'.repeat(201)}`])
    expect((await server.api(`GET /chats/${chat}/search?${bad}`, { token: owner.token })).status).toBe(422);
});

test('searches in chats have a limit of their own, and an account makes one after the other', async () => {
  const own = await startNode({ rateLimits: true, limits: { chatSearchesPerAccount: 5 } });
  const ana = await signUp(own.api);
  const { _id } = await newChat(own.api, await createSite(own.api, ana.token), ana.token, 'needle');
  const statuses = await Promise.all(
    Array.from(
      { length: 10 },
      async () => (await own.api(`GET /chats/${_id}/search?q=needle`, { token: ana.token })).status,
    ),
  );
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429, 429]);
  expect((await own.api('GET /search?q=needle', { token: ana.token })).status).toBe(200);
  await own.stop();
});

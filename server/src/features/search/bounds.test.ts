import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Chat, Site } from '../../../contract.ts';
import { MESSAGE_MAX_LENGTH } from '../chats/contract.ts';
import { type ChatWordsDoc, ChatWordsModel } from './model.ts';
import { CHAT_WORDS_MAX } from './writer.ts';

let server: TestServer;
let owner: Account;
let site: Site;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-words-'));
  server = await startServer({ dataDir, mongodbUri: null });
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** As many words as a message can hold that nobody said before. */
const newWords = () =>
  Array.from({ length: 200 }, () => randomUUID().replaceAll('-', ''))
    .map((word, i) => word.slice(0, 3 + (i % 8)))
    .join(' ')
    .padEnd(MESSAGE_MAX_LENGTH, ' lorem');

const wordsOfChat = async (chat: string) => (await ChatWordsModel.findById(chat).lean<ChatWordsDoc>())?.words ?? [];
const listed = async (search: string) => {
  const { body } = await server.api(`GET /chats?search=${search}`, { token: owner.token });
  return body.data.chats.map(({ _id }: Chat) => _id);
};

test('the index of random words takes at most ten times the size of the messages', async () => {
  const stored = async () => (await stat(path.join(dataDir, 'store/data.mdb'))).size;
  const sessions = await Promise.all(Array.from({ length: 10 }, () => visit(server.api, site)));
  const before = await stored();
  let sent = 0;
  const chats = await Promise.all(
    sessions.map(async (session, i) => {
      let chat = '';
      for (let n = 0; n < 12; n++) {
        const content = newWords();
        sent += content.length;
        chat = await say(server.api, site, session, content);
      }
      await say(server.api, site, session, `last${i}`);
      return chat;
    }),
  );
  for (const [i, chat] of chats.entries()) await until(async () => (await wordsOfChat(chat)).includes(`last${i}`));
  expect(((await stored()) - before) / sent).toBeLessThan(10);
});

test("a limited number of words of a chat is indexed, and the visitor's name always", async () => {
  const session = await visit(server.api, site);
  const chat = await say(server.api, site, session, 'beginning');
  expect(await listed('beginning')).toEqual([chat]);
  const full = Array.from({ length: CHAT_WORDS_MAX - 1 }, (_, i) => `full${i}`);
  await ChatWordsModel.updateOne({ _id: chat }, { $push: { words: { $each: full } } });
  await say(server.api, site, session, 'overflowing');
  const { visitorToken } = session;
  await visit(server.api, site, { visitorToken, visitor: { name: 'Latecomer Lund' } });
  expect(await until(async () => (await wordsOfChat(chat)).includes('latecomer'))).toBe(true);
  expect(await wordsOfChat(chat)).toHaveLength(CHAT_WORDS_MAX + 2);
  expect([await listed('latecomer'), await listed('full77')]).toEqual([[chat], [chat]]);
  expect(await listed('overflowing')).toEqual([]);
});

test('a name given without a message is indexed although the first write fails', async () => {
  const shop = await createSite(server.api, owner.token, 'Shop');
  const words = ChatWordsModel.collection;
  const [first, second] = [await visit(server.api, shop), await visit(server.api, shop)];
  const kept = await say(server.api, shop, first, 'kept');
  expect(await listed('kept')).toEqual([kept]);
  // From here on the store refuses a second chat of this site.
  const only = { partialFilterExpression: { site: new Types.ObjectId(shop._id) } };
  await words.createIndex({ site: 1 }, { unique: true, name: 'refusing', ...only });
  const chat = await say(server.api, shop, second, 'refused');
  await visit(server.api, shop, { visitorToken: second.visitorToken, visitor: { name: 'Ottilie' } });
  await until(
    async () => (await server.api(`GET /chats/${chat}`, { token: owner.token })).body.data.chat.lastSeq === 1,
  );
  await until(async () => (await wordsOfChat(kept)).length === 1);
  await words.dropIndex('refusing');
  await until(async () => (await listed('ottilie')).includes(chat));
  expect(await listed('refused')).toEqual([chat]);
});

import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Chat, Site } from '../../contract.ts';
import { type Account, createSite, newChat, say, signUp, until, visit } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { startIndexer } from './indexer.ts';
import { type ChatWordsDoc, ChatWordsModel, PostingModel } from './model.ts';
import { arePostingsLeft, expectPostings, movePostings } from './postings.ts';
import { addWords, purgeSearch } from './writer.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  await until(async () => !arePostingsLeft());
});
afterAll(() => server.stop());

/** Puts words of a chat where an older Parley kept them. */
async function keepAsBefore(chat: string, words: string[], of = site): Promise<void> {
  await PostingModel.insertMany(words.map((word) => ({ _id: `${chat}:${word}`, site: of._id, word, chat })));
  expectPostings();
}

const listed = async (search: string) => {
  const { body } = await server.api(`GET /chats?search=${encodeURIComponent(search)}`, { token: owner.token });
  return body.data.chats.map(({ _id }: Chat) => _id);
};
const wordsOfChat = async (chat: string) => (await ChatWordsModel.findById(chat).lean<ChatWordsDoc>())?.words ?? [];
const many = (name: string) => Array.from({ length: 700 }, (_, i) => `${name}${i}`);

async function collections(): Promise<string[]> {
  const all = await PostingModel.db.listCollections();
  return all.map(({ name }) => name);
}

test('chats are found by words of the old index, by new words, and by both', async () => {
  const old = await newChat(server.api, site, owner.token, 'hello');
  const session = await visit(server.api, site);
  const mixed = await say(server.api, site, session, 'newcomer');
  await until(async () => (await wordsOfChat(mixed)).length > 0 && (await wordsOfChat(old._id)).length > 0);
  await keepAsBefore(old._id, ['bygone', 'bygones', 'oak']);
  await keepAsBefore(mixed, ['bygone', 'elm']);
  expect(await listed('bygone')).toEqual([mixed, old._id]);
  expect(await listed('bygo')).toEqual([mixed, old._id]);
  expect(await listed('oak bygone')).toEqual([old._id]);
  expect(await listed('elm newco')).toEqual([mixed]);
  expect(await listed('oak newcomer')).toEqual([]);
});

test('the old index is moved in steps that can be interrupted at any point, then removed', async () => {
  const chats = [
    await newChat(server.api, site, owner.token, 'one'),
    await newChat(server.api, site, owner.token, 'two'),
  ];
  const [one, two] = chats.map(({ _id }) => _id) as [string, string];
  // The server's own indexer has done its part, and leaves what is old to the test.
  await until(async () => (await wordsOfChat(one)).length > 0 && (await wordsOfChat(two)).length > 0);
  await keepAsBefore(one, [...many('alder'), 'both']);
  await keepAsBefore(two, [...many('birch'), 'both']);
  // Killed behind the write, before anything went.
  await movePostings(async (texts) => {
    await addWords(texts);
    throw new Error('killed');
  }).catch(() => {});
  expect(await listed('both')).toEqual([two, one]);
  await movePostings(addWords);
  expect(await listed('both')).toEqual([two, one]);
  expect(await listed('alder699')).toEqual([one]);
  const indexer = startIndexer();
  await until(async () => !arePostingsLeft());
  await indexer.stop();
  expect(await collections()).not.toContain('postings');
  expect(await listed('both')).toEqual([two, one]);
  expect([await listed('alder0'), await listed('birch699')]).toEqual([[one], [two]]);
  const words = await wordsOfChat(one);
  expect(new Set(words).size).toBe(words.length);
});

test('deleted chats do not come back with the old index', async () => {
  const chat = await newChat(server.api, site, owner.token, 'here');
  const shop = await createSite(server.api, owner.token, 'Closing');
  const gone = new Types.ObjectId().toHexString();
  await keepAsBefore(chat._id, ['erasable']);
  await keepAsBefore(gone, ['orphan']);
  await keepAsBefore(new Types.ObjectId().toHexString(), many('closing'), shop);
  expect((await server.api(`DELETE /chats/${chat._id}`, { token: owner.token })).status).toBe(200);
  await until(async () => (await PostingModel.exists({ word: 'erasable' })) === null);
  await purgeSearch(new Types.ObjectId(shop._id));
  const indexer = startIndexer();
  await until(async () => !arePostingsLeft());
  await indexer.stop();
  expect(await ChatWordsModel.countDocuments({ _id: { $in: [chat._id, gone] } })).toBe(0);
  expect(await ChatWordsModel.countDocuments({ site: shop._id })).toBe(0);
  expect(await listed('erasable')).toEqual([]);
});

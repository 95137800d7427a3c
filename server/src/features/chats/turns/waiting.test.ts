import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { Chat, Site, VisitorSession } from '../../../../contract.ts';
import { ChatModel } from '../model.ts';
import { rebuild } from '../row/rebuild.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const ask = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const row = async ({ _id }: Chat): Promise<Chat> => (await ask(`GET /chats/${_id}`)).body.data.chat;
/** When the message with this seq was written. */
const timeOf = async ({ _id }: Chat, seq: number) =>
  (await ask(`GET /chats/${_id}/messages?after=${seq - 1}&limit=1`)).body.data.messages[0]?.timestamp;
const answer = ({ _id }: Chat) => ask(`POST /chats/${_id}/messages`, { content: 'Let me look' });

/** A visitor's chat, once it stands in the list. */
async function chatOf(visitor: VisitorSession): Promise<Chat> {
  const id = await say(server.api, site, visitor, 'Hello?');
  return until(async () => {
    const { chat } = (await ask(`GET /chats/${id}`)).body.data as { chat: Chat };
    return chat.lastSeq > 0 && chat;
  });
}

async function listed(query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await ask(`GET /chats?${query}${cursor && `&cursor=${cursor}`}`);
    ids.push(...page.body.data.chats.map(({ _id }: Chat) => _id));
    cursor = page.body.data.nextCursor;
  }
  return ids;
}

test('waitingSince is the time of the first unanswered message', async () => {
  const visitor = await visit(server.api, site);
  const chat = await chatOf(visitor);
  const first = await timeOf(chat, 1);
  expect(chat.waitingSince).toBe(first);
  await say(server.api, site, visitor, 'Anybody there?');
  await until(async () => (await row(chat)).lastSeq === 2);
  expect((await row(chat)).waitingSince).toBe(first);
  await answer(chat);
  await until(async () => (await row(chat)).waitingSince === null);
  await say(server.api, site, visitor, 'One more thing');
  await until(async () => (await row(chat)).waitingSince !== null);
  expect((await row(chat)).waitingSince).toBe(await timeOf(chat, 4));
  await ask(`POST /chats/${chat._id}/close`);
  await until(async () => (await row(chat)).waitingSince === null);
});

test('a rebuilt chat row has the correct waitingSince', async () => {
  const visitor = await visit(server.api, site);
  const chat = await chatOf(visitor);
  await answer(chat);
  await say(server.api, site, visitor, 'And the other one?');
  await say(server.api, site, visitor, 'Hello?');
  await until(async () => (await row(chat)).lastSeq === 4);
  await ChatModel.updateOne({ _id: chat._id }, { $unset: { waitingSince: 1 } });
  await rebuild(new Types.ObjectId(chat._id), {});
  expect((await row(chat)).waitingSince).toBe(await timeOf(chat, 3));
});

test('chats are sorted by longest waiting, then by activity, in pages of any size', async () => {
  const chats: Chat[] = [];
  for (let index = 0; index < 6; index++) chats.push(await chatOf(await visit(server.api, site)));
  for (const chat of [chats[1], chats[4]]) if (chat) await answer(chat);
  await until(async () => (await ChatModel.countDocuments({ site: site._id, waitingSince: null })) === 2);
  const order = [0, 2, 3, 5, 4, 1].map((index) => chats[index]?._id);
  for (const limit of [1, 2, 3, 4, 5, 50]) expect(await listed(`sort=waiting&limit=${limit}`)).toEqual(order);
  expect(await listed('sort=waiting&status=active')).toEqual([4, 1].map((index) => chats[index]?._id));
  expect(await listed('sort=activity')).toEqual([4, 1, 5, 3, 2, 0].map((index) => chats[index]?._id));
  expect((await ask('GET /chats?sort=waiting&cursor=wx')).body.code).toBe('INVALID_CURSOR');
});

test('claimedBy=me lists your own chats, with any other filter', async () => {
  const ben = await signUp(server.api, 'Ben Okafor');
  await join(site, ben, 'agent');
  const [mine, his, nobodys] = [
    await newChat(server.api, site, owner.token),
    await newChat(server.api, site, owner.token),
    await newChat(server.api, site, owner.token),
  ];
  await ask(`POST /chats/${mine._id}/claim`);
  await server.api(`POST /chats/${his._id}/claim`, { token: ben.token });
  for (const query of ['', '&sort=waiting', '&status=active', `&search=${encodeURIComponent('hello')}`]) {
    const ids = await until(async () => {
      const found = await listed(`claimedBy=me${query}`);
      return found.length > 0 && found;
    });
    expect(ids).toEqual([mine._id]);
  }
  expect(await listed('claimedBy=me&status=waiting')).toEqual([]);
  expect(await listed('status=waiting')).toEqual([nobodys._id]);
  expect(await listed(`claimedBy=${ben.user._id}`)).toEqual([his._id]);
  expect(await listed('claimedBy=none')).toEqual([nobodys._id]);
  expect((await ask('GET /chats?claimedBy=ben')).status).toBe(422);
});

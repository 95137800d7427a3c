import { randomUUID } from 'node:crypto';
import mongoose, { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { reconcileNow } from '#test/rounds';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../../contract.ts';
import { events } from '../../../platform/events/index.ts';
import { CheckpointModel, Checkpoints } from '../../../platform/work/checkpoints.ts';
import { ProcessedMessages } from '../../../platform/work/processed.ts';
import { lastIdOf, reconcile } from '../../../platform/work/reconciler.ts';
import { type SiteDoc, SiteModel } from '../../sites/model.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, chatCache } from '../model.ts';
import { countStored } from './messageProjection.ts';
import { catchUp } from './projection.ts';
import { writeInto } from './row.ts';
import { chatRows } from './rowRepair.ts';

const NOTHING = { delivered: 0, read: 0 };
const NO_RECEIPTS = { visitor: NOTHING, staff: NOTHING };

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const send = (ear: Ear, content: string) => ear.ask('send_message', { clientId: randomUUID(), content });

test('each message of a writing visitor is sent at once, the chat row once for several messages', async () => {
  const agent = await connectStaff(server.url, owner.token);
  const { visitorToken } = await visit(server.api, site);
  const vera = await connectVisitor(server.url, visitorToken);
  const { chat } = await send(vera, 'The first');
  const more = Array.from({ length: 60 }, (_, at) => `Line ${at}`);
  await Promise.all(more.map((content) => send(vera, content)));
  const rows = () => agent.heard('chat_updated').map(({ chat: row }) => row);
  const last = await until(async () => rows().find(({ lastSeq }) => lastSeq === 61));
  expect(last).toMatchObject({ _id: chat._id, unread: 61, waitingSince: chat.waitingSince ?? expect.any(String) });
  expect(agent.heard('new_message').map(({ message }) => message.seq)).toEqual(
    [...Array(61).keys()].map((at) => at + 1),
  );
  expect(rows().length).toBeLessThan(30);

  // An answer, and whatever else is done with the chat, waits for nothing.
  await send(vera, 'Still there?');
  await send(vera, 'Hello?');
  await agent.ask('read', { chatId: chat._id, seq: 63 });
  await until(async () => rows().find(({ lastSeq, unread }) => lastSeq === 63 && unread === 0));
});

/** A visitor with a chat; and a message of theirs as a server leaves it that dies, or is never answered, after the insert. */
async function unfollowed(seq: number, content: string, _id = new Types.ObjectId()) {
  const { visitorToken } = await visit(server.api, site);
  const vera = await connectVisitor(server.url, visitorToken);
  const { chat, message } = await send(vera, 'The first');
  await until(async () => (await ChatModel.findById(chat._id))?.lastSeq === 1);
  const stored = await MessageModel.findById(message._id).lean();
  const clientId = randomUUID();
  const more = { ...stored, _id, seq, clientId, content, createdAt: new Date() };
  await MessageModel.collection.insertOne(more as never);
  return { vera, chatId: chat._id, clientId, content };
}

/** A round of the reconciler over the last minute. */
async function lookBack(): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  await CheckpointModel.updateOne({ _id: 'chatRows' }, { second: second - 60 }, { upsert: true });
  await reconcileNow(chatRows);
}
const rowWith = (agent: Ear, chatId: string, seq: number) =>
  until(async () => agent.heard('chat_updated').find(({ chat }) => chat._id === chatId && chat.lastSeq === seq));

test('a message whose node died before it was announced is announced when it is found in the row, once', async () => {
  const agent = await connectStaff(server.url, owner.token);
  // Long after this node began to hear what is announced.
  const second = Math.floor(Date.now() / 1000) + 60;
  const { vera, chatId } = await unfollowed(2, 'Lost', Types.ObjectId.createFromTime(second));
  await send(vera, 'Through another node');
  await rowWith(agent, chatId, 3);
  const heard = () => agent.heard('new_message').filter((event) => event.chatId === chatId);
  const counted: number[] = [];
  onTestFinished(events.on('messageStored', ({ message }) => void counted.push(message.seq)));
  expect(heard().map(({ message }) => message.seq)).toEqual([1, 3]);
  const { signal } = new AbortController();
  const round = { count: countStored, until: second + 1, stable: second - 60, isFull: true, signal };
  for (let rounds = 0; rounds < 2; rounds++) {
    await CheckpointModel.updateOne({ _id: 'chatRows' }, { second: second - 120 }, { upsert: true });
    await reconcile([chatRows], round);
    await until(async () => heard().length === 3);
  }
  expect(heard().map(({ message }) => message.content)).toEqual(['The first', 'Through another node', 'Lost']);
  // Its own node may have counted it already.
  expect(counted).toEqual([]);
});

test('a message that was stored but never processed is processed when it is sent again', async () => {
  const agent = await connectStaff(server.url, owner.token);
  const { vera, chatId, clientId, content } = await unfollowed(2, 'Did you get this one');
  const again = await vera.ask('send_message', { clientId, content });
  expect(again).toMatchObject({ ok: true, message: { seq: 2 } });
  expect((await rowWith(agent, chatId, 2)).chat).toMatchObject({ unread: 2, lastMessage: content });
  await until(async () => agent.heard('new_message').some(({ message }) => message.clientId === clientId));
  const finds = async () => (await server.api('GET /search?q=get%20this%20one', { token: owner.token })).body.data;
  await until(async () => JSON.stringify(await finds()).includes(chatId));
});

test('a message that was announced is not counted again when its chat row is caught up', async () => {
  const { visitorToken } = await visit(server.api, site);
  const vera = await connectVisitor(server.url, visitorToken);
  const { chat } = await send(vera, 'The first');
  await send(vera, 'The second');
  const row = await until(async () => ChatModel.findOne({ _id: chat._id, lastSeq: 2 }).lean<ChatDoc>());
  const counted = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return metrics.match(/^parley_messages_stored_total\{sender="visitor"\} (\d+)$/m)?.[1];
  };
  const before = await counted();
  expect(Number(before)).toBeGreaterThan(0);
  await ChatModel.updateOne({ _id: chat._id }, { lastSeq: 1 });
  chatCache.forget(chat._id);
  const doc = await SiteModel.findById(site._id).lean<SiteDoc>();
  await catchUp({ chat: row, site: doc as SiteDoc }, 2);
  await until(async () => ChatModel.findOne({ _id: chat._id, lastSeq: 2 }).lean<ChatDoc>());
  expect(await counted()).toBe(before);
});

async function findsOfReconciler(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(metrics.match(/^parley_reconciler_finds_total\{projection="chatRows"\} (\d+)$/m)?.[1] ?? 0);
}

test('the reconciler processes a message that was stored but never processed or retried, and counts it', async () => {
  const agent = await connectStaff(server.url, owner.token);
  const { chatId } = await unfollowed(2, 'And then silence');
  const before = await findsOfReconciler();
  await lookBack();
  expect((await rowWith(agent, chatId, 2)).chat).toMatchObject({ unread: 2, lastMessage: 'And then silence' });
  const told = agent.heard('chat_updated').length;
  expect(await findsOfReconciler()).toBe(before + 1);
  await lookBack();
  expect(agent.heard('chat_updated').length).toBe(told);
  expect(await findsOfReconciler()).toBe(before + 1);
});

test('the reconciler closes a chat whose closing message is stored', async () => {
  const agent = await connectStaff(server.url, owner.token);
  const { chatId } = await unfollowed(2, 'Chat closed');
  await MessageModel.collection.updateOne(
    { chat: new Types.ObjectId(chatId), seq: 2 },
    {
      $set: {
        sender: 'system',
        event: 'closed',
        author: new Types.ObjectId(owner.user._id),
        authorName: owner.user.name,
      },
    },
  );
  await lookBack();
  const closed = await until(async () => agent.heard('chat_closed').find((fact) => fact.chatId === chatId));
  expect(closed.closedBy).toEqual({ _id: owner.user._id, name: owner.user.name });
  const first = await MessageModel.findOne({ chat: chatId, seq: 1 }).lean();
  expect((await rowWith(agent, chatId, 2)).chat.lastMessage).toBe(first?.content);
});

test('messages of a deleted chat are not taken for others that were lost', () => {
  const [kept, deleted] = [new Types.ObjectId(), new Types.ObjectId()];
  const finished = new ProcessedMessages();
  const finish = (chat: Types.ObjectId) => finished.add({ _id: new Types.ObjectId(), chat });
  for (const chat of [kept, deleted, deleted]) finish(chat);
  finished.forget(deleted.toHexString());
  finish(deleted);
  expect(finished.count({ after: 0, until: Number.POSITIVE_INFINITY })).toBe(1);
});

test('of a batch of rows only the one that another node has changed is read again', async () => {
  const unwritten = await Promise.all(Array.from({ length: 5 }, () => unfollowed(2, 'One more')));
  const contents = await Promise.all(
    unwritten.map(({ clientId }) => MessageModel.find({ clientId }).lean<MessageDoc[]>()),
  );
  const ids = unwritten.map(({ chatId }) => chatId);
  // Counting chats for the figures follows a moment later, and drops them from the cache.
  await until(async () => !(await ChatModel.exists({ _id: { $in: ids }, uncounted: { $exists: true } })));
  for (const id of ids) chatCache.forget(id);
  const [changed] = await Promise.all(ids.map((id) => chatCache.find(id)));
  await ChatModel.collection.updateOne(
    { _id: changed?._id as Types.ObjectId },
    { $inc: { rev: 1 }, $set: { tags: ['urgent'] } },
  );

  const stored = await SiteModel.findById(site._id).orFail().lean<SiteDoc>();
  const whole: string[][] = [];
  mongoose.set('debug', (collection: string, method: string, filter, options) => {
    if (collection === 'chats' && method === 'find' && Object.keys(options.projection).length === 0)
      whole.push(filter._id.$in.map((id: Types.ObjectId) => id.toHexString()));
  });
  const written = await Promise.all(
    contents.map((messages) =>
      writeInto(messages[0]?.chat as Types.ObjectId, { site: stored, messages, receipts: NO_RECEIPTS }),
    ),
  );
  mongoose.set('debug', false);
  expect(whole).toEqual([[ids[0]]]);
  expect(written.map((row) => row?.chat.lastSeq)).toEqual([2, 2, 2, 2, 2]);
  expect(written[0]?.chat).toMatchObject({ tags: ['urgent'], unread: 2 });
  for (const row of written) expect(chatCache.get(row?.chat._id.toHexString() ?? '')).toEqual(row?.chat);
});

test('a round of the reconciler with nothing new sends no query', async () => {
  const later = Math.floor(Date.now() / 1000) + 1_000;
  const round = {
    count: countStored,
    until: later + 10,
    stable: later + 10,
    isFull: false,
    signal: new AbortController().signal,
  };
  const queries: string[] = [];
  // The server's own rounds may come in between: they neither begin there nor know the other projection.
  const start = lastIdOf(later).toHexString();
  mongoose.set('debug', (collection: string, method: string, ...given: unknown[]) => {
    const text = JSON.stringify(given);
    if (text.includes(start) || text.includes('"others"')) queries.push(`${collection}.${method}`);
  });
  const table = [chatRows, { ...chatRows, name: 'others' }];
  const checkpoints = new Checkpoints();
  for (const { name } of table) checkpoints.move(name, later);
  await reconcile(table, round, checkpoints);
  expect(queries).toEqual([]);
  await reconcile(table, { ...round, count: async () => 1 }, checkpoints);
  expect(queries).not.toEqual([]);
  mongoose.set('debug', false);
});

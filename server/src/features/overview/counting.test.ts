import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { reconcileNow } from '#test/rounds';
import type { Site, VisitorSession } from '../../../contract.ts';
import { RemovalModel } from '../chats/lists/removals.ts';
import { type MessageDoc, MessageModel } from '../chats/messageModel.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { chatRows } from '../chats/row/rowRepair.ts';
import { finishNewest } from './batches.ts';
import { countBatch, figures, MARKED } from './count.ts';
import { BatchModel, CountedModel, FigureModel, type Growth } from './model.ts';
import { countedOf, growthsOf } from './tally.ts';

/** More turns of the event loop than the reads of one batch take. */
const TURNS_OF_A_BATCH = 40;
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server.api);
});
afterAll(() => server.stop());

const answer = ({ _id }: { _id: string }) =>
  server.api(`POST /chats/${_id}/messages`, { token: owner.token, body: { content: 'Hello' } });

/** Waits until the rows have so many answers. */
const answered = (site: Site, count: number) =>
  until(async () =>
    (await ChatModel.countDocuments({ site: site._id, firstResponseAt: { $exists: true } })) === count ? true : null,
  );

const sorted = (growths: Growth[]) =>
  growths
    .flatMap(({ day, by }) => by.map(({ figure, more }) => `${day} ${figure}: ${more}`))
    .sort((a, b) => a.localeCompare(b));

/** The figures of a site as they are stored. */
async function stored({ _id }: Site): Promise<string[]> {
  const figures = await FigureModel.find({ site: _id }).lean();
  return sorted(figures.map(({ _id, site, day, applied, ...counts }) => ({ site, day, by: flat(counts) })));
}

/** The counts that are not 0, by their paths. */
const flat = (counts: object, of = ''): Growth['by'] =>
  Object.entries(counts).flatMap(([name, more]) => {
    if (typeof more === 'object') return flat(more, `${of}${name}.`);
    return more === 0 ? [] : [{ figure: `${of}${name}`, more }];
  });

/** The figures of a site as its chats say. */
async function recounted({ _id }: Site): Promise<string[]> {
  const chats = await ChatModel.find({ site: _id }).lean<ChatDoc[]>();
  const growths = growthsOf(chats.map((chat) => ({ before: null, after: countedOf(chat, null) })));
  return sorted(growths.filter(({ site }) => site.equals(_id)));
}

const isRight = async (site: Site) => {
  const [now, wanted] = [await stored(site), await recounted(site)];
  return (await ChatModel.exists({ site: site._id, ...MARKED })) === null && now.join() === wanted.join();
};

/** From here on the store refuses a second document of this site. @returns ends that */
async function refuse({ collection }: typeof FigureModel | typeof CountedModel, { _id }: Site) {
  const only = { partialFilterExpression: { site: new Types.ObjectId(_id) } };
  await collection.createIndex({ site: 1 }, { unique: true, name: 'refusing', ...only });
  return () => collection.dropIndex('refusing');
}

test.each([
  ['figures', () => FigureModel],
  ['notes of what is counted', () => CountedModel],
])('%s are complete after the store refused writes for a while', async (_what, model) => {
  const site = await createSite(server.api, owner.token);
  // `countedChats` has an index by site already: the refusing one takes its place.
  if (model() === CountedModel) await CountedModel.collection.dropIndex('site_1');
  const allow = await refuse(model(), site);
  const chats = [await newChat(server.api, site, owner.token), await newChat(server.api, site, owner.token)];
  await Promise.all(chats.map(answer));
  await answered(site, 2);
  await until(async () => (await ChatModel.exists({ site: site._id, ...MARKED })) !== null);
  expect(await isRight(site)).toBe(false);
  await allow();
  await until(() => isRight(site));
  expect((await stored(site)).filter((line) => line.startsWith('all'))).toEqual(['all chats: 2', 'all named: 2']);
});

test('a batch that a crash interrupted at any point is counted once', async () => {
  const site = await createSite(server.api, owner.token);
  const { _id } = await newChat(server.api, site, owner.token);
  await until(() => isRight(site));
  const right = await stored(site);
  const newest = await finishNewest();
  const number = newest.number + 1;
  // Stored, and only a part of it done: the process that counted the chat died there.
  const [done] = await FigureModel.find({ site: site._id }).lean();
  await FigureModel.deleteMany({ site: site._id });
  await CountedModel.deleteOne({ _id });
  if (done) await FigureModel.collection.insertOne({ ...done, applied: number });
  const chat = await ChatModel.findById(_id).lean<ChatDoc>();
  const counted = chat && countedOf(chat, null);
  const growths = growthsOf([{ before: null, after: counted }]).filter((growth) => growth.site.equals(site._id));
  await BatchModel.updateOne({ _id: newest._id }, { $set: { number, growths, counted: counted ? [counted] : [] } });
  await finishNewest();
  expect(await stored(site)).toEqual(right);
  expect(await CountedModel.countDocuments({ _id })).toBe(1);
});

test('a batch that a slow node applies after later ones does not bring back a deleted chat', async () => {
  const site = await createSite(server.api, owner.token);
  const { _id } = await newChat(server.api, site, owner.token);
  await until(() => isRight(site));
  const late = await finishNewest();
  expect(late.counted.map((chat) => chat._id.toHexString())).toEqual([_id]);
  await server.api(`DELETE /chats/${_id}`, { token: owner.token });
  await until(async () => (await isRight(site)) && (await CountedModel.exists({ _id, goneAt: null })) === null);
  await newChat(server.api, site, owner.token);
  await until(() => isRight(site));
  const { _id: newest, ...next } = await finishNewest();
  await BatchModel.replaceOne({ _id: newest }, late);
  await finishNewest();
  await BatchModel.replaceOne({ _id: newest }, next);
  await finishNewest();
  expect(await CountedModel.countDocuments({ _id, goneAt: null })).toBe(0);
  expect(await isRight(site)).toBe(true);
});

test('while all chats are counted anew, an answer counts that comes before its row', async () => {
  const site = await createSite(server.api, owner.token);
  const { _id } = await newChat(server.api, site, owner.token);
  await until(() => isRight(site));
  const hello = await until(async () => MessageModel.findOne({ chat: _id }).lean<MessageDoc>());
  const createdAt = new Date(hello.createdAt.getTime() + 1_000);
  const more = { _id: new Types.ObjectId(), seq: 2, sender: 'agent' as const, clientId: 'answer', createdAt };
  await MessageModel.collection.insertOne({ ...hello, ...more });
  await ChatModel.updateOne({ _id }, { $set: { uncounted: new Types.ObjectId() } });
  await BatchModel.updateOne({}, { $set: { recountedTo: new Types.ObjectId('0'.repeat(24)) } });
  while (await countBatch());
  await reconcileNow(chatRows);
  await answered(site, 1);
  while (await countBatch());
  await until(() => isRight(site));
});

test('a node of an earlier version leaves counting to the later one', async () => {
  const { _id, version } = await finishNewest();
  await BatchModel.updateOne({ _id }, { $set: { version: version + 1 } });
  const site = await createSite(server.api, owner.token);
  await newChat(server.api, site, owner.token);
  expect(await countBatch()).toBe(false);
  expect(await stored(site)).toEqual([]);
  await BatchModel.updateOne({ _id }, { $set: { version } });
  await until(async () => !(await countBatch()) && (await isRight(site)));
});

test('a chat that is deleted while it is counted counts nowhere, whatever was read before', async () => {
  const site = await createSite(server.api, owner.token);
  const { _id: chatId } = await newChat(server.api, site, owner.token);
  await until(() => isRight(site));
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  for (let turns = 0; turns < TURNS_OF_A_BATCH; turns++) {
    const _id = new Types.ObjectId();
    const copy = {
      ...chat,
      _id,
      site: new Types.ObjectId(site._id),
      visitor: new Types.ObjectId(),
      uncounted: new Types.ObjectId(),
    };
    await ChatModel.collection.insertOne(copy);
    await RemovalModel.create({ _id, site: copy.site, bot: false, at: new Date(), uncounted: new Types.ObjectId() });
    const counting = countBatch();
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await ChatModel.deleteOne({ _id });
    await counting;
  }
  while (await countBatch());
  await until(() => isRight(site));
  expect(await CountedModel.countDocuments({ site: site._id, goneAt: null })).toBe(1);
});

const close = (chatId: string, token = owner.token) => server.api(`POST /chats/${chatId}/close`, { token });
const rate = (site: Site, { visitorToken }: VisitorSession, chatId: string, score: number) =>
  server.api(`POST /widget/${site.widgetCode}/rating`, { token: visitorToken, body: { chatId, score } });

/** What is counted by agent, without half hours and durations. */
async function byAgent(site: Site): Promise<string[]> {
  const told = (await stored(site)).map((line) =>
    /^\S+ by\.(\w+)\.(\w+)\.h\d+\.(?:(s\d)|b\d+): (\d+)$/.exec(line)?.slice(1),
  );
  return told.flatMap((parts) => (parts ? parts.filter(Boolean).join(' ') : [])).sort();
}

test('answers, closes and ratings count for their agents: also after a transfer, a reopening, another rating, and without an account', async () => {
  const site = await createSite(server.api, owner.token);
  const ben = await signUp(server.api, 'Ben Okafor');
  await join(site, ben, 'agent');
  const [ana, its] = [owner.user._id, ben.user._id];
  const session = await visit(server.api, site);
  const chatId = await say(server.api, site, session, 'Hello');
  const shows = (...wanted: string[]) =>
    until(async () => (await byAgent(site)).join() === wanted.sort().join() && (await isRight(site)));
  await answer({ _id: chatId });
  await server.api(`POST /chats/${chatId}/transfer`, { token: owner.token, body: { userId: its } });
  await rate(site, session, chatId, 2);
  await shows(`${ana} answered 1`, 'none ratings s2 1');
  await close(chatId, ben.token);
  await shows(`${ana} answered 1`, `${its} ratings s2 1`, `${its} resolved 1`);
  await rate(site, session, chatId, 5);
  await shows(`${ana} answered 1`, `${its} ratings s5 1`, `${its} resolved 1`);
  await server.api(`POST /chats/${chatId}/reopen`, { token: owner.token });
  await shows(`${ana} answered 1`, `${its} ratings s5 1`, `${its} resolved 1`);
  await answer({ _id: chatId });
  await close(chatId);
  await shows(`${ana} answered 1`, `${ana} resolved 1`, `${its} ratings s5 1`, `${its} resolved 1`);

  const other = await say(server.api, site, await visit(server.api, site), 'Anybody there?');
  await server.api(`POST /chats/${other}/messages`, { token: ben.token, body: { content: 'Yes' } });
  await close(other, ben.token);
  const leave = { token: ben.token, body: { currentPassword: ben.password } };
  expect((await server.api('DELETE /auth/account', leave)).status).toBe(200);
  const left = [`${its} answered 1`, `${its} resolved 1`];
  await shows(`${ana} answered 1`, `${ana} resolved 1`, ...left.with(1, `${its} resolved 2`), `${its} ratings s5 1`);
  await server.api(`DELETE /chats/${chatId}`, { token: owner.token });
  await shows(...left);

  await BatchModel.deleteMany({});
  await Promise.all([countBatch(), countBatch()]);
  await until(async () => !(await countBatch()));
  expect(await byAgent(site)).toEqual(left);
});

test('a close and a rating are counted by the reconciler after a crash before they were counted', async () => {
  const site = await createSite(server.api, owner.token);
  const session = await visit(server.api, site);
  const chatId = await say(server.api, site, session, 'Hello');
  await answer({ _id: chatId });
  await answered(site, 1);
  await until(() => isRight(site));
  const { _id, version } = await finishNewest();
  // Nothing is counted by this node from here on.
  await BatchModel.updateOne({ _id }, { $set: { version: version + 1 } });
  const mark = async () => String((await ChatModel.findById(chatId).lean<ChatDoc>())?.uncounted);
  await close(chatId);
  const afterClose = await mark();
  await rate(site, session, chatId, 4);
  expect(new Set(['undefined', afterClose, await mark()]).size).toBe(3);
  expect(await byAgent(site)).toEqual([`${owner.user._id} answered 1`]);
  await BatchModel.updateOne({ _id }, { $set: { version } });
  await reconcileNow(figures);
  expect(await isRight(site)).toBe(true);
  expect((await byAgent(site)).map((line) => line.slice(25))).toEqual(['answered 1', 'ratings s4 1', 'resolved 1']);
});

test('two nodes that count at the same time count each chat once, and no deleted ones', async () => {
  const site = await createSite(server.api, owner.token);
  const add = { token: owner.token, body: { name: 'Orders' } };
  const [department] = (await server.api(`POST /sites/${site._id}/departments`, add)).body.data.departments;
  const move = (chatId: string, id: string | null) =>
    server.api(`PUT /chats/${chatId}/department`, { token: owner.token, body: { department: id } });
  let isOver = false;
  const count = async () => {
    while (!isOver || (await countBatch())) await countBatch();
  };
  const nodes = [count(), count()];
  await Promise.all(
    Array.from({ length: 24 }, async (_, at) => {
      const session = await visit(server.api, site, at % 3 === 0 ? { visitor: { name: 'Vera' } } : {});
      const _id = await say(server.api, site, session, 'Hello');
      if (at % 3 === 1) await visit(server.api, site, { visitorToken: session.visitorToken, visitor: { name: 'Uma' } });
      if (at % 2 === 0) await answer({ _id });
      if (at % 2 === 1) await rate(site, session, _id, 1 + (at % 5));
      if (at % 4 < 2) await move(_id, department._id);
      if (at % 3 === 2) await close(_id);
      if (at % 6 === 5) await server.api(`POST /chats/${_id}/reopen`, { token: owner.token });
      if (at % 8 === 1) await move(_id, null);
      if (at % 2 === 1) await rate(site, session, _id, 1 + (at % 4));
      if (at % 4 === 3) await server.api(`DELETE /chats/${_id}`, { token: owner.token });
    }),
  );
  await answered(site, 12);
  isOver = true;
  await Promise.all(nodes);
  await until(() => isRight(site));
  expect((await stored(site)).filter((line) => line.startsWith('all'))).toEqual(['all chats: 18', 'all named: 12']);
  // Applied at the same time as the figures.
  await until(async () => (await CountedModel.countDocuments({ site: site._id, goneAt: null })) === 18);
});

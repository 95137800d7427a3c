import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Site } from '../../contract.ts';
import { type Account, createSite, newChat, say, signUp, until, visit } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { reconcileNow } from '../../test/rounds.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { RemovalModel } from '../chats/removals.ts';
import { chatRows } from '../chats/rowRepair.ts';
import { finishNewest } from './batches.ts';
import { countBatch, MARKED } from './count.ts';
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
  return sorted(
    figures.map(({ site, day, chats, named, begun = {}, answered: responses = {} }) => ({
      site,
      day,
      by: [
        ...Object.entries({ chats, named }).map(([figure, more = 0]) => ({ figure, more })),
        ...Object.entries(begun).map(([slot, more]) => ({ figure: `begun.${slot}`, more })),
        ...Object.entries(responses).flatMap(([slot, buckets]) =>
          Object.entries(buckets).map(([bucket, more]) => ({ figure: `answered.${slot}.${bucket}`, more })),
        ),
      ].filter(({ more }) => more !== 0),
    })),
  );
}

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
  await until(() => isRight(site));
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

test('two nodes that count at the same time count each chat once, and no deleted ones', async () => {
  const site = await createSite(server.api, owner.token);
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

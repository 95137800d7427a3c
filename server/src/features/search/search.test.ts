import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { reconcileNow } from '#test/rounds';
import type { Chat, SearchFinds, Site } from '../../../contract.ts';
import { CheckpointModel } from '../../platform/work/checkpoints.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { SiteModel } from '../sites/model.ts';
import { chatsFilter, searchChats } from './find.ts';
import { searchIndex } from './indexer.ts';
import { BY_WORD, ChatWordsModel } from './model.ts';
import { BY_ID, wordFilter, wordsBetween } from './sources.ts';
import { matchesTerm, termsOf, wordsOf } from './words.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const ids = async (call: string, { token } = owner) => {
  const { body } = await server.api(call, { token });
  return body.data.chats.map(({ _id }: Chat) => _id) as string[];
};
const listed = (search: string, more = '') => ids(`GET /chats?search=${encodeURIComponent(search)}${more}`);
const find = async (q: string, { token } = owner) =>
  (await server.api(`GET /search?q=${encodeURIComponent(q)}`, { token })).body.data as SearchFinds;

/** A chat that the index knows all words of. */
async function indexedChat(name: string, email: string, ...messages: string[]): Promise<string> {
  const session = await visit(server.api, site, { visitor: { name, email } });
  let id = '';
  for (const message of messages) id = await say(server.api, site, session, message);
  await indexed(id, ...messages, name, email);
  return id;
}

async function indexed(chat: string, ...texts: string[]): Promise<unknown> {
  const words = [...new Set(texts.flatMap((text) => wordsOf(text)))];
  // Whoever searches does not wait for the words' turn.
  await listed('hurry');
  return until(async () => words.length === 0 || ChatWordsModel.exists({ _id: chat, words: { $all: words } }));
}

describe('search in lists', () => {
  test('finds chats by message, name and email, matching every word', async () => {
    const vera = await indexedChat('Vera Lund', 'vera@example.com', 'Where is my refund?', 'Order 4711');
    const omar = await indexedChat('Omar', 'omar@example.net', 'A refund, please', 'أين طلبي');
    expect(await listed('REFUND')).toEqual([omar, vera]);
    expect(await listed('refund 4711')).toEqual([vera]);
    expect(await listed('vera@exam')).toEqual([vera]);
    expect(await listed('lund ref')).toEqual([vera]);
    expect(await listed('example')).toEqual([omar, vera]);
    expect(await listed('طلب')).toEqual([omar]);
    expect(await listed('refund nowhere')).toEqual([]);
    expect(await ids(`GET /chats/site/${site._id}?search=4711`)).toEqual([vera]);
    expect(await ids(`GET /chats/site/${site._id}?search=refund&status=closed`)).toEqual([]);
  });

  test('treats special characters literally: without a word nothing is found, and an empty search filters nothing', async () => {
    const chat = await indexedChat('Ines', 'ines@example.org', 'Price is 100% (really)');
    for (const search of ['.*', '^', '$', '%', '()', '\\']) expect(await listed(search)).toEqual([]);
    expect(await listed('100% (really)')).toEqual([chat]);
    expect(await listed('   ')).toContain(chat);
  });

  test('has pages without gaps or duplicates', async () => {
    const chats: string[] = [];
    for (let i = 0; i < 5; i++) chats.unshift(await indexedChat('Paul', 'p@example.com', `paging pager${i}`));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await server.api(`GET /chats?search=pag&limit=2${cursor}`, { token: owner.token });
      expect(body.data.chats.length).toBeLessThanOrEqual(2);
      seen.push(...body.data.chats.map(({ _id }: Chat) => _id));
      cursor = body.data.nextCursor && `&cursor=${body.data.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual(chats);
    const bad = await server.api('GET /chats?search=pag&cursor=nonsense', { token: owner.token });
    expect([bad.status, bad.body.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  test.each(['search=a&search=b', `search=${'x'.repeat(201)}`])('refuses the query ?%s', async (query) => {
    expect((await server.api(`GET /chats?${query}`, { token: owner.token })).status).toBe(422);
  });

  test('does not find chats of other teams or of bots', async () => {
    const stranger = await signUp(server.api);
    await createSite(server.api, stranger.token);
    const chat = await indexedChat('Kim', 'kim@example.com', 'confidential');
    expect(await listed('confidential')).toEqual([chat]);
    expect(await ids('GET /chats?search=confidential', stranger)).toEqual([]);
    const machine = { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    const opened = await server.api(`POST /widget/${site.widgetCode}/session`, { body: {}, headers: machine });
    const crawled = await say(server.api, site, opened.body.data, 'confidential crawl');
    await indexedChat('Kim', 'kim@example.com', 'afterwards');
    expect(await ChatWordsModel.exists({ _id: crawled })).toBeNull();
  });

  test('does not find a deleted chat', async () => {
    const chat = await indexedChat('Lea', 'lea@example.com', 'erasable');
    expect((await server.api(`DELETE /chats/${chat}`, { token: owner.token })).status).toBe(200);
    expect(await listed('erasable')).toEqual([]);
    await until(async () => (await ChatWordsModel.exists({ _id: chat })) === null);
  });
});

describe('search in the top bar', () => {
  test('finds chats, messages, sites and people', async () => {
    const chat = await indexedChat(
      'Zoe Quill',
      'zoe@example.com',
      'first',
      `${'padding '.repeat(40)} a zebra crossing`,
    );
    const finds = await find('zebra');
    // What is found as a message is not listed a second time as a chat.
    expect(finds.chats).toEqual([]);
    expect(finds.messages).toEqual([
      {
        chatId: chat,
        siteName: site.name,
        visitorName: 'Zoe Quill',
        seq: 2,
        sender: 'visitor',
        excerpt: expect.stringMatching(/^….*a zebra crossing$/),
        timestamp: expect.any(String),
      },
    ]);
    const byName = await find('quill');
    expect([byName.chats.map(({ _id }) => _id), byName.messages]).toEqual([[chat], []]);

    const ben = await signUp(server.api, 'Ben Zimmer');
    await join(site, ben, 'viewer');
    expect((await find('zim be')).people).toEqual([{ _id: ben.user._id, name: 'Ben Zimmer', email: ben.user.email }]);
    expect((await find('corner')).sites).toEqual([{ _id: site._id, name: site.name, domain: site.domain }]);
    expect((await find('zebra', ben)).messages).toHaveLength(1);
  });

  test('shows at most five of each, and nothing to a stranger', async () => {
    for (let i = 0; i < 6; i++) await indexedChat(`Many ${i}`, 'm@example.com', 'multitude');
    const finds = await find('multitude');
    expect([finds.chats.length, finds.messages.length]).toEqual([1, 5]);
    expect((await find('many')).chats).toHaveLength(5);
    const stranger = await signUp(server.api);
    for (const q of ['multitude', 'corner', 'ana', '', '.*']) {
      const none = q === 'ana' ? await find('multitude corner', stranger) : await find(q, stranger);
      expect(none).toEqual({ chats: [], messages: [], sites: [], people: [] });
    }
  });

  test('stays fast with texts made to be slow', async () => {
    const dear = [`o${'\u0301\u0316'.repeat(2_490)}rderbomb`, `${'\uFDFA'.repeat(4_980)} orderbomb`];
    const chats: string[] = [];
    for (const content of dear) {
      const session = await visit(server.api, site);
      for (let i = 0; i < 5; i++) chats.push(await say(server.api, site, session, `orderbomb ${i}`));
      await say(server.api, site, session, content);
    }
    for (const chat of new Set(chats)) await indexed(chat, 'orderbomb 4');
    const standstill = monitorEventLoopDelay({ resolution: 5 });
    standstill.enable();
    const finds = await find('orderbomb');
    standstill.disable();
    expect(finds.messages).toHaveLength(2);
    // Far more than it takes on any machine, and far less than the half minute that it took once. In nanoseconds.
    expect(standstill.max).toBeLessThan(2e9);
  });

  test('needs a session and exactly one search string', async () => {
    expect((await server.api('GET /search?q=a')).status).toBe(401);
    expect((await server.api('GET /search?q[$ne]=a', { token: owner.token })).status).toBe(200);
    expect((await server.api('GET /search?q=a&q=b', { token: owner.token })).status).toBe(422);
    expect((await server.api(`GET /search?q=${'x'.repeat(201)}`, { token: owner.token })).status).toBe(422);
  });
});

describe('the search index', () => {
  test('has what was said before, for each of many who search at once', async () => {
    const session = await visit(server.api, site);
    const chat = await say(server.api, site, session, 'onceforall');
    const all = await Promise.all(Array.from({ length: 20 }, () => listed('onceforall')));
    expect(all).toEqual(all.map(() => [chat]));
  });

  test('is rebuilt from the messages when it is missing', async () => {
    const chat = await indexedChat('Nora', 'nora@example.com', 'regenerated');
    await ChatWordsModel.deleteMany({});
    await CheckpointModel.deleteOne({ _id: 'search' });
    expect(await listed('regenerated')).toEqual([]);
    await until(async () => !(await reconcileNow(searchIndex)));
    await indexed(chat, 'Nora', 'nora@example.com', 'regenerated');
    expect(await listed('regenerated')).toEqual([chat]);
  });

  test('gets what was lost before it was written, without a restart', async () => {
    const chat = await indexedChat('Noor', 'noor@example.com', 'beforehand');
    const stored = await MessageModel.findOne({ chat }).orFail().lean();
    const lost = { _id: new Types.ObjectId(), seq: 2, clientId: randomUUID(), content: 'recoverable' };
    await MessageModel.collection.insertOne({ ...stored, ...lost } as never);
    await reconcileNow(searchIndex);
    expect(await listed('recoverable')).toEqual([chat]);
  });

  test('is used by every query', async ({ skip }) => {
    await needPlans(skip);
    const siteIds = [new Types.ObjectId(site._id), new Types.ObjectId()];
    const [one] = siteIds as [Types.ObjectId];
    const ordered = ChatWordsModel.find(wordFilter(one, 'a', new Types.ObjectId()))
      .sort({ _id: -1 })
      .hint(BY_WORD);
    const prefix = ChatWordsModel.find(wordsBetween(one, { $gte: 'a', $lt: 'b' })).hint(BY_WORD);
    const met = ChatWordsModel.find({ _id: { $in: siteIds }, words: { $in: ['a', 'b'] } }).hint(BY_ID);
    const read = MessageModel.find({ _id: { $gt: new Types.ObjectId() } }).sort({ _id: 1 });
    const mine = chatsFilter(siteIds, { site: { $in: siteIds }, bot: false, status: { $in: ['closed'] } });
    const chats = await ChatModel.find(mine).hint(BY_ID).explain('executionStats');
    expect(chats).toMatchObject({ executionStats: { totalDocsExamined: 0 } });
    expect(JSON.stringify(chats)).not.toMatch(/COLLSCAN|"SORT"/);
    for (const query of [ordered, prefix, met, read as unknown as typeof met]) {
      const plan = JSON.stringify(await query.limit(100).explain('queryPlanner'));
      expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
    }
  });

  test('finds the same as a scan of all words, in the order of the chats', async () => {
    const many = await createSite(server.api, owner.token, 'Many');
    const doc = await SiteModel.findById(many._id).lean();
    const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'refund', 'refunds', '退款', '款', 'ж');
    const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 40 });
    const searches = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 6 });
    const [chat] = [await newChat(server.api, many, owner.token)];
    const { _id: _, ...model } = (await ChatModel.findById(chat._id).lean()) ?? {};
    await fc.assert(
      fc.asyncProperty(texts, searches, fc.integer({ min: 1, max: 7 }), async (chats, asked, limit) => {
        const held = chats.map((words) => ({ _id: new Types.ObjectId(), words: wordsOf(words.join(' ')) }));
        await ChatWordsModel.deleteMany({ site: many._id });
        await ChatModel.deleteMany({ site: many._id });
        await ChatModel.collection.insertMany(
          held.map(({ _id }) => ({ ...model, site: new Types.ObjectId(many._id), _id, open: false })),
        );
        await ChatWordsModel.insertMany(held.map(({ _id, words }) => ({ _id, site: many._id, words })));
        for (const words of asked) {
          const search = words.join(' ');
          const plain = held
            .filter((one) => termsOf(search).every((term) => matchesTerm(one.words, term)))
            .map(({ _id }) => _id.toHexString())
            .reverse();
          expect(await allPages(search, limit)).toEqual(plain);
        }
      }),
      { numRuns: 15 },
    );

    async function allPages(search: string, limit: number): Promise<string[]> {
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await searchChats(doc ? [doc] : [], {}, { search, limit, ...(cursor ? { cursor } : {}) });
        seen.push(...page.items.map(({ _id }) => _id.toHexString()));
        cursor = page.nextCursor;
      }
      return seen;
    }
  });
});

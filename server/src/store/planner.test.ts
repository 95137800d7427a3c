import { ObjectId } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from './testing.ts';

type Doc = Record<string, unknown>;

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open.close());

describe('the query planner reads little', () => {
  const sites = ['s1', 's2', 's3'];
  const chats = () => open.db.collection('chats');
  const stats = async (filter: Doc, order: Doc, limit: number) => {
    const { queryPlanner, executionStats } = await chats()
      .find(filter)
      .sort(order as never)
      .limit(limit)
      .explain('executionStats');
    return { ...executionStats, plan: JSON.stringify(queryPlanner.winningPlan) };
  };

  beforeAll(async () => {
    await chats().createIndexes([
      { key: { site: 1, bot: 1, lastActivity: -1, _id: -1 } },
      { key: { email: 1 }, unique: true, partialFilterExpression: { email: { $exists: true } } },
      { key: { tags: 1 } },
    ]);
    const docs = Array.from({ length: 6000 }, (_, i) => ({
      site: sites[i % 3],
      bot: i % 10 === 0,
      lastActivity: new Date((i * 7919) % 6000),
      email: i % 2 ? `p${i}@example.com` : undefined,
      tags: [`t${i % 100}`, 'all'],
    }));
    await chats().insertMany(docs, { ignoreUndefined: true });
  });

  test('a range of one element of an array is bounded on both sides', async () => {
    const run = await stats({ tags: { $elemMatch: { $gte: 't9', $lt: 't91' } } }, {}, 0);
    expect(run).toMatchObject({ nReturned: 120, totalKeysExamined: 120, totalDocsExamined: 120 });
  });

  test('an inbox over several sites merges their index ranges', async () => {
    const filter = { site: { $in: sites }, bot: false };
    const order = { lastActivity: -1, _id: -1 };
    const run = await stats(filter, order, 50);
    expect(run).toMatchObject({ nReturned: 50, totalKeysExamined: 50, totalDocsExamined: 50 });
    expect(run.plan).toContain('SORT_MERGE');
    const all = await chats().find(filter).toArray();
    const sorted = all.sort(
      (x, y) => y.lastActivity - x.lastActivity || (x._id.toString() < y._id.toString() ? 1 : -1),
    );
    const page = await chats().find(filter).sort({ lastActivity: -1, _id: -1 }).limit(50).toArray();
    expect(page.map(({ _id }) => _id)).toEqual(sorted.slice(0, 50).map(({ _id }) => _id));
    const backwards = await chats().find(filter).sort({ lastActivity: 1, _id: 1 }).limit(50).toArray();
    expect(backwards.map(({ _id }) => _id)).toEqual(
      sorted
        .slice(-50)
        .reverse()
        .map(({ _id }) => _id),
    );
  });

  test('the next page starts where the last one ended', async () => {
    const filter = { site: { $in: sites }, bot: false };
    const order = { lastActivity: -1 as const, _id: -1 as const };
    const all = await chats().find(filter).sort(order).toArray();
    const { lastActivity, _id } = all[2499] as (typeof all)[number];
    const after = {
      lastActivity: { $lte: lastActivity },
      $or: [{ lastActivity: { $lt: lastActivity } }, { lastActivity, _id: { $lt: _id } }],
    };
    const page = await chats()
      .find({ ...filter, ...after })
      .sort(order)
      .limit(50)
      .toArray();
    expect(page.map((chat) => chat._id)).toEqual(all.slice(2500, 2550).map((chat) => chat._id));
    const run = await stats({ ...filter, ...after }, order, 50);
    expect(run.totalKeysExamined).toBeLessThan(200);
  });

  test('a unique index is read at one key, with any other conditions and order', async () => {
    const items = open.db.collection<{ _id: number; a: number; b?: number }>(`c${new ObjectId()}`);
    await items.createIndex({ a: 1, b: 1 }, { unique: true });
    await items.insertMany(Array.from({ length: 40 }, (_, i) => ({ _id: i, a: i % 4, b: i })));
    for (const [more, found] of [
      [{ _id: { $gte: 0 } }, [6]],
      [{ _id: 6 }, [6]],
      [{ _id: { $lt: 6 } }, []],
    ] as const) {
      const docs = await items
        .find({ a: 2, b: 6, ...more })
        .hint('a_1_b_1')
        .sort({ _id: -1 })
        .toArray();
      expect(docs.map(({ _id }) => _id)).toEqual(found);
    }
    const order = { a: 1, b: -1, _id: 1 } as const;
    const { executionStats, queryPlanner } = await items.find({ a: 2 }).sort(order).limit(3).explain('executionStats');
    expect(executionStats).toMatchObject({ nReturned: 3, totalKeysExamined: 3 });
    expect(JSON.stringify(queryPlanner)).not.toContain('SORT');
    const merged = await items
      .find({ a: { $in: [1, 2] }, b: { $in: [5, 6] } })
      .sort({ _id: -1 })
      .toArray();
    expect(merged.map(({ _id }) => _id)).toEqual([6, 5]);
  });

  test('a count by equality reads keys only', async () => {
    const run = await open.db.command({
      explain: { count: 'chats', query: { site: 's1', bot: false } },
      verbosity: 'executionStats',
    });
    expect(run.queryPlanner.winningPlan).toMatchObject({ stage: 'COUNT', inputStage: { stage: 'COUNT_SCAN' } });
    expect(run.executionStats).toMatchObject({ totalKeysExamined: 1800, totalDocsExamined: 0 });
    expect(await chats().countDocuments({ site: 's1', bot: false })).toBe(1800);
    expect(await chats().countDocuments({ site: 's1', bot: false }, { limit: 100 })).toBe(100);
  });

  test('a partial index is used only when the filter implies its condition', async () => {
    const hit = await stats({ email: 'p1@example.com' }, {}, 1);
    expect(hit).toMatchObject({ nReturned: 1, totalKeysExamined: 1 });
    expect(hit.plan).toContain('email_1');
    expect((await stats({ email: null }, {}, 0)).plan).toContain('COLLSCAN');
  });

  test('an array index returns each document once', async () => {
    const run = await stats({ tags: { $in: ['t1', 't2', 'all'] } }, {}, 0);
    expect(run.nReturned).toBe(6000);
    expect(await chats().countDocuments({ tags: { $in: ['t1', 'all'] } })).toBe(6000);
    expect((await stats({ tags: 't5' }, {}, 0)).totalDocsExamined).toBe(60);
  });

  test('an $or of two indexed fields is read by index', async () => {
    const run = await stats({ $or: [{ email: 'p1@example.com' }, { tags: 't5' }] }, {}, 0);
    expect(run).toMatchObject({ nReturned: 61 });
    expect(run.plan).not.toContain('COLLSCAN');
  });
});

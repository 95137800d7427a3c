import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from './testing.ts';

type Doc = Record<string, unknown>;

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
  const docs = Array.from({ length: COUNT }, (_, i) => ({
    _id: i,
    site: i % 2,
    words: ['all', `word ${i % 10}`, `word ${(i + 1) % 10}`],
    at: (i * 7919) % COUNT,
  }));
  await chats().createIndexes([{ key: { site: 1, words: 1 } }, { key: { site: 1, words: 1, at: -1 } }]);
  await chats().insertMany(docs);
});
afterAll(() => open.close());

const COUNT = 400;
const BY_ID = { site: 1, words: 1 } as const;
const BY_TIME = { site: 1, words: 1, at: -1 } as const;
const chats = () => open.db.collection<{ _id: number } & Doc>('chats');
const ids = (docs: { _id: number }[]) => docs.map(({ _id }) => _id);

async function stats(filter: Doc, sort: Record<string, 1 | -1>, hint: Record<string, 1 | -1>, limit: number) {
  const query = chats().find(filter).sort(sort).hint(hint).limit(limit);
  const { queryPlanner, executionStats } = await query.explain('executionStats');
  const { totalKeysExamined, totalDocsExamined } = executionStats;
  return { keys: totalKeysExamined, docs: totalDocsExamined, plan: JSON.stringify(queryPlanner.winningPlan) };
}

/** What a query gives, checked against the same without an index. */
async function found(filter: Doc, sort: Record<string, 1 | -1>, hint: Record<string, 1 | -1>) {
  const docs = await chats().find(filter).sort(sort).hint(hint).toArray();
  expect(ids(docs)).toEqual(ids(await chats().find(filter).sort(sort).hint({ _id: 1 }).toArray()));
  return docs.length;
}

describe('an index over an array', () => {
  test('sorts by id after an equality', async () => {
    const filter = { site: 1, words: 'word 3' };
    expect(await found(filter, { _id: -1 }, BY_ID)).toBe(40);
    const first = await stats(filter, { _id: -1 }, BY_ID, 10);
    expect(first).toMatchObject({ keys: 10, docs: 10 });
    expect(first.plan).not.toContain('"SORT"');
  });

  test('continues from an id', async () => {
    const filter = { site: 1, words: 'word 3', _id: { $lt: 200 } };
    expect(await found(filter, { _id: -1 }, BY_ID)).toBe(20);
    expect(await stats(filter, { _id: -1 }, BY_ID, 10)).toMatchObject({ keys: 10, docs: 10 });
  });

  test('sorts by a later non-array field after an equality', async () => {
    const filter = { site: 1, words: 'word 3' };
    for (const sort of [{ at: -1 }, { at: 1 }, { at: -1, _id: -1 }] as never[]) await found(filter, sort, BY_TIME);
    expect(await stats(filter, { at: -1 }, BY_TIME, 10)).toMatchObject({ keys: 10, docs: 10 });
  });

  test('returns each document once and in order for several values', async () => {
    const filter = { site: 1, words: { $in: ['word 3', 'word 4', 'all'] } };
    expect(await found(filter, { _id: 1 }, BY_ID)).toBe(COUNT / 2);
    expect(await found(filter, { at: -1 }, BY_TIME)).toBe(COUNT / 2);
  });

  test('is not used to sort by the array', async () => {
    await found({ site: 1 }, { words: 1, _id: 1 }, BY_ID);
    await found({ site: 1, words: 'word 3' }, { words: 1, _id: 1 }, BY_ID);
    expect((await stats({ site: 1 }, { words: 1 }, BY_ID, 10)).plan).toContain('"SORT"');
  });

  test('counts one value by index keys alone', async () => {
    const explained = await open.db.command({
      explain: { count: 'chats', query: { site: 1, words: 'word 3' } },
      verbosity: 'executionStats',
    });
    expect(explained.executionStats).toMatchObject({ totalKeysExamined: 40, totalDocsExamined: 0 });
    expect(await chats().countDocuments({ site: 1, words: { $in: ['word 3', 'word 4'] } })).toBe(40);
    expect(await chats().countDocuments({ site: 1 })).toBe(COUNT / 2);
  });

  test('over subdocuments does not combine two elements', async () => {
    const items = open.db.collection('items');
    await items.createIndex({ 'e.c': 1, 'e.d': 1 });
    await items.insertMany([
      {
        n: 1,
        e: [
          { c: 1, d: 9 },
          { c: 9, d: 2 },
        ],
      },
      { n: 2, e: { c: 1, d: 2 } },
    ]);
    const filter = { 'e.c': 1, 'e.d': 2 };
    expect((await items.find(filter).sort({ n: 1 }).toArray()).map(({ n }) => n)).toEqual([1, 2]);
    expect(await items.countDocuments(filter)).toBe(2);
  });

  test('works after a field gets its first array', async () => {
    const items = open.db.collection<{ _id: number } & Doc>('late');
    await items.createIndex({ site: 1, at: 1 });
    await items.insertMany([
      { _id: 1, site: 1, at: 5 },
      { _id: 2, site: 1, at: 6 },
    ]);
    expect(ids(await items.find({ site: 1 }).sort({ at: 1 }).toArray())).toEqual([1, 2]);
    await items.insertOne({ _id: 3, site: 1, at: [1, 9] });
    expect(ids(await items.find({ site: 1 }).sort({ at: 1 }).toArray())).toEqual([3, 1, 2]);
    expect(ids(await items.find({ site: 1 }).sort({ at: -1 }).toArray())).toEqual([3, 2, 1]);
    expect(await items.countDocuments({ site: 1, at: { $gte: 0 } })).toBe(3);
  });
});

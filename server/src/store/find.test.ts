import { Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from './testing.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open.close());

type Doc = Record<string, unknown>;

/** A fresh collection with documents 1, 2, 3, … */
async function filled(docs: Doc[]) {
  const collection = open.db.collection<Doc>(`c${new ObjectId()}`);
  await collection.insertMany(docs.map((doc, i) => ({ _id: i + 1, ...doc })) as never);
  return collection;
}

async function idsOf(docs: Doc[], filter: Doc): Promise<unknown[]> {
  const found = await (await filled(docs)).find(filter).sort({ _id: 1 }).project({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id);
}

const at = (ms: number) => new Date(ms);
const long = Long.fromString('9007199254740993');

const CASES: [name: string, docs: Doc[], filter: Doc, ids: number[]][] = [
  [
    'int, long and double with one value are equal',
    [{ a: new Int32(5) }, { a: Long.fromNumber(5) }, { a: new Double(5) }, { a: '5' }],
    { a: 5 },
    [1, 2, 3],
  ],
  [
    'longs beyond 2^53 keep their last digit',
    [{ a: long }, { a: Long.fromString('9007199254740992') }],
    { a: long },
    [1],
  ],
  [
    'a long is compared with a double exactly',
    [{ a: long }, { a: 9007199254740992 }],
    { a: { $gt: 9007199254740992 } },
    [1],
  ],
  ['NaN equals only NaN', [{ a: Number.NaN }, { a: 1 }], { a: Number.NaN }, [1]],
  ['NaN is not less than a number', [{ a: Number.NaN }, { a: 1 }], { a: { $lt: 5 } }, [2]],
  ['-0 is 0', [{ a: -0 }, { a: 0 }], { a: 0 }, [1, 2]],
  ['infinity is a number', [{ a: Number.POSITIVE_INFINITY }, { a: 'x' }], { a: { $gt: 1e300 } }, [1]],
  ['null matches missing', [{ a: null }, {}, { a: 0 }, { a: [] }], { a: null }, [1, 2]],
  ['$ne null', [{ a: null }, {}, { a: 0 }, { a: [] }], { a: { $ne: null } }, [3, 4]],
  ['null in an array', [{ a: [null] }, { a: [1] }], { a: null }, [1]],
  ['$gte null means equal to null', [{ a: null }, {}, { a: 5 }], { a: { $gte: null } }, [1, 2]],
  ['$exists', [{ a: null }, {}, { a: [] }], { a: { $exists: true } }, [1, 3]],
  ['$exists false', [{ a: null }, {}, { a: [] }], { a: { $exists: false } }, [2]],
  ['ranges stay within a type', [{ a: 5 }, { a: '5' }, { a: at(5) }, { a: null }, { a: true }], { a: { $gt: 1 } }, [1]],
  ['text ranges', [{ a: 'a' }, { a: 'b' }, { a: 'ba' }, { a: 1 }], { a: { $gte: 'b', $lt: 'c' } }, [2, 3]],
  ['texts sort by code point, not UTF-16', [{ a: '\u{1f600}' }, { a: '\uffee' }], { a: { $gt: '\uffee' } }, [1]],
  ['dates', [{ a: at(-5) }, { a: at(5) }, { a: 5 }], { a: { $lt: at(0) } }, [1]],
  ['dates before 1970 and far ahead', [{ a: at(-9e14) }, { a: at(9e14) }], { a: { $gt: at(8e14) } }, [2]],
  ['booleans', [{ a: true }, { a: false }, { a: 1 }], { a: { $gt: false } }, [1]],
  [
    'timestamps',
    [{ a: new Timestamp({ t: 1, i: 1 }) }, { a: new Timestamp({ t: 2, i: 1 }) }],
    { a: { $gt: new Timestamp({ t: 1, i: 5 }) } },
    [2],
  ],
  ['an array matches by each element', [{ a: [1, 2] }, { a: [3] }, { a: 2 }], { a: 2 }, [1, 3]],
  ['an array also matches as a whole', [{ a: [1, 2] }, { a: [2, 1] }, { a: [[1, 2]] }], { a: [1, 2] }, [1, 3]],
  [
    'two conditions may match different elements',
    [{ a: [1, 10] }, { a: [5] }, { a: [1] }],
    { a: { $gt: 4, $lt: 6 } },
    [1, 2],
  ],
  [
    '$elemMatch needs one element that matches all',
    [{ a: [1, 10] }, { a: [5] }, { a: 5 }],
    { a: { $elemMatch: { $gt: 4, $lt: 6 } } },
    [2],
  ],
  [
    '$elemMatch on documents',
    [{ a: [{ x: 1, y: 2 }] }, { a: [{ x: 1 }, { y: 2 }] }],
    { a: { $elemMatch: { x: 1, y: 2 } } },
    [1],
  ],
  [
    'dotted through arrays',
    [{ a: [{ b: 1 }, { b: 2 }] }, { a: { b: 2 } }, { a: [{ b: [2] }] }],
    { 'a.b': 2 },
    [1, 2, 3],
  ],
  [
    'a.b null through arrays',
    [{ a: [{ b: 1 }, {}] }, { a: [{ b: 1 }] }, { a: [] }, { a: [4] }, { a: 4 }],
    { 'a.b': null },
    [1, 5],
  ],
  ['a number in a path is an array index', [{ a: [5, 7] }, { a: [7] }, { a: { 1: 7 } }], { 'a.1': 7 }, [1, 3]],
  ['an array index, then a field', [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 2 }] }], { 'a.0.b': 2 }, [2]],
  [
    'embedded documents are equal in order',
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, { a: { x: 1 } }],
    { a: { x: 1, y: 2 } },
    [1],
  ],
  ['$in', [{ a: 1 }, { a: [2] }, { a: 3 }, {}], { a: { $in: [2, 3, null] } }, [2, 3, 4]],
  ['$in with many', [{ a: 1 }, { a: 99 }, { a: 'q' }], { a: { $in: [...Array(20).keys()] } }, [1]],
  ['$nin', [{ a: 1 }, { a: [2] }, { a: 3 }, {}], { a: { $nin: [2, 3] } }, [1, 4]],
  ['$nin with $in on one field', [{ a: 1 }, { a: 2 }], { a: { $in: [1, 2], $nin: [2] } }, [1]],
  ['$not', [{ a: 1 }, { a: 9 }, {}], { a: { $not: { $gt: 5 } } }, [1, 3]],
  [
    '$and, $or, $nor',
    [{ a: 1, b: 1 }, { a: 1 }, { b: 1 }, {}],
    { $or: [{ a: 1, b: 1 }, { $nor: [{ a: 1 }, { b: 1 }] }] },
    [1, 4],
  ],
  ['$all', [{ a: [1, 2, 3] }, { a: [1] }, { a: 1 }], { a: { $all: [1, 2] } }, [1]],
  ['$all with an empty list', [{ a: [] }, { a: 1 }], { a: { $all: [] } }, []],
  ['a field named like a method', [{ constructor: 1 }, { a: 1 }], { constructor: { $exists: true } }, [1]],
  ['a field named __proto__', [JSON.parse('{"__proto__": {"x": 1}}'), { x: 1 }], { '__proto__.x': 1 }, [1]],
  ['ids by $in and $nin', [{}, {}, {}], { _id: { $in: [1, 2], $nin: [2] } }, [1]],
  ['two conditions on the id', [{}, {}, {}], { $and: [{ _id: { $gt: 1 } }, { _id: { $in: [1, 2] } }] }, [2]],
];

describe('filters', () => {
  test.each(CASES)('%s', async (_name, docs, filter, ids) => {
    expect(await idsOf(docs, filter)).toEqual(ids);
  });
});

describe('sorting', () => {
  const mixed = [
    { a: 'b' },
    { a: 2 },
    { a: null },
    {},
    { a: true },
    { a: at(1) },
    { a: { x: 1 } },
    { a: [0, 9] },
    { a: [] },
    { a: 'B' },
  ];

  test('is by type first, arrays by their smallest or largest value, missing as null', async () => {
    const collection = await filled(mixed);
    const order = async (direction: 1 | -1) =>
      (await collection.find().sort({ a: direction, _id: 1 }).toArray()).map(({ _id }) => _id);
    expect(await order(1)).toEqual([9, 3, 4, 8, 2, 10, 1, 7, 5, 6]);
    expect(await order(-1)).toEqual([6, 5, 7, 1, 10, 8, 2, 3, 4, 9]);
    await collection.createIndex({ a: 1, _id: 1 });
    expect(await order(1)).toEqual([9, 3, 4, 8, 2, 10, 1, 7, 5, 6]);
  });

  test('works with skip and limit, in memory and by index', async () => {
    const collection = await filled(Array.from({ length: 30 }, (_, i) => ({ a: i % 10 })));
    const page = () => collection.find().sort({ a: -1, _id: 1 }).skip(4).limit(3).toArray();
    const expected = [19, 29, 8].map((_id) => ({ _id, a: (_id - 1) % 10 }));
    expect(await page()).toEqual(expected);
    await collection.createIndex({ a: -1, _id: 1 });
    expect(await page()).toEqual(expected);
  });
});

test('finds the first of more documents than fit into memory, without an index', async () => {
  const collection = open.db.collection<Doc>(`c${new ObjectId()}`);
  const text = 'x'.repeat(2 ** 20);
  for (let n = 0; n < 110; n += 10)
    await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ n: n + i, text })));
  const found = collection.find({}, { projection: { n: 1, _id: 0 } }).sort({ n: -1 });
  expect(await found.limit(1).toArray()).toEqual([{ n: 109 }]);
  await expect(collection.find().sort({ n: -1 }).toArray()).rejects.toMatchObject({ code: 292 });
});

describe('cursors', () => {
  test('return everything once, in batches of any size', async () => {
    const collection = await filled(Array.from({ length: 250 }, (_, i) => ({ i })));
    for (const size of [1, 7, 100, 1000]) {
      const found = await collection.find().batchSize(size).toArray();
      expect(found.map(({ i }) => i)).toEqual([...Array(250).keys()]);
    }
  });

  test('end early with a negative limit, are killed on close, and are unknown afterwards', async () => {
    const collection = await filled(Array.from({ length: 50 }, (_, i) => ({ i })));
    expect(await collection.find().limit(-5).toArray()).toHaveLength(5);
    const { cursor } = await open.db.command({ find: collection.collectionName, batchSize: 0 });
    expect(cursor.firstBatch).toEqual([]);
    const killed = await open.db.command({ killCursors: collection.collectionName, cursors: [cursor.id] });
    expect(killed.cursorsKilled).toHaveLength(1);
    const more = open.db.command({ getMore: Long.fromValue(cursor.id), collection: collection.collectionName });
    await expect(more).rejects.toMatchObject({ code: 43 });
  });

  test('continue when documents are removed meanwhile', async () => {
    const collection = await filled(Array.from({ length: 300 }, (_, i) => ({ i })));
    const cursor = collection.find().batchSize(10);
    const first = await cursor.next();
    await collection.deleteMany({ i: { $gte: 100 } });
    expect([first, ...(await cursor.toArray())].length).toBeLessThan(300);
  });

  test('split large results into several messages', async () => {
    const collection = await filled(Array.from({ length: 18 }, () => ({ text: 'x'.repeat(1_000_000) })));
    expect(await collection.find().toArray()).toHaveLength(18);
  });
});

describe('projections', () => {
  const doc = { a: 1, b: { c: 2, d: 3 }, list: [{ x: 1, y: 2 }, { x: 3, y: 4 }, 5] };
  test.each<[Doc, Doc]>([
    [{ a: 1 }, { _id: 1, a: 1 }],
    [{ a: 1, _id: 0 }, { a: 1 }],
    [{ _id: 1 }, { _id: 1 }],
    [
      { a: 0, list: 0 },
      { _id: 1, b: { c: 2, d: 3 } },
    ],
    [{ 'b.c': 1 }, { _id: 1, b: { c: 2 } }],
    [
      { 'b.c': 0, list: 0 },
      { _id: 1, a: 1, b: { d: 3 } },
    ],
    [{ 'list.x': 1 }, { _id: 1, list: [{ x: 1 }, { x: 3 }] }],
  ])('%j', async (projection, expected) => {
    const collection = await filled([doc]);
    expect(await collection.findOne({}, { projection })).toEqual(expected);
  });
});

describe('unsupported features are refused', () => {
  const command = (body: Doc) => open.db.command(body);
  test.each<[string, Doc, number]>([
    ['unknown commands', { frobnicate: 1 }, 59],
    ['unknown arguments', { find: 'x', frobnicate: 1 }, 40415],
    ['unknown operators', { find: 'x', filter: { a: { $near2: 1 } } }, 2],
    ['unknown top level operators', { find: 'x', filter: { $foo: 1 } }, 2],
    ['$where', { find: 'x', filter: { $where: 'true' } }, 115],
    ['$text', { find: 'x', filter: { $text: { $search: 'a' } } }, 115],
    ['collation', { find: 'x', collation: { locale: 'de' } }, 115],
    ['tailable cursors', { find: 'x', tailable: true }, 115],
    ['pipelines that do more than count', { aggregate: 'x', pipeline: [{ $group: { _id: '$a' } }], cursor: {} }, 115],
    ['other stages', { aggregate: 'x', pipeline: [{ $match: {} }, { $lookup: {} }], cursor: {} }, 115],
    ['a stage with two operators', { aggregate: 'x', pipeline: [{ $match: {}, $limit: 1 }], cursor: {} }, 40323],
    ['distinct', { distinct: 'x', key: 'a' }, 115],
    ['patterns', { find: 'x', filter: { a: /^a/ } }, 115],
    ['patterns by $in', { find: 'x', filter: { a: { $in: [/a/] } } }, 115],
    ['patterns by $not', { find: 'x', filter: { a: { $not: /a/ } } }, 115],
    ['$regex', { find: 'x', filter: { a: { $regex: '\\A', $options: 'i' } } }, 115],
    ['$type', { find: 'x', filter: { a: { $type: 'string' } } }, 115],
    ['$size', { find: 'x', filter: { a: { $size: 1 } } }, 115],
    ['$mod', { find: 'x', filter: { a: { $mod: [2, 0] } } }, 115],
    ['expressions in projections', { find: 'x', projection: { a: { $slice: 1 } } }, 115],
    ['positional projections', { find: 'x', projection: { 'a.$': 1 } }, 115],
    ['change streams', { aggregate: 'x', pipeline: [{ $changeStream: {} }], cursor: {} }, 40573],
    ['text indexes', { createIndexes: 'x', indexes: [{ key: { a: 'text' }, name: 'a' }] }, 115],
    ['capped collections', { create: 'x', capped: true, size: 1000 }, 115],
    ['views', { create: 'x', viewOn: 'y', pipeline: [] }, 115],
    ['transactions', { find: 'x', txnNumber: Long.ONE, autocommit: false, startTransaction: true }, 263],
    ['$not of a positional projection', { find: 'x', projection: { a: 1, b: 0 } }, 2],
    ['bad limits', { find: 'x', skip: -1 }, 2],
    ['unknown hints', { find: 'x', hint: 'nope' }, 2],
  ])('%s', async (_name, body, code) => {
    await open.db.collection('x').insertOne({});
    await expect(command(body)).rejects.toMatchObject({ code });
  });
});

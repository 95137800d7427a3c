import { Double, Int32, Long, ObjectId } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from './testing.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open.close());

type Doc = Record<string, unknown>;

const fresh = () => open.db.collection(`c${new ObjectId()}`);

async function updated(doc: Doc, update: Doc, options: Doc = {}, filter: Doc = { _id: 1 }): Promise<Doc | null> {
  const collection = fresh();
  await collection.insertOne({ _id: 1, ...doc } as never);
  await collection.updateOne(filter, update, options);
  return collection.findOne({}, { promoteValues: true, projection: { _id: 0 } });
}

const UPDATES: [name: string, doc: Doc, update: Doc, expected: Doc, options?: Doc, filter?: Doc][] = [
  ['$set creates missing parents', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set in an array, filling up with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  ['new fields come in the order of their names', {}, { $set: { b: 1, a: 1, c: 1 } }, { a: 1, b: 1, c: 1 }],
  ['$set of __proto__ stays a field', {}, JSON.parse('{"$set": {"__proto__": 1}}'), JSON.parse('{"__proto__": 1}')],
  [
    '$unset',
    { a: 1, b: { c: 1, d: 2 }, e: [1, 2] },
    { $unset: { a: 1, 'b.c': 1, 'e.0': 1, 'x.y': 1 } },
    { b: { d: 2 }, e: [null, 2] },
  ],
  ['$inc', { a: 1 }, { $inc: { a: 2, b: -1, 'c.d': 1.5 } }, { a: 3, b: -1, c: { d: 1.5 } }],
  ['$min and $max', { a: 5, b: 5 }, { $min: { a: 3, b: 9, c: 1 }, $max: { d: 1 } }, { a: 3, b: 5, c: 1, d: 1 }],
  ['$max across types', { a: 5 }, { $max: { a: 'x' } }, { a: 'x' }],
  [
    '$setOnInsert does not change an existing document',
    { a: 1 },
    { $setOnInsert: { a: 2 }, $set: { b: 1 } },
    { a: 1, b: 1 },
  ],
  ['$push', { a: [1] }, { $push: { a: 2, b: 3 } }, { a: [1, 2], b: [3] }],
  ['$push of an array is one element', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  [
    '$push with $each, $position',
    { a: [1, 2] },
    { $push: { a: { $each: [8, 9], $position: 1 } } },
    { a: [1, 8, 9, 2] },
  ],
  ['$push with $slice', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  [
    '$push with $sort',
    { a: [{ x: 3 }, { x: 1 }] },
    { $push: { a: { $each: [{ x: 2 }], $sort: { x: -1 } } } },
    { a: [{ x: 3 }, { x: 2 }, { x: 1 }] },
  ],
  ['$push with $sort of plain values', { a: [3, 1] }, { $push: { a: { $each: [2], $sort: 1 } } }, { a: [1, 2, 3] }],
  ['$addToSet', { a: [1, { x: 1 }] }, { $addToSet: { a: { $each: [1, 2, { x: 1 }, 2] } } }, { a: [1, { x: 1 }, 2] }],
  ['$pull by value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull by operators', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [
    '$pull of documents by some fields',
    { a: [{ x: 1, y: 1 }, { x: 2 }] },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2 }] },
  ],
  ['$pull by $in', { a: ['p', 'q', 'r'] }, { $pull: { a: { $in: ['p', 'r'] } } }, { a: ['q'] }],
  ['positional $', { a: [1, 5, 5] }, { $set: { 'a.$': 9 } }, { a: [1, 9, 5] }, {}, { a: 5 }],
  [
    'positional $ in documents',
    {
      a: [
        { k: 1, v: 0 },
        { k: 2, v: 0 },
      ],
    },
    { $inc: { 'a.$.v': 1 } },
    {
      a: [
        { k: 1, v: 0 },
        { k: 2, v: 1 },
      ],
    },
    {},
    { 'a.k': 2 },
  ],
  [
    'positional $ by $elemMatch',
    {
      a: [
        { k: 1, v: 0 },
        { k: 2, v: 7 },
      ],
    },
    { $unset: { 'a.$.v': 1 } },
    { a: [{ k: 1, v: 0 }, { k: 2 }] },
    {},
    { a: { $elemMatch: { k: 2, v: 7 } } },
  ],
];

describe('updates', () => {
  test.each(UPDATES)('%s', async (_name, doc, update, expected, options, filter) => {
    const result = await updated(doc, update, options, filter);
    expect(result).toEqual(expected);
    expect(Object.keys(result ?? {})).toEqual(Object.keys(expected));
  });

  test('$currentDate', async () => {
    expect(await updated({}, { $currentDate: { a: true } })).toEqual({ a: expect.any(Date) });
  });

  test('keep the types of numbers', async () => {
    const collection = fresh();
    await collection.insertOne({
      _id: 1,
      whole: new Double(1),
      int: new Int32(2147483647),
      long: Long.fromNumber(5),
    } as never);
    await collection.updateOne({}, { $set: { other: 1 }, $inc: { int: 1, long: 1 } });
    const doc = await collection.findOne({}, { promoteValues: false, promoteLongs: false });
    expect(doc).toMatchObject({ whole: new Double(1), int: Long.fromNumber(2147483648), long: Long.fromNumber(6) });
  });

  test('report matched and modified counts', async () => {
    const collection = fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }, { a: 2 }]);
    expect(await collection.updateMany({ a: 1 }, { $set: { a: 1 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 0,
    });
    expect(await collection.updateMany({ a: { $lt: 3 } }, { $set: { a: 2 } })).toMatchObject({
      matchedCount: 3,
      modifiedCount: 2,
    });
    expect(await collection.deleteMany({ a: 2 })).toMatchObject({ deletedCount: 3 });
  });

  test('change each document once, although it moves in the index used', async () => {
    const collection = fresh();
    await collection.createIndex({ n: 1 });
    await collection.insertMany(Array.from({ length: 200 }, (_, n) => ({ n })));
    await collection.updateMany({ n: { $gte: 0 } }, { $inc: { n: 50 } });
    const all = await collection.find().sort({ n: 1 }).toArray();
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n + 50));
  });

  test('replace a document but keep its id', async () => {
    const collection = fresh();
    await collection.insertOne({ _id: 1, a: 1 } as never);
    await collection.replaceOne({ a: 1 }, { b: 2 });
    expect(await collection.findOne()).toEqual({ _id: 1, b: 2 });
  });

  test.each<[string, Doc, Doc, number]>([
    ['two changes of one field', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['changes of a field and of a field inside it', { a: {} }, { $set: { a: 1, 'a.b': 1 } }, 40],
    ['the id', {}, { $set: { _id: 2 } }, 66],
    ['a value that is not a number', { a: 'x' }, { $inc: { a: 1 } }, 14],
    ['a path through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
    ['a value that is not an array', { a: 1 }, { $push: { a: 1 } }, 2],
    ['unknown operators', {}, { $frob: { a: 1 } }, 9],
    ['a positional part without a match', { a: [1] }, { $set: { 'a.$': 1 } }, 2],
    ['pipelines', {}, [{ $set: { a: 1 } }] as never, 115],
    ['$mul', { a: 1 }, { $mul: { a: 2 } }, 115],
    ['$rename', { a: 1 }, { $rename: { a: 'b' } }, 115],
    ['$pop', { a: [1] }, { $pop: { a: 1 } }, 115],
    ['$pullAll', { a: [1] }, { $pullAll: { a: [1] } }, 115],
    ['all elements ($[])', { a: [1] }, { $set: { 'a.$[]': 1 } }, 115],
    ['elements by filters ($[name])', { a: [1] }, { $set: { 'a.$[x]': 1 } }, 115],
  ])('refuse %s', async (_name, doc, update, code) => {
    await expect(updated(doc, update)).rejects.toMatchObject({ code });
  });
});

describe('upserts', () => {
  test.each<[string, Doc, Doc, Doc]>([
    [
      'copy equalities, dotted ones too',
      { a: 1, 'b.c': 2, d: { $gt: 1 } },
      { $set: { e: 5 } },
      { a: 1, b: { c: 2 }, e: 5 },
    ],
    [
      'copy from $and and a single $in',
      { $and: [{ a: 1 }, { b: { $in: [2] } }] },
      { $set: { e: 5 } },
      { a: 1, b: 2, e: 5 },
    ],
    ['take $setOnInsert', { a: 1 }, { $setOnInsert: { b: 2 }, $inc: { n: 1 } }, { a: 1, b: 2, n: 1 }],
  ])('%s', async (_name, filter, update, expected) => {
    const collection = fresh();
    const result = await collection.updateOne(filter, update, { upsert: true });
    expect(result.upsertedCount).toBe(1);
    const doc = await collection.findOne();
    expect(doc).toEqual({ _id: result.upsertedId, ...expected });
    expect(Object.keys(doc ?? {})[0]).toBe('_id');
  });

  test('take the id of the filter, also for a replacement', async () => {
    const collection = fresh();
    await collection.updateOne({ _id: 7 } as never, { $set: { a: 1 } }, { upsert: true });
    await collection.replaceOne({ _id: 8, z: 1 } as never, { b: 1 }, { upsert: true });
    expect(await collection.find().toArray()).toEqual([
      { _id: 7, a: 1 },
      { _id: 8, b: 1 },
    ]);
  });

  test('with one unique key at once create one document', async () => {
    const collection = fresh();
    await collection.createIndex({ key: 1 }, { unique: true });
    const one = () => collection.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true });
    await Promise.all(Array.from({ length: 50 }, one));
    expect(await collection.find().toArray()).toMatchObject([{ key: 'k', n: 50 }]);
  });
});

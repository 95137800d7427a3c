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
  ['$set makes what is missing on the way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
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
  ['$mul', { a: 3 }, { $mul: { a: 2, b: 5 } }, { a: 6, b: 0 }],
  ['$min and $max', { a: 5, b: 5 }, { $min: { a: 3, b: 9, c: 1 }, $max: { d: 1 } }, { a: 3, b: 5, c: 1, d: 1 }],
  ['$max across types', { a: 5 }, { $max: { a: 'x' } }, { a: 'x' }],
  ['$rename', { a: 1, b: 2 }, { $rename: { a: 'c.d' } }, { b: 2, c: { d: 1 } }],
  ['$setOnInsert does nothing to what is there', { a: 1 }, { $setOnInsert: { a: 2 }, $set: { b: 1 } }, { a: 1, b: 1 }],
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
  ['$pullAll', { a: [1, 2, 3] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  ['$pop', { a: [1, 2, 3], b: [1, 2] }, { $pop: { a: 1, b: -1 } }, { a: [1, 2], b: [2] }],
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
  ['$[] means all', { a: [{ v: 1 }, { v: 2 }] }, { $inc: { 'a.$[].v': 10 } }, { a: [{ v: 11 }, { v: 12 }] }],
  [
    '$[name] by array filters',
    { a: [{ v: 1 }, { v: 5 }] },
    { $set: { 'a.$[x].big': true } },
    { a: [{ v: 1 }, { v: 5, big: true }] },
    { arrayFilters: [{ 'x.v': { $gt: 3 } }] },
  ],
  ['$[name] on plain values', { a: [1, 5] }, { $set: { 'a.$[x]': 0 } }, { a: [1, 0] }, { arrayFilters: [{ x: 5 }] }],
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

  test('numbers keep their types', async () => {
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

  test('say what they matched and what they changed', async () => {
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

  test('reach each document once, though they move in the index that finds them', async () => {
    const collection = fresh();
    await collection.createIndex({ n: 1 });
    await collection.insertMany(Array.from({ length: 200 }, (_, n) => ({ n })));
    await collection.updateMany({ n: { $gte: 0 } }, { $inc: { n: 50 } });
    const all = await collection.find().sort({ n: 1 }).toArray();
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n + 50));
  });

  test('replace keeps the id', async () => {
    const collection = fresh();
    await collection.insertOne({ _id: 1, a: 1 } as never);
    await collection.replaceOne({ a: 1 }, { b: 2 });
    expect(await collection.findOne()).toEqual({ _id: 1, b: 2 });
  });

  test.each<[string, Doc, Doc, number]>([
    ['two changes of one field', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['changes of a field and of one inside', { a: {} }, { $set: { a: 1, 'a.b': 1 } }, 40],
    ['the id', {}, { $set: { _id: 2 } }, 66],
    ['a number that is none', { a: 'x' }, { $inc: { a: 1 } }, 14],
    ['a way through a plain value', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
    ['an array that is none', { a: 1 }, { $push: { a: 1 } }, 2],
    ['unknown operators', {}, { $frob: { a: 1 } }, 9],
    ['a positional part without a match', { a: [1] }, { $set: { 'a.$': 1 } }, 2],
    ['an array filter that is missing', { a: [1] }, { $set: { 'a.$[x]': 1 } }, 2],
    ['pipelines', {}, [{ $set: { a: 1 } }] as never, 115],
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

  test('at once on one unique key make one document', async () => {
    const collection = fresh();
    await collection.createIndex({ key: 1 }, { unique: true });
    const one = () => collection.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true });
    await Promise.all(Array.from({ length: 50 }, one));
    expect(await collection.find().toArray()).toMatchObject([{ key: 'k', n: 50 }]);
  });
});

describe('findAndModify', () => {
  test('gives the document before or after, by order, reduced', async () => {
    const collection = fresh();
    await collection.insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ] as never[]);
    const bump = { $inc: { n: 10 } };
    expect(await collection.findOneAndUpdate({}, bump, { sort: { n: -1 } })).toEqual({ _id: 2, n: 2 });
    const after = await collection.findOneAndUpdate({ n: 1 }, bump, {
      returnDocument: 'after',
      projection: { n: 1, _id: 0 },
    });
    expect(after).toEqual({ n: 11 });
    expect(await collection.findOneAndUpdate({ n: 99 }, bump)).toBeNull();
    expect(await collection.findOneAndDelete({ n: 11 })).toEqual({ _id: 1, n: 11 });
    expect(await collection.countDocuments()).toBe(1);
  });

  test('upserts', async () => {
    const collection = fresh();
    const made = await collection.findOneAndUpdate(
      { a: 1 },
      { $set: { b: 2 } },
      { upsert: true, returnDocument: 'after' },
    );
    expect(made).toMatchObject({ a: 1, b: 2 });
  });

  test('lets exactly one of many take a free place', async () => {
    const collection = fresh();
    await collection.insertOne({ _id: 1, owner: null } as never);
    const claims = Array.from({ length: 20 }, (_, owner) =>
      collection.findOneAndUpdate({ owner: null }, { $set: { owner } }),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });
});

describe('unique indexes', () => {
  test('name the key that is taken, on insert, update and upsert', async () => {
    const collection = fresh();
    await collection.createIndex({ a: 1, 'b.c': -1 }, { unique: true });
    await collection.insertMany([{ a: 1, b: { c: 'x' } }, { a: 2 }]);
    const taken = { code: 11000, keyPattern: { a: 1, 'b.c': -1 }, keyValue: { a: 1, 'b.c': 'x' } };
    await expect(collection.insertOne({ a: new Double(1), b: { c: 'x' } })).rejects.toMatchObject(taken);
    await expect(collection.updateOne({ a: 2 }, { $set: { a: 1, 'b.c': 'x' } })).rejects.toMatchObject(taken);
    await expect(collection.insertOne({ a: 2, b: null })).rejects.toMatchObject({
      code: 11000,
      keyValue: { a: 2, 'b.c': null },
    });
    expect(await collection.countDocuments()).toBe(2);
    expect(await collection.countDocuments({ a: 2 })).toBe(1);
  });

  test('on the id', async () => {
    const collection = fresh();
    await collection.insertOne({ _id: 1 } as never);
    const again = collection.insertOne({ _id: new Double(1) } as never);
    await expect(again).rejects.toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 1 } });
  });

  test('over arrays: the same value twice in one document is fine, in two it is not', async () => {
    const collection = fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertOne({ a: [1, 1, 2] });
    await expect(collection.insertOne({ a: [3, 2] })).rejects.toMatchObject({ code: 11000 });
    await collection.updateOne({ a: 1 }, { $set: { a: [2, 3] } });
    await collection.insertOne({ a: [1] });
  });

  test('sparse ones leave the missing out, partial ones what does not pass', async () => {
    const collection = fresh();
    await collection.createIndex({ email: 1 }, { unique: true, sparse: true });
    await collection.createIndex({ visitor: 1 }, { unique: true, partialFilterExpression: { open: true } });
    await collection.insertMany([{ visitor: 1, open: true }, { visitor: 1 }, { visitor: 1 }]);
    await expect(collection.insertOne({ visitor: 1, open: true })).rejects.toMatchObject({ code: 11000 });
    await collection.updateOne({ open: true }, { $unset: { open: 1 } });
    await collection.insertOne({ visitor: 1, open: true, email: 'a' });
    await expect(collection.updateOne({ open: { $exists: false } }, { $set: { open: true } })).rejects.toMatchObject({
      code: 11000,
    });
  });

  test('are not made over documents that break them', async () => {
    const collection = fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await collection.indexes()).toHaveLength(1);
    await collection.insertOne({ a: 1 });
  });

  test('hold very long keys apart', async () => {
    const collection = fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    const text = 'x'.repeat(5000);
    await collection.insertMany([{ a: `${text}1` }, { a: `${text}2` }]);
    await expect(collection.insertOne({ a: `${text}1` })).rejects.toMatchObject({ code: 11000 });
    expect(await collection.countDocuments({ a: `${text}2` })).toBe(1);
  });
});

describe('batches', () => {
  test('ordered ones stop at the first refusal, others go on', async () => {
    const collection = fresh();
    const docs = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[];
    await expect(collection.insertMany(docs)).rejects.toMatchObject({ code: 11000, insertedCount: 1 });
    await expect(collection.insertMany(docs.slice(1), { ordered: false })).rejects.toMatchObject({ insertedCount: 1 });
    expect(await collection.countDocuments()).toBe(2);
  });

  test('bulkWrite mixes everything', async () => {
    const collection = fresh();
    const result = await collection.bulkWrite([
      { insertOne: { document: { a: 1 } } },
      { updateOne: { filter: { a: 1 }, update: { $set: { b: 1 } } } },
      { updateOne: { filter: { a: 2 }, update: { $set: { b: 1 } }, upsert: true } },
      { deleteOne: { filter: { a: 1 } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 1, upsertedCount: 1, deletedCount: 1 });
  });

  test('what cannot be stored is refused alone, others in the same turn are not harmed', async () => {
    const collection = fresh();
    const [bad, good] = await Promise.allSettled([
      collection.insertOne({ _id: [1] } as never),
      collection.insertOne({ _id: 2 } as never),
    ]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
    await expect(collection.insertOne({ text: 'x'.repeat(17 * 2 ** 20) })).rejects.toThrow();
    expect(await collection.countDocuments()).toBe(1);
  });
});

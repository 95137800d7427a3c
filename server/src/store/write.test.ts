import { Double, Long, ObjectId } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from './testing.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open.close());

const fresh = () => open.db.collection(`c${new ObjectId()}`);

describe('findAndModify', () => {
  test('returns the document before or after, with sort and projection', async () => {
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

  test('lets exactly one of many clients change a document', async () => {
    const collection = fresh();
    await collection.insertOne({ _id: 1, owner: null } as never);
    const claims = Array.from({ length: 20 }, (_, owner) =>
      collection.findOneAndUpdate({ owner: null }, { $set: { owner } }),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });
});

test('names of databases, collections and indexes with a null byte are refused', async () => {
  const invalid = { code: 73, codeName: 'InvalidNamespace' };
  const { client } = open.db;
  const insert = (name: string) => ({ insert: name, documents: [{ a: 1 }] });
  await expect(open.db.command(insert('a\0'))).rejects.toMatchObject(invalid);
  await expect(client.db('a\0').command(insert('a'))).rejects.toMatchObject(invalid);
  const indexes = [{ key: { a: 1 }, name: 'a\0' }];
  await expect(open.db.command({ createIndexes: 'a', indexes })).rejects.toMatchObject({ code: 67 });
});

/** `STORE_INCREMENTS=1000` asks for as many of each client as it takes to be sure. */
const INCREMENTS = Number(process.env.STORE_INCREMENTS ?? 40);
const CLIENTS = 16;
const KEYS = 50;

describe('unique indexes', () => {
  test('lose no increment of concurrent clients that upsert the same counters', async () => {
    const counters = fresh();
    await counters.createIndex({ site: 1, day: 1 }, { unique: true });
    const client = async (first: number) => {
      for (let i = 0; i < INCREMENTS; i++) {
        const key = (first * 7 + i) % KEYS;
        await counters.updateOne({ site: key % 5, day: key }, { $inc: { n: 1 } }, { upsert: true });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
    const counted = await counters.find({ day: { $exists: true } }).toArray();
    expect(counted).toHaveLength(Math.min(KEYS, CLIENTS * INCREMENTS));
    expect(counted.reduce((sum, { n }) => sum + Number(n), 0)).toBe(CLIENTS * INCREMENTS);
  });

  test('name the duplicate key, on insert, update and upsert', async () => {
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

  test('hold for the id', async () => {
    const collection = fresh();
    await collection.insertOne({ _id: 1 } as never);
    const again = collection.insertOne({ _id: new Double(1) } as never);
    await expect(again).rejects.toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 1 } });
  });

  test('over arrays allow a value twice in one document, but not in two', async () => {
    const collection = fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertOne({ a: [1, 1, 2] });
    await expect(collection.insertOne({ a: [3, 2] })).rejects.toMatchObject({ code: 11000 });
    await collection.updateOne({ a: 1 }, { $set: { a: [2, 3] } });
    await collection.insertOne({ a: [1] });
  });

  test('ignore missing fields when sparse, and non-matching documents when partial', async () => {
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

  test('are not created over duplicates', async () => {
    const collection = fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await collection.indexes()).toHaveLength(1);
    await collection.insertOne({ a: 1 });
  });

  test('distinguish very long keys', async () => {
    const collection = fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    const text = 'x'.repeat(5000);
    await collection.insertMany([{ a: `${text}1` }, { a: `${text}2` }]);
    await expect(collection.insertOne({ a: `${text}1` })).rejects.toMatchObject({ code: 11000 });
    expect(await collection.countDocuments({ a: `${text}2` })).toBe(1);
  });
});

describe('batches', () => {
  test('stop at the first error when ordered, and continue when unordered', async () => {
    const collection = fresh();
    const docs = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[];
    await expect(collection.insertMany(docs)).rejects.toMatchObject({ code: 11000, insertedCount: 1 });
    await expect(collection.insertMany(docs.slice(1), { ordered: false })).rejects.toMatchObject({ insertedCount: 1 });
    expect(await collection.countDocuments()).toBe(2);
  });

  test('of bulkWrite mix all operations', async () => {
    const collection = fresh();
    const result = await collection.bulkWrite([
      { insertOne: { document: { a: 1 } } },
      { updateOne: { filter: { a: 1 }, update: { $set: { b: 1 } } } },
      { updateOne: { filter: { a: 2 }, update: { $set: { b: 1 } }, upsert: true } },
      { deleteOne: { filter: { a: 1 } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 1, upsertedCount: 1, deletedCount: 1 });
  });

  test('an id cannot have a field that begins with $', async () => {
    const insert = (_id: unknown) => fresh().insertOne({ _id } as never, { ignoreUndefined: true });
    await expect(insert({ $a: 1 })).rejects.toMatchObject({ code: 52 });
    await expect(insert({ a: { $b: 1 } })).rejects.toMatchObject({ code: 52 });
    await insert({ a: { b: 1 } });
  });

  test('a document that cannot be stored is refused without affecting others', async () => {
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

describe('an update of some fields leaves the others unchanged', () => {
  test('in their order, also with whole-number names', async () => {
    const collection = fresh();
    const odd = new Map<string, unknown>([
      ['_id', 1],
      ['b', 1],
      ['2', 'two'],
      ['1', 'one'],
    ]);
    await collection.insertOne(odd as never);
    const [before] = await collection.find({}, { raw: true }).toArray();
    await collection.updateOne({}, { $inc: { b: 1 } });
    const [after] = await collection.find({}, { raw: true }).toArray();
    const expected = Buffer.from(before as never);
    expected[expected.indexOf('b\0') + 2] = 2;
    expect(Buffer.from(after as never).equals(expected)).toBe(true);
    await collection.updateOne({ 0: 'zero', _id: 2 as never }, { $set: { 5: 5 } }, { upsert: true });
    const [made] = await collection.find({ _id: 2 } as never, { raw: true }).toArray();
    expect(Buffer.from(made as never).indexOf('_id')).toBe(5);
  });

  test('also a reference with a dot in its name', async () => {
    const collection = fresh();
    const things = { $ref: 'other.things', $id: 1 };
    await collection.insertOne({ things, n: 1 });
    const [before] = await collection.find({}, { raw: true }).toArray();
    await collection.updateOne({}, { $inc: { n: 1 } });
    const [after] = await collection.find({}, { raw: true }).toArray();
    expect(Buffer.from(after as never).length).toBe(Buffer.from(before as never).length);
  });

  test('and does not cost more with long indexed arrays', async () => {
    const collection = open.db.collection<{ words: string[]; n: number }>(`c${new ObjectId()}`);
    await collection.createIndex({ words: 1 });
    const words = Array.from({ length: 3_000 }, (_, i) => `word ${i}`);
    await collection.insertOne({ words, n: 0 });
    await collection.updateOne({}, { $inc: { n: 1 }, $push: { words: 'more' } });
    expect(await collection.countDocuments({ words: 'more', n: 1 })).toBe(1);
  });
});

test('an upsert takes equality values from the only branch of an $or', async () => {
  const collection = fresh();
  await collection.updateOne({ $or: [{ a: 1 }] }, { $set: { b: 2 } }, { upsert: true });
  expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({ a: 1, b: 2 });
});

test('options that a single server cannot fulfil are refused', async () => {
  const ask = (more: Record<string, unknown>) => open.db.command({ find: 'a', ...more });
  await expect(ask({ readConcern: { level: 'snapshot' } })).rejects.toMatchObject({ code: 123 });
  await expect(ask({ readConcern: { level: 'linearizable' } })).rejects.toMatchObject({ code: 123 });
  await expect(fresh().insertOne({ a: 1 }, { writeConcern: { w: 3 } })).rejects.toMatchObject({ code: 2 });
  await expect(ask({ txnNumber: Long.fromNumber(1) })).rejects.toMatchObject({ code: 20 });
  await expect(ask({ apiVersion: '1', apiStrict: true })).rejects.toMatchObject({ code: 115 });
});

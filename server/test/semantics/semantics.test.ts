import { EJSON, ObjectId, serialize } from 'bson';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from '../../src/store/testing.ts';
import type { Doc } from './cases.ts';
import { FINDS, KEPT, PROJECTIONS, REFUSED_FILTERS } from './find.ts';
import { SORTS } from './order.ts';
import { UNIQUES } from './unique.ts';
import { UPDATES, UPSERTS } from './update.ts';

/** `npm run test:store -- --uri mongodb://…` asks another database the same questions. */
const { STORE_URI } = process.env;
const DATABASE = `parley_semantics_${new ObjectId()}`;

let db: OpenStore['db'];
let close: () => Promise<void>;

beforeAll(async () => {
  if (STORE_URI === undefined) {
    ({ db, close } = await openStore());
    return;
  }
  const client = await new mongoose.mongo.MongoClient(STORE_URI).connect();
  db = client.db(DATABASE);
  close = async () => {
    await db.dropDatabase();
    await client.close();
  };
});
afterAll(() => close());

const fresh = () => db.collection<Doc>(`c${new ObjectId()}`);

/** A fresh collection with documents 1, 2, 3, … */
async function filled(docs: Doc[]) {
  const collection = fresh();
  await collection.insertMany(docs.map((doc, i) => ({ _id: i + 1, ...doc })) as never[]);
  return collection;
}

/** Documents as text, the order of their fields with them. */
const text = (value: unknown) => EJSON.stringify(value);
const idsOf = (docs: Doc[]) => docs.map(({ _id }) => _id);
const refusal = (code: number) => expect.objectContaining({ code });

test.concurrent.each(KEPT)('is stored unchanged: %s', async (_name, a) => {
  const doc = { _id: 1, a };
  const collection = fresh();
  await collection.insertOne(doc as never);
  const [raw] = await collection.find({}, { raw: true }).toArray();
  expect(raw).toEqual(Buffer.from(serialize(doc)));
});

describe('find', () => {
  test.concurrent.each(FINDS)('%s', async (_name, docs, filter, ids) => {
    const collection = await filled(docs);
    expect(idsOf(await collection.find(filter).sort({ _id: 1 }).toArray())).toEqual(ids);
    expect(await collection.countDocuments(filter)).toBe(ids.length);
  });

  test.concurrent.each(REFUSED_FILTERS)('refuses %s', async (_name, filter, code) => {
    const refused = (await filled([{ a: 1 }])).find(filter).toArray();
    await expect(refused).rejects.toEqual(refusal(code));
  });

  test.concurrent.each(PROJECTIONS)('projects %s', async (_name, doc, projection, left, filter = {}) => {
    const found = await (await filled([doc])).findOne(filter, { projection: { _id: 0, ...projection } });
    expect(text(found)).toBe(text(left));
  });
});

test.concurrent.each(SORTS)('sorts: %s', async (_name, docs, sort, ids) => {
  const sorted = (await filled(docs)).find().sort(sort as Record<string, 1 | -1>);
  expect(idsOf(await sorted.toArray())).toEqual(ids);
});

describe('update', () => {
  test.concurrent.each(UPDATES)('%s', async (_name, doc, update, after, { filter = {} } = {}) => {
    const collection = await filled([doc]);
    const updated = collection.updateOne(filter, update);
    if (typeof after === 'number') await expect(updated).rejects.toEqual(refusal(after));
    else await updated;
    const left = typeof after === 'number' ? doc : after;
    expect(text(await collection.findOne({}, { projection: { _id: 0 } }))).toBe(text(left));
  });

  test.concurrent.each(UPSERTS)('upsert: %s', async (_name, filter, update, made) => {
    const collection = fresh();
    const upserted = collection.updateOne(filter, update, { upsert: true });
    if (typeof made === 'number') {
      await expect(upserted).rejects.toEqual(refusal(made));
      expect(await collection.countDocuments()).toBe(0);
      return;
    }
    const { upsertedId, upsertedCount, matchedCount } = await upserted;
    expect([upsertedCount, matchedCount]).toEqual([1, 0]);
    expect(await collection.find().toArray()).toEqual([{ _id: upsertedId, ...made }]);
  });

  test('an error in the middle of a multi-update keeps the changes before it', async () => {
    const collection = await filled([{ a: 1 }, { a: 'x' }, { a: 3 }]);
    const bump: Doc = { $inc: { a: 1 } };
    await expect(collection.updateMany({}, bump)).rejects.toEqual(refusal(14));
    expect((await collection.find().sort({ _id: 1 }).toArray()).map(({ a }) => a)).toEqual([2, 'x', 3]);
  });

  test('an update without changes counts as matched, not as modified', async () => {
    const result = await (await filled([{ a: 1 }, { a: 2 }])).updateMany({}, { $set: { a: 1 } });
    expect([result.matchedCount, result.modifiedCount]).toEqual([2, 1]);
  });
});

test.concurrent.each(UNIQUES)('unique: %s', async (_name, key, options, first, second, keyValue) => {
  const collection = fresh();
  await collection.createIndex(key, { unique: true, ...options });
  await collection.insertOne({ ...first });
  const inserted = collection.insertOne({ ...second });
  if (keyValue === null) await inserted;
  else
    await expect(inserted).rejects.toMatchObject({
      code: 11000,
      message: expect.stringMatching(/^E11000 duplicate key error collection: /),
      keyPattern: key,
      keyValue,
    });
  expect(await collection.countDocuments()).toBe(keyValue === null ? 2 : 1);
});

describe('cursors', () => {
  const many = () => filled(Array.from({ length: 250 }, (_, n) => ({ n })));

  test('the first batch has 101 documents by default', async () => {
    const { collectionName } = await many();
    const first = async (more: Doc) => (await db.command({ find: collectionName, ...more })).cursor;
    expect((await first({})).firstBatch).toHaveLength(101);
    expect((await first({ batchSize: 7 })).firstBatch).toHaveLength(7);
    expect(await first({ batchSize: 0 })).toMatchObject({ firstBatch: [] });
    const all = await first({ limit: 5 });
    expect([all.firstBatch.length, Number(all.id)]).toEqual([5, 0]);
    const single = await first({ batchSize: 5, singleBatch: true });
    expect([single.firstBatch.length, Number(single.id)]).toEqual([5, 0]);
  });

  test('a cursor continues to its end, and is unknown afterwards', async () => {
    const { collectionName } = await many();
    const { cursor } = await db.command({ find: collectionName, batchSize: 200 });
    const more = () => db.command({ getMore: cursor.id, collection: collectionName });
    const { cursor: rest } = await more();
    expect([rest.nextBatch.length, Number(rest.id)]).toEqual([50, 0]);
    await expect(more()).rejects.toEqual(refusal(43));
  });

  test('killCursors reports killed and unknown cursors', async () => {
    const { collectionName } = await many();
    const { cursor } = await db.command({ find: collectionName, batchSize: 2 });
    const unknown = mongoose.mongo.Long.fromNumber(4711);
    const killed = await db.command({ killCursors: collectionName, cursors: [cursor.id, unknown] });
    expect([killed.cursorsKilled, killed.cursorsNotFound].map((ids) => ids.map(Number))).toEqual([
      [Number(cursor.id)],
      [4711],
    ]);
  });

  test('skip and limit work before and beyond the end', async () => {
    const collection = await many();
    const found = async (skip: number, limit: number) =>
      idsOf(await collection.find().sort({ n: 1 }).skip(skip).limit(limit).toArray());
    expect(await found(248, 10)).toEqual([249, 250]);
    expect(await found(300, 10)).toEqual([]);
    expect(await found(0, 2)).toEqual([1, 2]);
  });
});

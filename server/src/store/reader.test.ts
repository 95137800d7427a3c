import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtWorker } from '#test/workers';
import { openReader, type Store, type StoreReader, startStore } from './index.ts';

const { MongoClient, ObjectId } = mongoose.mongo;

let dataDir: string;
let store: Store;
let reader: StoreReader;
let client: mongoose.mongo.MongoClient;
let db: mongoose.mongo.Db;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-reader-'));
  store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  reader = openReader(store.path);
  client = await MongoClient.connect(store.uri);
  db = client.db('own');
});
afterAll(async () => {
  await client.close();
  await reader.close();
  await store.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const read = (collection: string, ...ids: mongoose.Types.ObjectId[]) =>
  reader.findByIds<Record<string, unknown>>(`own.${collection}`, ids);

test('every answered write is read at once, whatever was read in the same turn before', async () => {
  const things = db.collection('things');
  const ids = Array.from({ length: 300 }, () => new ObjectId());
  const state = new Map<string, number | undefined>();
  const random = numbers(20_261_126);
  for (let step = 0; step < 600; step++) {
    const id = ids[random(ids.length)] as mongoose.Types.ObjectId;
    if (random(5) === 0) {
      await things.deleteOne({ _id: id });
      state.delete(id.toHexString());
    } else {
      await things.updateOne({ _id: id }, { $set: { step, text: 'é'.repeat(random(400)) } }, { upsert: true });
      state.set(id.toHexString(), step);
    }
    expect(read('things', id)?.map((doc) => doc.step)).toEqual(
      state.has(id.toHexString()) ? [state.get(id.toHexString())] : [],
    );
  }
  const asked = await things.find({ _id: { $in: ids } }).toArray();
  const found = read('things', ...ids) ?? [];
  const byId = (docs: object[]) => new Map(docs.map((doc) => [String((doc as { _id: unknown })._id), doc]));
  expect(byId(found)).toEqual(byId(asked));
});

test('a document is never read half-written, nor one of two that a transaction writes without the other', async () => {
  const pairs = db.collection<{ _id: mongoose.Types.ObjectId; n: number; copy: number[] }>('pairs');
  const [one, two] = [new ObjectId(), new ObjectId()];
  await pairs.insertMany([one, two].map((_id) => ({ _id, n: 0, copy: [0] })));
  let isOver = false;
  const writing = (async () => {
    for (let n = 1; n <= 200; n++) await pairs.updateMany({}, { $set: { n, copy: Array(50).fill(n) } });
    isOver = true;
  })();
  while (!isOver) {
    const [first, second] = read('pairs', one, two) as { n: number; copy: number[] }[];
    expect(second?.n).toBe(first?.n);
    for (const { n, copy } of [first, second] as { n: number; copy: number[] }[])
      expect(copy.every((each) => each === n)).toBe(true);
    await new Promise(setImmediate);
  }
  await writing;
});

test('a collection without documents so far is told from others, also while indexes and collections come and go', async () => {
  const id = new ObjectId();
  expect(read('later', id)).toBeUndefined();
  await db.createCollection('later');
  await db.collection('later').insertOne({ _id: id });
  await db.collection('later').deleteOne({ _id: id });
  expect(read('later', id)).toEqual([]);
  for (let n = 0; n < 5; n++) {
    await db.collection('later').createIndex({ n: 1 }, { name: 'passing' });
    await db.createCollection(`beside${n}`);
    await db.collection('later').updateOne({ _id: id }, { $set: { n } }, { upsert: true });
    await db.collection('later').dropIndex('passing');
    await db.dropCollection(`beside${n}`);
    expect(read('later', id)).toEqual([{ _id: id, n }]);
  }
});

test('documents are counted after every answered write as the store counts them, also while indexes come and go', async () => {
  const owned = db.collection('owned');
  const owners = Array.from({ length: 8 }, () => new ObjectId());
  const random = numbers(7);
  const count = (filter: object) => reader.count('own.owned', filter as Record<string, unknown>);
  expect(count({ owner: owners[0] })).toBe(0);
  await owned.insertOne({ owner: owners[0] });
  expect(count({ owner: owners[0] })).toBeUndefined();
  const ofOwner = { owner: 1, at: -1 } as const;
  const partial = { partialFilterExpression: { due: { $exists: true } } };
  for (let step = 0; step < 300; step++) {
    const owner = owners[random(owners.length)] as mongoose.Types.ObjectId;
    const due = random(4) === 0 ? { due: new ObjectId() } : {};
    if (random(3) === 0) await owned.deleteOne({ owner });
    else await owned.insertOne({ owner, at: random(10), ...due });
    await owned.createIndex(ofOwner);
    await owned.createIndex({ due: 1 }, partial);
    const some = owners[random(owners.length)];
    const filters: Record<string, unknown>[] = [
      { owner: { $in: owners.filter(() => random(3) === 0) } },
      { owner, at: { $gt: random(10) } },
      { due: { $gt: some, $lte: new ObjectId() } },
      { _id: { $gt: some, $lte: new ObjectId() } },
    ];
    for (const filter of filters) expect(count(filter)).toBe(await owned.countDocuments(filter));
    if (random(10) > 0) continue;
    await owned.dropIndex('owner_1_at_-1');
    await owned.dropIndex('due_1');
    expect([{ owner }, { due: { $gt: some } }].map(count)).toEqual([undefined, undefined]);
  }
  await owned.createIndex({ due: 1 }, partial);
  // What an index lacks, values in arrays, a field without an index, and everything are not counted by keys alone.
  await owned.insertOne({ owner: owners.slice(0, 2), due: [new ObjectId(), new ObjectId()] });
  const notByKeys = [{ due: { $exists: false } }, { due: { $gt: owners[0] } }, { at: 1 }, {}];
  expect(notByKeys.map(count)).toEqual([undefined, undefined, undefined, undefined]);
});

/** Whole numbers below a bound, the same ones for a seed (Park and Miller's generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

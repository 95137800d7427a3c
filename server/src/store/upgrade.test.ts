import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { smallDisk } from '#test/disk';
import { builtWorker } from '#test/workers';
import { encode } from './bson/values.ts';
import { compactStore, StoreError, startStore } from './index.ts';
import { FORMAT, FORMAT_KEY, parseFormat } from './records.ts';
import { openLmdb } from './storage/lmdb.ts';
import { freshFolder, openStore } from './testing.ts';

/** Files of earlier versions, with every kind of index; `building` was ended while it built two indexes and removed what was dropped. */
const KEPT = fileURLToPath(new URL('../../test/stores/', import.meta.url));
const COUNT = 290;

const { ObjectId } = mongoose.mongo;
type Doc = Record<string, unknown>;

async function keptFolder(file: string): Promise<string> {
  const dataDir = freshFolder();
  await mkdir(join(dataDir, 'store'));
  await writeFile(join(dataDir, 'store/data.mdb'), gunzipSync(readFileSync(KEPT + file)));
  return dataDir;
}

async function formatIn(dataDir: string): Promise<number> {
  const storage = openLmdb(join(dataDir, 'store'));
  const value = storage.get(FORMAT_KEY);
  await storage.close();
  return parseFormat(value as Buffer);
}

/** What the kept files hold: written by the same words in their time. */
const things = () =>
  Array.from({ length: COUNT }, (_, i) => ({
    _id: new ObjectId(`${(0x65000000 + i * 60).toString(16)}aabbccddeeff${1000 + i}`),
    n: i,
    key: `key ${i % 7}`,
    group: i < 20 ? 9 : i % 5,
    at: new Date(1.7e12 + ((i * 7919) % 300) * 1000),
    tags: i % 3 ? [`t${i % 4}`, `t${i % 9}`, `t${i % 4}`] : [],
    ...(i % 2 ? { odd: i } : {}),
    open: i % 4 === 0,
    long: i === 150 ? 'l'.repeat(3000) : `l${i % 10}`,
  }));
const HINTS = [
  'key_1_n_1',
  'group_1_at_-1__id_-1',
  'group_1__id_1',
  'tags_1__id_-1',
  'sparse',
  'long_1__id_-1',
  '_id_-1_group_1',
];

test.each(readdirSync(KEPT))('%s is converted to the current format with all its data', async (file) => {
  const dataDir = await keptFolder(file);
  const told: string[] = [];
  const store = await startStore({
    dataDir,
    workerUrl: await builtWorker('store/worker'),
    log: (sentence) => told.push(sentence),
  });
  expect(told).toEqual([
    expect.stringMatching(/^The data \(\d+ MB\) is being converted to the format of this version/),
    expect.stringMatching(/^The data was converted to the format of this version/),
  ]);
  await store.stop();
  expect(await formatIn(dataDir)).toBe(FORMAT);

  const { db, close } = await openStore(dataDir);
  const all = db.collection('things');
  const plain = things();
  const by = (compare: (a: (typeof plain)[0], b: (typeof plain)[0]) => number, of = plain) =>
    of.toSorted(compare).map(({ n }) => n);
  const ns = async (found: { toArray(): Promise<Doc[]> }) => (await found.toArray()).map(({ n }) => n);
  const age = (one: { _id: { toHexString(): string } }) => Number.parseInt(one._id.toHexString().slice(0, 8), 16);
  expect(await all.find().toArray()).toEqual(plain);
  for (const name of ['things', 'mixed', ...(file.includes('building') ? ['half'] : [])]) {
    // asking for an index waits until it is built
    for (const { key, v, ...options } of await db.collection(name).indexes()) {
      if (options.name !== '_id_') await db.collection(name).createIndex(key, options);
    }
    expect(await db.command({ validate: name })).toMatchObject({ errors: [], valid: true });
  }
  expect(await db.listCollections({ name: 'gone' }).toArray()).toEqual([]);
  for (const hint of HINTS) expect(await all.find().hint(hint).toArray()).toHaveLength(COUNT);

  const inGroup = (group: number) => plain.filter((one) => one.group === group);
  expect(await ns(all.find({ group: 9 }).sort({ at: -1, _id: -1 }))).toEqual(by((a, b) => +b.at - +a.at, inGroup(9)));
  expect(await ns(all.find({ group: 3 }).sort({ _id: 1 }))).toEqual(by((a, b) => age(a) - age(b), inGroup(3)));
  const tagged = plain.filter(({ tags }) => tags.includes('t3'));
  expect(await ns(all.find({ tags: 't3' }).sort({ _id: -1 }))).toEqual(by((a, b) => age(b) - age(a), tagged));
  expect(await ns(all.find({ key: 'key 4', n: 60 }))).toEqual([60]);
  expect(await ns(all.find({ long: 'l'.repeat(3000) }))).toEqual([150]);
  await expect(all.insertOne({ key: 'key 4', n: 60 })).rejects.toMatchObject({ code: 11000 });
  const mixed = db.collection<{ _id: never }>('mixed');
  for (const _id of [2.5, 'a\0b', 'x'.repeat(400), { a: 1, b: [1] }])
    expect(await mixed.find({ _id: _id as never }).toArray()).toHaveLength(1);
  expect(await mixed.countDocuments()).toBe(11);
  await close();
});

test('compacting also converts the data, and leaves data of the current format unchanged', async () => {
  const dataDir = await keptFolder('format-1.mdb.gz');
  await compactStore(dataDir);
  expect(await formatIn(dataDir)).toBe(FORMAT);
  const told: string[] = [];
  const options = { dataDir, workerUrl: await builtWorker('store/worker'), tell: (text: string) => told.push(text) };
  await (await startStore(options)).stop();
  expect(told).toEqual([]);
  expect((await readdir(join(dataDir, 'store'))).sort()).toEqual(['data.mdb', 'lock.mdb']);
});

test('without enough disk space the conversion is refused with a message, and nothing changes', async () => {
  const disk = smallDisk(4);
  if (!disk) return; // this user may not make one
  try {
    const store = join(disk.folder, 'store');
    await mkdir(store);
    const old = gunzipSync(readFileSync(`${KEPT}format-1.mdb.gz`));
    await writeFile(join(store, 'data.mdb'), old);
    const empty = disk.fill((free) => free - 200_000);
    await expect(openStore(disk.folder)).rejects.toThrow(
      /cannot be converted: that needs 1 MB of free disk space, and only 1 MB are/,
    );
    expect(readFileSync(join(store, 'data.mdb')).equals(old)).toBe(true);
    empty();
    const { db, close } = await openStore(disk.folder);
    expect(await db.collection('things').countDocuments()).toBe(COUNT);
    await close();
  } finally {
    disk.remove();
  }
});

test('data of a newer version is refused', async () => {
  const dataDir = await keptFolder('format-1.mdb.gz');
  const storage = openLmdb(join(dataDir, 'store'));
  storage.transact(() => storage.put(FORMAT_KEY, encode({ format: FORMAT + 1 })));
  await storage.close();
  const start = openStore(dataDir);
  await expect(start).rejects.toThrow(StoreError);
  await expect(start).rejects.toThrow('The data was written by a newer version of Parley');
});

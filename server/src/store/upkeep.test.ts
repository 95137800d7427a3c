import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from './engine.ts';
import { backUpStore, compactStore, runningStore, StoreError } from './index.ts';
import { openLmdb } from './storage/lmdb.ts';
import { freshFolder, type OpenStore, openStore } from './testing.ts';

const MANY = 1_000;
let open: OpenStore;

beforeAll(async () => {
  open = await openStore();
  const items = open.db.collection('items');
  await items.createIndex({ tags: 1 });
  await items.createIndex({ n: 1 }, { unique: true });
  await items.insertMany(Array.from({ length: MANY }, (_, n) => ({ _id: n, n, tags: [n % 3, 'x'] })) as never[]);
});
afterAll(() => open.close());

const validated = ({ db }: OpenStore, name = 'items') => db.command({ validate: name });

describe('validate', () => {
  test('finds intact data valid, and reports the counts', async () => {
    expect(await validated(open)).toEqual({
      ns: 'parley.items',
      nrecords: MANY,
      nIndexes: 3,
      valid: true,
      repaired: false,
      warnings: [],
      errors: [],
      keysPerIndex: { _id_: MANY, tags_1: 2 * MANY, n_1: MANY },
      ok: 1,
    });
  });

  test('works while others write', async () => {
    const items = open.db.collection<{ _id: number; n: number }>('items');
    let going = true;
    const writes = (async () => {
      for (let n = MANY; going; n++) {
        await items.insertOne({ _id: n, n });
        await items.updateOne({ _id: n - MANY }, { $set: { n: -n } });
        await items.updateOne({ _id: n - MANY + 1 }, { $set: { n: n - MANY } });
        await items.updateOne({ _id: n - MANY + 1 }, { $set: { n: n - MANY + 1 } });
        await items.deleteOne({ _id: n });
        await items.updateOne({ _id: n - MANY }, { $set: { n: n - MANY } });
      }
    })();
    const answers = [await validated(open), await validated(open)];
    going = false;
    await writes;
    expect(answers.map(({ valid, errors }) => [valid, errors])).toEqual([
      [true, []],
      [true, []],
    ]);
  });

  test('fails for an unknown collection', async () => {
    await expect(validated(open, 'nothing')).rejects.toMatchObject({ code: 26 });
  });

  test('reports inconsistent data', async () => {
    const first = await openStore();
    await first.db.collection('items').createIndex({ n: 1 });
    await first.db.collection('items').insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }] as never[]);
    await first.close();
    const storage = openLmdb(join(first.dataDir, 'store'));
    storage.transact(() => {
      const { documents, index } = spaces(storage);
      const [one] = storage.keys({ start: documents, end: after(documents), backwards: false }, 1);
      const [, , three] = storage.keys({ start: index, end: after(index), backwards: false }, 3);
      if (!one || !three) throw new Error('there is nothing to damage');
      storage.remove(one);
      storage.remove(three);
      storage.put(Buffer.concat([documents, Buffer.from('zz')]), Buffer.from('rubbish'));
      storage.put(Buffer.concat([documents, Buffer.from('zzz')]), Buffer.from('rubbish'));
    });
    await storage.close();
    const again = await openStore(first.dataDir);
    const { valid, errors, nrecords } = await validated(again);
    expect([valid, nrecords]).toEqual([false, 4]);
    expect(errors).toEqual([
      'n_1 has no entry of the document 3',
      'a document cannot be read under its key 7a7a',
      'a document cannot be read under its key 7a7a7a',
      'n_1 has an entry without a document',
      '3 documents are counted, but 4 exist',
    ]);
    await again.close();
  });
});

function spaces(storage: ReturnType<typeof openLmdb>) {
  const collection = createEngine(storage).catalogue.get('parley.items');
  const [index] = collection?.indexes ?? [];
  if (!collection || !index) throw new Error('the collection is not there');
  return { documents: collection.documentSpace(), index: collection.indexSpace(index) };
}

const after = (space: Buffer) => Buffer.concat([space, Buffer.alloc(8, 0xff)]);

describe('a backup', () => {
  test('of a running store has all acknowledged writes, and a server starts on it', async () => {
    const target = freshFolder();
    await backUpStore(open.dataDir, target);
    await open.db.collection('late').insertOne({ a: 1 });
    const copy = await openStore(target);
    expect(await copy.db.collection('items').countDocuments()).toBe(MANY);
    expect((await validated(copy)).valid).toBe(true);
    expect(await copy.db.collection('late').countDocuments()).toBe(0);
    await copy.close();
  });

  test('that is stopped by a signal releases its resources and leaves no complete-looking folder', async () => {
    const target = freshFolder();
    const before = process.listenerCount('SIGTERM');
    const copied = backUpStore(open.dataDir, target);
    while (process.listenerCount('SIGTERM') === before) await new Promise((resolve) => setImmediate(resolve));
    process.emit('SIGTERM');
    await expect(copied).rejects.toThrow('The copy was stopped before it was complete.');
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });

  test('of a killed process keeps disk space only until the next check', async () => {
    const dataDir = freshFolder();
    await (await openStore(dataDir)).close();
    const folder = join(dataDir, 'store');
    const storage = openLmdb(folder);
    const script = `const { open } = require('lmdb');
      const db = open({ path: ${JSON.stringify(folder)}, readOnly: true, keyEncoding: 'binary', encoding: 'binary', maxDbs: 1 });
      const txn = db.useReadTransaction();
      console.log([...db.getKeys({ transaction: txn, limit: 1 })].length);
      setInterval(() => txn, 1000);`;
    const reader = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(reader.stdout, 'data');
    expect(storage.forgetDeadReaders()).toBe(0);
    reader.kill('SIGKILL');
    await once(reader, 'exit');
    expect(storage.forgetDeadReaders()).toBe(1);
    await storage.close();
  });

  test('without data is refused', async () => {
    await expect(backUpStore(freshFolder(), freshFolder())).rejects.toThrow(/^There is no data in /);
  });
});

test('compacting frees unused space while no server runs, and loses nothing', async () => {
  const first = await openStore();
  const items = first.db.collection('items');
  await items.createIndex({ n: 1 });
  await items.insertMany(Array.from({ length: MANY }, (_, n) => ({ _id: n, n, text: 'x'.repeat(500) })) as never[]);
  await items.deleteMany({ n: { $gte: 10 } });
  await expect(compactStore(first.dataDir)).rejects.toThrow(StoreError);
  await first.close();
  const { before, after: left } = await compactStore(first.dataDir);
  expect(left).toBeLessThan(before / 4);
  const again = await openStore(first.dataDir);
  expect(await again.store.bytes()).toBeLessThan(before / 4);
  expect(await again.db.collection('items').countDocuments()).toBe(10);
  expect((await validated(again)).valid).toBe(true);
  await again.close();
});

test('the running store of a folder is found', async () => {
  expect(await runningStore(open.dataDir)).toBe(open.store.uri);
  expect(await runningStore(freshFolder())).toBeNull();
});

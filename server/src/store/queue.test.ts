import { afterEach, describe, expect, test } from 'vitest';
import { type BareStore, freshFolder, openBare } from './testing.ts';

type Doc = Record<string, unknown>;

let store: BareStore;
afterEach(() => store.close());

const numbered = (n: number, more: (i: number) => Doc = () => ({})) =>
  Array.from({ length: n }, (_, i) => ({ _id: i, ...more(i) }));
const insert = (name: string, documents: Doc[]) => store.ask({ insert: name, documents });
const update = (name: string, q: Doc, u: Doc, more: Doc = {}) =>
  store.ask({ update: name, updates: [{ q, u, ...more }] });
const remove = (name: string, q: Doc, limit: 0 | 1) => store.ask({ delete: name, deletes: [{ q, limit }] });
const index = (name: string, key: Doc, options: Doc = {}) =>
  store.ask({ createIndexes: name, indexes: [{ key, name: Object.keys(key).join(), ...options }] });
const find = async (name: string, filter: Doc = {}, more: Doc = {}): Promise<Doc[]> =>
  (await store.ask({ find: name, filter, batchSize: 10_000, ...more })).cursor as never as Doc[];
const found = async (name: string, filter: Doc = {}, more: Doc = {}): Promise<Doc[]> =>
  ((await find(name, filter, more)) as never as { firstBatch: Doc[] }).firstBatch;
const count = async (name: string, query: Doc = {}) => (await store.ask({ count: name, query })).n as number;
const isValid = async (name: string) => (await store.ask({ validate: name })).errors;
const times = <T>(n: number, work: (i: number) => T) => Array.from({ length: n }, (_, i) => work(i));

describe('one transaction for concurrent commands', () => {
  const COUNT = 200;

  test('of updates', async () => {
    store = openBare();
    await insert('a', numbered(COUNT));
    const before = store.transactions();
    await Promise.all(times(COUNT, (i) => update('a', { _id: i }, { $set: { text: 'x'.repeat(500) } })));
    expect(store.transactions() - before).toBeLessThanOrEqual(3);
  });

  test('on a slow processor', async () => {
    store = openBare();
    await insert('a', numbered(40));
    const before = store.transactions();
    store.slowDown(3);
    await Promise.all(times(40, (i) => update('a', { _id: i }, { $set: { n: 1 } })));
    expect(store.transactions() - before).toBeLessThanOrEqual(3);
  });

  test('of inserts with many index entries', async () => {
    store = openBare();
    await index('a', { words: 1 });
    const before = store.transactions();
    await Promise.all(times(80, (i) => insert('a', [{ _id: i, words: times(60, (n) => `word ${n} of ${i}`) }])));
    expect(store.transactions() - before).toBeLessThanOrEqual(3);
  });
});

test('a read that arrives with writes runs before them, because their changes are not stored yet', async () => {
  store = openBare();
  await insert('a', [{ _id: 0, n: 1 }]);
  const [, during] = await Promise.all([update('a', {}, { $set: { n: 2 } }), found('a')]);
  expect([during, await found('a')]).toEqual([[{ _id: 0, n: 1 }], [{ _id: 0, n: 2 }]]);
});

describe('while a long command runs', () => {
  const LONG = 3_000;
  const words = (i: number) => ({ words: times(10, (n) => `word ${n} of ${i}`) });
  const deletion = () => remove('a', { _id: { $gte: 0 } }, 0);
  const building = () => index('a', { n: 1 });

  test.each([deletion, building])('other commands are answered after a small part of a slice', async (long) => {
    store = openBare();
    await index('a', { words: 1 });
    await insert('a', numbered(LONG, words));
    const { storage, sliceWork } = store.engine;
    let hasEnded = false;
    const ended = long().finally(() => {
      hasEnded = true;
    });
    await insert('b', [{ _id: 0 }]);
    for (let i = 1; i <= 5; i++) {
      const before = storage.work;
      await insert('b', [{ _id: i }]);
      expect(storage.work - before).toBeLessThan(sliceWork / 2);
    }
    expect(hasEnded).toBe(false);
    await ended;
    expect(await isValid('a')).toEqual([]);
  });

  test('an insert of many documents uses whole slices, because clients wait for it', async () => {
    store = openBare();
    await index('a', { words: 1 });
    const before = store.transactions();
    let hasEnded = false;
    const ended = insert('a', numbered(400, words)).finally(() => {
      hasEnded = true;
    });
    for (let i = 0; !hasEnded; i++) await insert('b', [{ _id: i }]);
    await ended;
    expect(store.transactions() - before).toBeLessThan(25);
  });
});

describe('with the smallest slices', () => {
  test('concurrent upserts of counters neither fail nor lose an increment', async () => {
    store = openBare(0);
    await index('figures', { site: 1, day: 1 }, { unique: true });
    const bump = (i: number) =>
      update('figures', { site: i % 3, day: 1 }, { $inc: { n: 1 } }, { upsert: true }).then(({ writeErrors }) =>
        expect(writeErrors).toBeUndefined(),
      );
    await Promise.all(times(90, bump));
    expect((await found('figures')).map(({ n }) => n)).toEqual([30, 30, 30]);
  });

  test.each(['update', 'findAndModify'])(
    'the later of two upserts (%s) updates the document of the first',
    async (command) => {
      store = openBare(0);
      await insert(
        'a',
        numbered(20, () => ({ open: false })),
      );
      // the filter does not imply the index's condition: all documents are looked at, and both find nothing
      await index('a', { key: 1 }, { unique: true, partialFilterExpression: { open: true } });
      const u = { $set: { open: true }, $inc: { n: 1 } };
      const bump = () =>
        command === 'update'
          ? update('a', { key: 'k' }, u, { upsert: true })
          : store.ask({ findAndModify: 'a', query: { key: 'k' }, update: u, upsert: true });
      const answers = await Promise.all([bump(), bump(), bump()]);
      expect(answers.flatMap(({ writeErrors }) => writeErrors ?? [])).toEqual([]);
      expect(await found('a', { key: 'k' })).toMatchObject([{ n: 3 }]);
    },
  );

  test('each of many commands that want one document gets a different one', async () => {
    store = openBare(0);
    await index('jobs', { state: 1 });
    await insert(
      'jobs',
      numbered(60, () => ({ state: 'free' })),
    );
    const removed = await Promise.all(times(20, () => remove('jobs', { state: 'free' }, 1)));
    expect(removed.map(({ n }) => n)).toEqual(times(20, () => 1));
    const take = { $set: { state: 'taken' } };
    const taken = await Promise.all(times(20, () => update('jobs', { state: 'free' }, take, { upsert: true })));
    expect(taken.map(({ n, upserted }) => [n, upserted])).toEqual(times(20, () => [1, undefined]));
    const query = { query: { state: 'free' }, sort: { age: 1 }, update: take };
    const sorted = await Promise.all(times(20, () => store.ask({ findAndModify: 'jobs', ...query })));
    expect(new Set(sorted.map(({ value }) => (value as Doc)._id)).size).toBe(20);
    expect(await count('jobs', { state: 'taken' })).toBe(40);
    expect(await count('jobs')).toBe(40);
  });

  test('a multi-update changes each document once, although documents move in the index', async () => {
    store = openBare(0);
    await index('a', { n: 1 });
    await insert(
      'a',
      numbered(50, (n) => ({ n })),
    );
    const all = update('a', { n: { $gte: 0 } }, { $inc: { hits: 1, n: 1000 } }, { multi: true });
    const others = times(10, (i) => update('a', { _id: i }, { $inc: { n: 25 } }));
    const [{ n, nModified }] = (await Promise.all([all, ...others])) as [Doc];
    expect([n, nModified]).toEqual([50, 50]);
    expect(await count('a', { hits: 1 })).toBe(50);
  });

  test('a drop during an insert leaves the later documents in a new collection', async () => {
    const folder = freshFolder();
    store = openBare(0, folder);
    const inserted = insert('anna', numbered(30));
    const dropped = store.ask({ drop: 'anna' }).then(() => count('anna'));
    const [{ n }, early] = (await Promise.all([inserted, dropped])) as [Doc, number];
    expect([n, early < 30]).toEqual([30, true]);
    expect(await count('anna')).toBeGreaterThan(20);
    expect(await found('anna')).toHaveLength(await count('anna'));
    expect(await isValid('anna')).toEqual([]);
    await store.ask({ drop: 'anna' });
    await store.close();
    store = openBare(0, folder);
    await insert('ben', [{ _id: 'ben' }]);
    expect(await found('ben')).toEqual([{ _id: 'ben' }]);
  });

  test('a drop during an update or a search ends it with an error', async () => {
    store = openBare(0);
    await index('a', { n: 1 });
    await insert(
      'a',
      numbered(30, (n) => ({ n })),
    );
    const changed = update('a', { n: { $gte: 0 } }, { $inc: { hits: 1 } }, { multi: true });
    const read = find('a', { n: { $gte: 0 } }).catch(({ code }) => code);
    await store.ask({ dropIndexes: 'a', index: 'n' });
    expect((await changed).writeErrors).toMatchObject([{ code: 175 }]);
    expect(await read).toBe(175);
    const again = update('a', {}, { $inc: { hits: 1 } }, { multi: true });
    await store.ask({ drop: 'a' });
    expect((await again).writeErrors).toMatchObject([{ code: 175 }]);
  });

  test('a write continues correctly after another batch has failed', async () => {
    store = openBare(0);
    await index('a', { tags: 1 });
    const inserted = insert(
      'a',
      numbered(30, (n) => ({ tags: n > 20 ? [n, -n] : n })),
    );
    await insert('b', [{ _id: 1 }]);
    // the batch after next: the one that meets the broken write refuses its own
    store.breakNextWrite();
    await expect(Promise.all([insert('b', [{ _id: 2 }]), inserted])).rejects.toMatchObject({ code: 14031 });
    await inserted.catch(() => undefined);
    expect(await isValid('a')).toEqual([]);
    expect(await found('a')).toHaveLength(await count('a'));
  });

  test('a document whose value becomes an array during a count is counted once', async () => {
    store = openBare(0);
    await index('a', { n: 1 });
    await insert(
      'a',
      numbered(20, (n) => ({ n })),
    );
    const counted = count('a', { n: { $gte: 0 } });
    await update('a', { _id: 19 }, { $set: { n: times(30, (i) => 100 + i) } });
    expect(await counted).toBe(20);
  });
});

describe('commands do not affect each other', () => {
  test('an unexpected failure rejects its own command and changes nothing', async () => {
    store = openBare();
    await insert('a', [{ _id: 1, n: 1 }]);
    let deep: Doc = { a: 1 };
    for (let level = 0; level < 3_000; level++) deep = { a: deep };
    const odd = { findAndModify: 'a', query: { _id: 1 }, update: { $inc: { n: 1 } }, fields: { b: 1, a: deep } };
    const [refused, inserted] = await Promise.allSettled([store.ask(odd), insert('a', [{ _id: 2 }])]);
    expect([refused.status, inserted.status]).toEqual(['rejected', 'fulfilled']);
    expect(await found('a')).toEqual([{ _id: 1, n: 1 }, { _id: 2 }]);
  });

  test('an invalid projection prevents the change', async () => {
    store = openBare();
    await insert('a', [{ _id: 1, n: 1 }]);
    const bad = { query: { _id: 1 }, fields: { a: 1, b: 0 } };
    await expect(store.ask({ findAndModify: 'a', remove: true, ...bad })).rejects.toMatchObject({ code: 2 });
    await expect(store.ask({ findAndModify: 'a', update: { n: 2 }, ...bad })).rejects.toMatchObject({ code: 2 });
    expect(await found('a')).toEqual([{ _id: 1, n: 1 }]);
  });
});

describe('cursors', () => {
  const first = async (body: Doc) =>
    (await store.ask(body)).cursor as { id: { toNumber(): number }; firstBatch: Doc[] };

  test('over several ranges only return documents that still match', async () => {
    store = openBare();
    await index('a', { site: 1, open: 1, n: 1 });
    await insert(
      'a',
      numbered(60, (n) => ({ site: n % 3, open: true, n })),
    );
    const filter = { site: { $in: [0, 1, 2] }, open: true };
    const { id, firstBatch } = await first({ find: 'a', filter, sort: { n: 1 }, batchSize: 5 });
    expect(firstBatch).toHaveLength(5);
    await update('a', {}, { $set: { open: false } }, { multi: true });
    const { cursor } = await store.ask({ getMore: id, collection: 'a', batchSize: 100 });
    expect((cursor as { nextBatch: Doc[] }).nextBatch).toEqual([]);
  });

  test('end with an error when their index is dropped', async () => {
    store = openBare();
    await index('a', { n: 1 });
    await insert(
      'a',
      numbered(60, (n) => ({ n })),
    );
    const { id } = await first({ find: 'a', filter: { n: { $gte: 0 } }, batchSize: 5 });
    await store.ask({ dropIndexes: 'a', index: 'n' });
    await expect(store.ask({ getMore: id, collection: 'a' })).rejects.toMatchObject({ code: 175 });
  });
});

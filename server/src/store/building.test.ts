import { Double, Long } from 'bson';
import { afterEach, describe, expect, test } from 'vitest';
import { documentSpace, indexSpace } from './entries.ts';
import { type BareStore, freshFolder, openBare } from './testing.ts';

type Doc = Record<string, unknown>;

let store: BareStore;
afterEach(() => store.close());

const COUNT = 60;
const documents = (n = COUNT) => Array.from({ length: n }, (_, i) => ({ _id: i, n: i % 10, tag: `tag ${i}` }));
const insert = (docs: Doc[]) => store.ask({ insert: 'a', documents: docs });
const index = (key: Doc, options: Doc = {}) =>
  store.ask({ createIndexes: 'a', indexes: [{ key, name: Object.keys(key).join(), ...options }] });
const names = async () =>
  ((await store.ask({ listIndexes: 'a' })).cursor as { firstBatch: Doc[] }).firstBatch.map(({ name }) => name);
const stage = async (filter: Doc) => {
  const { queryPlanner } = await store.ask({ explain: { find: 'a', filter }, verbosity: 'queryPlanner' });
  return (queryPlanner as { winningPlan: { stage: string } }).winningPlan.stage;
};
const validated = () => store.ask({ validate: 'a' });
const isBuilding = () => store.engine.catalogue.get('db.a')?.indexes.some(({ building }) => building) === true;
const NUMBERS = Array.from({ length: 20 }, (_, i) => i);
/** How many keys there are in all collections and indexes. */
const keys = () =>
  NUMBERS.flatMap((n) => [documentSpace(n), indexSpace(n)]).reduce(
    (sum, space) => sum + store.engine.storage.count(space),
    0,
  );
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function until(isSo: () => boolean) {
  while (!isSo()) await turn();
}

describe('building an index', () => {
  test('does not block others, includes their writes, and is not used before it is complete', async () => {
    store = openBare(0);
    await insert(documents());
    const built = index({ n: 1 });
    await until(isBuilding);
    const hinted = expect(store.ask({ find: 'a', hint: 'n' })).rejects.toMatchObject({ code: 2 });
    const planned = expect(stage({ n: 3 })).resolves.toBe('COLLSCAN');
    await Promise.all([
      insert([{ _id: 100, n: 3 }]),
      insert([{ _id: -1, n: 3 }]),
      store.ask({ update: 'a', updates: [{ q: { _id: 59 }, u: { $set: { n: 3 } } }] }),
      store.ask({ update: 'a', updates: [{ q: { _id: 0 }, u: { $set: { n: 3 } } }] }),
      store.ask({ delete: 'a', deletes: [{ q: { _id: 58 }, limit: 1 }] }),
      store.ask({ delete: 'a', deletes: [{ q: { _id: 1 }, limit: 1 }] }),
    ]);
    expect(isBuilding()).toBe(true);
    await Promise.all([hinted, planned, built]);
    expect(await stage({ n: 3 })).toBe('FETCH');
    expect(await validated()).toMatchObject({ errors: [], keysPerIndex: { n: COUNT } });
    expect(await store.ask({ count: 'a', query: { n: 3 } })).toMatchObject({ n: 10 });
  });

  test('removes all its entries when a document violates it', async () => {
    store = openBare(0);
    await insert(documents());
    const before = keys();
    await expect(index({ n: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await names()).toEqual(['_id_']);
    await store.queue.idle();
    expect(keys()).toBe(before);
  });

  test('keeps a unique entry when an earlier document with the same key is removed meanwhile', async () => {
    store = openBare(0);
    await insert([...documents(), { _id: 100, n: 3, tag: 'tag 0' }, { _id: 101, n: 3, tag: 'tag 1' }]);
    const built = index({ tag: 1 }, { unique: true });
    await until(isBuilding);
    await insert([{ _id: 102, tag: 'last' }]);
    expect(isBuilding()).toBe(true);
    await Promise.all([
      store.ask({ delete: 'a', deletes: [{ q: { _id: 100 }, limit: 1 }] }),
      store.ask({ update: 'a', updates: [{ q: { _id: 101 }, u: { $set: { tag: 'another' } } }] }),
    ]);
    expect(isBuilding()).toBe(true);
    await built;
    expect(await validated()).toMatchObject({ errors: [], keysPerIndex: { tag: COUNT + 2 } });
  });

  test('requested twice at once runs once, and both wait', async () => {
    store = openBare(0);
    await insert(documents());
    await Promise.all([index({ tag: 1 }, { unique: true }), index({ tag: 1 }, { unique: true })]);
    expect(await stage({ tag: 'tag 1' })).toBe('FETCH');
    expect(await validated()).toMatchObject({ errors: [], keysPerIndex: { tag: COUNT } });
  });

  test('continues after a restart', async () => {
    const folder = freshFolder();
    store = openBare(0, folder);
    await insert(documents());
    void index({ tag: 1 }, { unique: true });
    await until(isBuilding);
    await turn();
    await store.close();
    store = openBare(0, folder);
    expect(isBuilding()).toBe(true);
    expect(await stage({ tag: 'tag 1' })).toBe('COLLSCAN');
    store.queue.resume();
    await index({ tag: 1 }, { unique: true });
    expect(await stage({ tag: 'tag 1' })).toBe('FETCH');
    expect(await validated()).toMatchObject({ errors: [], keysPerIndex: { tag: COUNT } });
  });
});

test('createIndex treats equal numbers of different types as the same key, also within one command', async () => {
  store = openBare();
  const key = (one: unknown) => ({ key: { n: one }, name: 'n' });
  await store.ask({ createIndexes: 'a', indexes: [key(1), key(1)] });
  for (const one of [new Double(1), Long.fromNumber(1)])
    expect(await store.ask({ createIndexes: 'a', indexes: [key(one)] })).toMatchObject({ numIndexesAfter: 2 });
  expect(await names()).toEqual(['_id_', 'n']);
});

describe('dropping', () => {
  test('takes effect at once and frees the space afterwards', async () => {
    store = openBare(0);
    await insert(documents());
    await index({ n: 1 });
    await store.ask({ dropIndexes: 'a', index: 'n' });
    expect(await names()).toEqual(['_id_']);
    expect(keys()).toBeGreaterThan(COUNT);
    await store.queue.idle();
    expect(keys()).toBe(COUNT);
    await store.ask({ drop: 'a' });
    expect(await store.ask({ count: 'a' })).toMatchObject({ n: 0 });
    await insert(documents(1));
    await store.queue.idle();
    expect(keys()).toBe(1);
  });

  test('is completed at the next start after a crash', async () => {
    const folder = freshFolder();
    store = openBare(0, folder);
    await insert(documents(400));
    await index({ n: 1 });
    await store.ask({ drop: 'a' });
    expect(keys()).toBeGreaterThan(0);
    await store.close();
    store = openBare(0, folder);
    store.queue.resume();
    await store.queue.idle();
    expect(keys()).toBe(0);
    expect(store.engine.catalogue.nextDropped()).toBeUndefined();
  });
});

test('collections and indexes above the limit are refused until some are dropped', async () => {
  store = openBare();
  const into = (n: number) => store.ask({ insert: `c${n}`, documents: [{ _id: 1 }] });
  const answers = await Promise.allSettled(Array.from({ length: 3_901 }, (_, n) => into(n)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3_900);
  await expect(into(3_901)).rejects.toMatchObject({ code: 67 });
  await expect(index({ n: 1 })).rejects.toMatchObject({ code: 67 });
  expect(await into(0)).toMatchObject({ writeErrors: [{ code: 11000 }] });
  await store.ask({ drop: 'c1' });
  await store.queue.idle();
  expect(await into(3_901)).toMatchObject({ n: 1 });
});

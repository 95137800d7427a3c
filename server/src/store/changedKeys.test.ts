import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BareStore, openBare } from './testing.ts';

let store: BareStore;
beforeAll(() => {
  store = openBare();
});
afterAll(() => store.close());

type Doc = Record<string, unknown>;

/** Properties make many small runs, on a machine that may be busy. */
const PROPERTY_MS = 60_000;
const IDS = [0, 1];

/** Every kind of index over arrays. */
const INDEXES: [Doc, Doc][] = [
  [{ a: 1 }, {}],
  [{ s: 1, a: -1 }, {}],
  [{ a: 1, s: 1, _id: -1 }, {}],
  [{ a: 1, s: -1 }, { sparse: true }],
  [{ 'a.c': 1 }, {}],
  [{ 'a.c': 1, a: 1 }, { sparse: true }],
  [{ a: -1 }, { partialFilterExpression: { a: 'x' } }],
  [{ a: 1, _id: 1 }, { partialFilterExpression: { s: { $gt: 0 } } }],
  [{ 'e.c': 1, 'e.d': -1 }, {}],
  [{ u: 1 }, { unique: true, sparse: true }],
  [
    { u: 1, s: 1 },
    { unique: true, partialFilterExpression: { u: { $exists: true } } },
  ],
];

const word = fc.constantFrom('x', 'y', 'z', '', 'x'.repeat(2_000));
const element = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom(null, 1, 1.5, ['x'], [], { c: 'x' }, { c: ['x', 'y'] }, {}),
);
const several = fc.array(element, { maxLength: 3 });
const list = fc.constantFrom('a', 'a', 'u', 'e.0.d');
const change: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(list, element).map(([at, one]) => ({ $push: { [at]: one } })) },
  { weight: 3, arbitrary: fc.tuple(list, several).map(([at, all]) => ({ $push: { [at]: { $each: all } } })) },
  fc
    .tuple(several, fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))
    .map(([all, $position, $slice]) => ({ $push: { a: { $each: all, $position, $slice } } })),
  fc.tuple(list, several).map(([at, all]) => ({ $addToSet: { [at]: { $each: all } } })),
  fc.tuple(list, word).map(([at, one]) => ({ $pull: { [at]: one } })),
  several.map((all) => ({ $set: { a: all } })),
  fc.constantFrom<Doc>({ $unset: { a: 1 } }, { $set: { 'a.0': 'y' } }, { $set: { a: 'x' } }, { $set: { a: [] } }),
  fc.integer({ min: -1, max: 1 }).map((s) => ({ $set: { s } })),
);
/** Sometimes of two fields, of which an index has both or one. */
const update = fc.oneof(
  change,
  fc.tuple(several, fc.integer({ min: -1, max: 1 })).map(([$each, s]) => ({ $push: { a: { $each } }, $set: { s } })),
);
const document = fc.record({ a: several, u: several, s: fc.constantFrom(0, 1), e: fc.constant([{ c: 1, d: ['x'] }]) });

let last = 0;
/** A new collection with all indexes. */
async function created(): Promise<string> {
  const name = `c${++last}`;
  const indexes = INDEXES.map(([key, options], i) => ({ key, name: `${i}`, ...options }));
  await store.ask({ createIndexes: name, indexes });
  return name;
}

const found = async (name: string) => ((await store.ask({ find: name })).cursor as { firstBatch: Doc[] }).firstBatch;

test(
  'changed arrays have the entries that they would have if they were new',
  async () => {
    const writes = fc.array(fc.tuple(fc.constantFrom(...IDS), update), { minLength: 5, maxLength: 12 });
    const property = fc.asyncProperty(fc.tuple(document, document), writes, async (docs, changes) => {
      const [name, anew] = [await created(), await created()];
      const documents = docs.map((doc, _id) => ({ _id, ...doc }));
      await store.ask({ insert: name, documents, ordered: false });
      for (const [_id, u] of changes) {
        // parallel arrays are refused by an index, keys that are taken, and a change of what is no array
        await store.ask({ update: name, updates: [{ q: { _id }, u }] });
        expect(await store.ask({ validate: name })).toMatchObject({ errors: [] });
      }
      const left = await found(name);
      if (left.length === 0) return;
      expect(await store.ask({ insert: anew, documents: left })).toMatchObject({ n: left.length, ok: 1 });
      const { keysPerIndex } = await store.ask({ validate: name });
      expect((await store.ask({ validate: anew })).keysPerIndex).toEqual(keysPerIndex);
    });
    await fc.assert(property, { numRuns: 60 });
  },
  PROPERTY_MS,
);

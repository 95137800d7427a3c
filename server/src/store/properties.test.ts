import { Double, Int32, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, invertKey, valueKey } from './bson/keys.ts';
import { type OpenStore, openStore } from './testing.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open.close());

/** Properties make many small runs, on a machine that may be busy. */
const PROPERTY_MS = 60_000;

type Doc = Record<string, unknown>;

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, -0, Number.NaN, Number.POSITIVE_INFINITY),
  fc.constantFrom('', 'a', 'ab', 'b', 'a\0b', '\u{1f600}', '\uffee'),
  fc.constantFrom(null, true, false),
  fc.constantFrom(new Date(0), new Date(1), new Date(-1)),
  fc.constantFrom(new ObjectId('0'.repeat(24)), new ObjectId('f'.repeat(24))),
);
const embedded = fc.record({ c: scalar, d: scalar }, { requiredKeys: [] });
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: embedded },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalar, embedded, fc.array(scalar, { maxLength: 2 })), { maxLength: 3 }) },
);
const document = fc.record(
  { a: value, b: value, e: fc.oneof(embedded, fc.array(embedded, { maxLength: 3 }), scalar) },
  { requiredKeys: [] },
);

const path = fc.constantFrom('a', 'b', 'e.c', 'e.d', 'e');
const condition: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  embedded,
  fc.array(scalar, { maxLength: 2 }),
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((operator) => value.map((operand) => ({ [operator]: operand }))),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })),
  ...['$in', '$nin'].map((operator) => fc.array(value, { maxLength: 3 }).map((list) => ({ [operator]: list }))),
  fc.boolean().map((wanted) => ({ $exists: wanted })),
  fc.constantFrom(
    { $not: { $gt: 1 } },
    { $elemMatch: { $gte: 0 } },
    { $elemMatch: { $gt: -1, $lt: 2 } },
    { $elemMatch: { $in: [1, 'a'] } },
  ),
);
const idCondition = fc.oneof(
  fc.integer({ min: 0, max: 11 }),
  ...['$gt', '$gte', '$lt', '$lte'].map((operator) =>
    fc.integer({ min: 0, max: 11 }).map((id) => ({ [operator]: id })),
  ),
  fc.constantFrom({ $in: [1, 4, 7] }),
);
const simple = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(path, condition).map(([name, wanted]): Doc => ({ [name]: wanted })) },
  { weight: 1, arbitrary: idCondition.map((wanted): Doc => ({ _id: wanted })) },
);
const filter: fc.Arbitrary<Doc> = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(([one, other]) => ({ $and: [one, other] })),
  fc.tuple(simple, simple, simple).map(([one, other, third]) => ({ ...one, $or: [other, third] })),
);
const sort = fc.constantFrom<Doc>(
  { a: 1, _id: 1 },
  { a: -1, _id: -1 },
  { b: 1, a: -1, _id: 1 },
  { 'e.c': -1, _id: 1 },
  { _id: -1 },
  { a: 1, b: -1, _id: -1 },
  { b: -1, _id: 1 },
);

type Indexes = [Doc, Doc][];
const INDEXES: Indexes = [
  [{ a: 1 }, {}],
  [{ b: -1, a: 1 }, {}],
  [{ 'e.c': 1, 'e.d': -1 }, {}],
  [{ 'e.d': 1 }, { sparse: true }],
  [{ a: 1, 'e.c': 1, b: -1 }, {}],
  [{ e: 1, a: -1 }, {}],
  [{ b: 1 }, { partialFilterExpression: { b: { $gt: 0 } }, name: 'positive' }],
  [{ a: -1 }, { partialFilterExpression: { b: { $exists: true } }, name: 'present' }],
];

const ENDING_IN_ID: Indexes = [
  [{ a: 1, _id: -1 }, {}],
  [{ b: -1, a: 1, _id: 1 }, {}],
  [{ 'e.c': -1, _id: -1 }, { sparse: true }],
  [{ 'e.d': 1, _id: -1 }, { partialFilterExpression: { b: { $exists: true } } }],
  [{ b: 1, _id: 1, a: 1 }, {}],
  [{ _id: -1, e: 1 }, {}],
];
const UNIQUE: Indexes = [
  [{ a: 1, b: -1 }, { unique: true }],
  [{ 'e.c': 1 }, { unique: true, sparse: true }],
  [{ b: 1, _id: -1 }, { unique: true }],
  [{ e: 1 }, { unique: true, partialFilterExpression: { e: { $gt: 0 } } }],
];

describe('the planner', () => {
  test.each([
    ['of every kind', INDEXES],
    ['that end in _id', ENDING_IN_ID],
    ['that are unique', UNIQUE],
  ])(
    'with indexes %s finds the same as without, in the same order',
    async (_, indexes) => {
      const scanned = open.db.collection(`c${new ObjectId()}`);
      const indexed = open.db.collection(`c${new ObjectId()}`);
      for (const [key, options] of indexes) await indexed.createIndex(key as never, options);
      const batch = fc.array(document, { minLength: 1, maxLength: 12 });
      const property = fc.asyncProperty(
        batch,
        fc.array(fc.tuple(filter, sort), { minLength: 10, maxLength: 10 }),
        async (docs, queries) => {
          const numbered = docs.map((doc, i) => ({ ...doc, _id: i }) as never);
          // parallel arrays are refused by the index, and keys that are taken
          await indexed.insertMany(numbered, { ordered: false }).catch(() => undefined);
          const taken = await indexed.find().toArray();
          if (taken.length > 0) await scanned.insertMany(taken);
          for (const [wanted, order] of queries) {
            const [expected, found, count] = await Promise.all([
              scanned
                .find(wanted)
                .sort(order as never)
                .project({ _id: 1 })
                .toArray(),
              indexed
                .find(wanted)
                .sort(order as never)
                .project({ _id: 1 })
                .toArray(),
              indexed.countDocuments(wanted),
            ]);
            expect(found).toEqual(expected);
            expect(count).toBe(expected.length);
          }
          await Promise.all([scanned.deleteMany({}), indexed.deleteMany({})]);
        },
      );
      await fc.assert(property, { numRuns: 40 });
    },
    PROPERTY_MS,
  );

  test(
    'removes the index entries of changed and deleted documents',
    async () => {
      const collection = open.db.collection(`c${new ObjectId()}`);
      await collection.createIndex({ a: 1 });
      const property = fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 8 }),
        value,
        async (values, next) => {
          await collection.insertMany(values.map((a, i) => ({ _id: i as never, a })));
          await collection.updateMany({}, { $set: { a: next } });
          const hinted = await collection.find({}).hint({ a: 1 }).toArray();
          expect(hinted).toHaveLength(values.length);
          await collection.deleteMany({});
          const left = await collection.find({}).hint({ a: 1 }).explain('executionStats');
          expect(left.executionStats.totalKeysExamined).toBe(0);
        },
      );
      await fc.assert(property, { numRuns: 30 });
    },
    PROPERTY_MS,
  );
});

describe('index keys', () => {
  const number = fc.oneof(
    fc.integer().map((n) => new Int32(n)),
    fc.double({ noNaN: true }).map((n) => new Double(n)),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map((n) => Long.fromBigInt(n)),
  );
  /** The exact order of two numbers, found another way: as fractions of whole numbers. */
  const exactOrder = (a: Int32 | Double | Long, b: Int32 | Double | Long) => {
    const [x, y] = [a, b].map((n) => (n instanceof Long ? n.toBigInt() : n.value)) as [
      bigint | number,
      bigint | number,
    ];
    return x < y ? -1 : x > y ? 1 : 0;
  };

  test('of numbers sort by value, whatever their types', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Buffer.compare(valueKey(a), valueKey(b))).toBe(exactOrder(a, b));
      }),
      { numRuns: 1000 },
    );
  });

  test('of texts sort by code point', () => {
    const letter = fc.constantFrom('a', 'b', '\0', '\x01', 'é', '\uffee', '\u{1f600}');
    const text = fc.array(letter, { maxLength: 5 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const points = (t: string) => Array.from(t, (c) => (c.codePointAt(0) ?? 0).toString().padStart(8, '0')).join();
        expect(Math.sign(Buffer.compare(valueKey(a), valueKey(b)))).toBe(
          points(a) < points(b) ? -1 : points(a) > points(b) ? 1 : 0,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('sort like the values, ascending and descending, and none is a prefix of another', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [x, y] = [valueKey(a), valueKey(b)];
        expect(Math.sign(compare(a, b))).toBe(Buffer.compare(x, y));
        expect(Buffer.compare(invertKey(x), invertKey(y))).toBe(0 - Buffer.compare(x, y));
        if (!x.equals(y)) expect(y.subarray(0, x.length).equals(x)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

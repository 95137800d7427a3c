import { Double, Long, ObjectId } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from './testing.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
  await open.db.collection('visits').insertMany(VISITS as never[]);
  await open.db.collection('sites').insertMany([
    { _id: SITE_A, name: 'A' },
    { _id: SITE_B, name: 'B' },
  ] as never[]);
});
afterAll(() => open.close());

type Doc = Record<string, unknown>;

const SITE_A = new ObjectId('a'.repeat(24));
const SITE_B = new ObjectId('b'.repeat(24));
const day = (n: number) => new Date(Date.UTC(2024, 0, n, 12));
const VISITS: Doc[] = [
  { _id: 1, site: SITE_A, n: 1, at: day(1), tags: ['x', 'y'], geo: { country: 'de' } },
  { _id: 2, site: new ObjectId(SITE_A.toHexString()), n: new Double(2), at: day(1), tags: ['x'] },
  { _id: 3, site: SITE_B, n: Long.fromNumber(3), at: day(2), tags: [] },
  { _id: 4, site: null, n: 'none', at: day(2) },
  { _id: 5, n: 5, at: day(3), tags: 'z' },
];

const run = (pipeline: Doc[], from = 'visits') => open.db.collection(from).aggregate(pipeline).toArray();

describe('aggregation', () => {
  test.each<[string, Doc[], Doc[]]>([
    [
      'groups by id, missing with null',
      [{ $group: { _id: '$site', n: { $sum: '$n' } } }],
      [
        { _id: SITE_A, n: 3 },
        { _id: SITE_B, n: 3 },
        { _id: null, n: 5 },
      ],
    ],
    [
      'groups by several values',
      [{ $match: { n: { $lt: 3 } } }, { $group: { _id: { s: '$site', d: '$at' }, n: { $sum: 1 } } }],
      [{ _id: { s: SITE_A, d: day(1) }, n: 2 }],
    ],
    [
      'groups by day',
      [
        { $group: { _id: { $dateToString: { date: '$at', format: '%Y-%m-%d' } }, n: { $sum: 1 } } },
        { $sort: { _id: -1 } },
      ],
      [
        { _id: '2024-01-03', n: 1 },
        { _id: '2024-01-02', n: 2 },
        { _id: '2024-01-01', n: 2 },
      ],
    ],
    [
      'accumulates',
      [
        { $match: { site: SITE_A } },
        {
          $group: {
            _id: null,
            avg: { $avg: '$n' },
            min: { $min: '$n' },
            max: { $max: '$at' },
            first: { $first: '$_id' },
            last: { $last: '$_id' },
            all: { $push: '$_id' },
            sites: { $addToSet: '$site' },
          },
        },
      ],
      [{ _id: null, avg: 1.5, min: 1, max: day(1), first: 1, last: 2, all: [1, 2], sites: [SITE_A] }],
    ],
    [
      'counts by a condition',
      [{ $group: { _id: null, big: { $sum: { $cond: [{ $gte: ['$_id', 3] }, 1, 0] } } } }],
      [{ _id: null, big: 3 }],
    ],
    ['counts', [{ $match: { n: { $type: 'number' } } }, { $count: 'total' }], [{ total: 4 }]],
    ['counts nothing as nothing', [{ $match: { n: 99 } }, { $count: 'total' }], []],
    [
      'unwinds',
      [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
      [
        { _id: 1, tags: 'x' },
        { _id: 1, tags: 'y' },
        { _id: 2, tags: 'x' },
        { _id: 5, tags: 'z' },
      ],
    ],
    [
      'unwinds and keeps the empty',
      [
        { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
        { $match: { _id: { $in: [1, 3] } } },
        { $project: { tags: 1, i: 1, _id: 0 } },
      ],
      [{ tags: 'x', i: 0 }, { tags: 'y', i: 1 }, { i: null }],
    ],
    [
      'projects and computes',
      [
        { $match: { _id: 1 } },
        { $project: { _id: 0, country: '$geo.country', twice: { $multiply: ['$n', 2] }, n: 1 } },
      ],
      [{ n: 1, country: 'de', twice: 2 }],
    ],
    [
      'adds and takes away fields',
      [{ $match: { _id: 1 } }, { $addFields: { 'geo.size': { $size: '$tags' } } }, { $unset: ['site', 'at', 'tags'] }],
      [{ _id: 1, n: 1, geo: { country: 'de', size: 2 } }],
    ],
    [
      'compares missing and null apart',
      [{ $match: { _id: { $gte: 4 } } }, { $project: { isNull: { $eq: ['$site', null] } } }],
      [
        { _id: 4, isNull: true },
        { _id: 5, isNull: false },
      ],
    ],
    [
      'sorts after grouping',
      [{ $unwind: '$tags' }, { $sortByCount: '$tags' }, { $limit: 1 }],
      [{ _id: 'x', count: 2 }],
    ],
    [
      'looks up',
      [
        { $match: { _id: { $in: [3, 5] } } },
        { $lookup: { from: 'sites', localField: 'site', foreignField: '_id', as: 's' } },
        { $project: { s: 1 } },
      ],
      [
        { _id: 3, s: [{ _id: SITE_B, name: 'B' }] },
        { _id: 5, s: [] },
      ],
    ],
    [
      'replaces the root',
      [{ $match: { geo: { $exists: true } } }, { $replaceRoot: { newRoot: '$geo' } }],
      [{ country: 'de' }],
    ],
    [
      'pages',
      [{ $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
      [{ _id: 4 }, { _id: 3 }],
    ],
  ])('%s', async (_name, pipeline, expected) => {
    expect(await run(pipeline)).toEqual(expected);
  });

  test.each<[string, Doc[], number]>([
    ['unknown expressions', [{ $project: { a: { $frob: 1 } } }], 168],
    ['unknown accumulators', [{ $group: { _id: null, a: { $frob: 1 } } }], 2],
    ['$out', [{ $out: 'x' }], 40324],
    ['$facet', [{ $facet: {} }], 40324],
    [
      'whole numbers too large to calculate with',
      [{ $limit: 1 }, { $project: { a: { $add: [Long.MAX_VALUE, 1] } } }],
      115,
    ],
    ['a stage of two', [{ $match: {}, $limit: 1 }], 40323],
  ])('refuses %s', async (_name, pipeline, code) => {
    await expect(run(pipeline)).rejects.toMatchObject({ code });
  });

  test('of a collection that is not there is empty', async () => {
    expect(await run([{ $group: { _id: null, n: { $sum: 1 } } }], 'nowhere')).toEqual([]);
    expect(await open.db.collection('nowhere').countDocuments({ a: 1 })).toBe(0);
  });
});

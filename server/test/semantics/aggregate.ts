import type { AggregateCase, Doc } from './cases.ts';

const SALES: Doc[] = [
  { shop: 'a', n: 3, tags: ['x', 'y'] },
  { shop: 'b', n: 5, tags: [] },
  { shop: 'a', n: 4 },
  { shop: null, n: 'x', tags: ['x'] },
];
const only = (fields: Doc): Doc => ({ $project: { _id: 0, ...fields } });
const byId: Doc = { $sort: { _id: 1 } };

const group = (fields: Doc): Doc[] => [{ $group: { _id: '$shop', ...fields } }, byId];

export const AGGREGATES: AggregateCase[] = [
  [
    '$match, $sort, $skip, $limit',
    SALES,
    [{ $match: { shop: 'a' } }, { $sort: { n: -1 } }, { $limit: 1 }, only({ n: 1 })],
    [{ n: 4 }],
  ],
  ['$limit before $match', SALES, [byId, { $limit: 1 }, { $match: { shop: 'b' } }, only({ n: 1 })], []],
  ['$count', SALES, [{ $match: { shop: 'a' } }, { $count: 'all' }], [{ all: 2 }]],
  ['$count of nothing gives nothing', SALES, [{ $match: { shop: 'z' } }, { $count: 'all' }], []],
  [
    '$sum leaves out what is no number',
    SALES,
    group({ s: { $sum: '$n' } }),
    [
      { _id: null, s: 0 },
      { _id: 'a', s: 7 },
      { _id: 'b', s: 5 },
    ],
  ],
  [
    '$avg of nothing is null',
    SALES,
    group({ s: { $avg: '$n' } }),
    [
      { _id: null, s: null },
      { _id: 'a', s: 3.5 },
      { _id: 'b', s: 5 },
    ],
  ],
  [
    '$min and $max across types',
    SALES,
    [{ $group: { _id: null, min: { $min: '$n' }, max: { $max: '$n' } } }],
    [{ _id: null, min: 3, max: 'x' }],
  ],
  [
    '$first and $last in order',
    SALES,
    [
      { $sort: { n: 1 } },
      { $match: { shop: 'a' } },
      { $group: { _id: null, f: { $first: '$n' }, l: { $last: '$n' } } },
    ],
    [{ _id: null, f: 3, l: 4 }],
  ],
  [
    '$push leaves out the missing',
    SALES,
    [byId, { $group: { _id: null, t: { $push: '$tags' } } }],
    [{ _id: null, t: [['x', 'y'], [], ['x']] }],
  ],
  [
    '$addToSet by value',
    SALES,
    [{ $match: { shop: 'a' } }, { $group: { _id: null, s: { $addToSet: '$shop' } } }],
    [{ _id: null, s: ['a'] }],
  ],
  [
    '$group by several fields',
    SALES,
    [
      { $match: { n: { $type: 'number' } } },
      { $group: { _id: { s: '$shop', even: { $eq: [{ $mod: ['$n', 2] }, 0] } }, c: { $sum: 1 } } },
      byId,
    ],
    [
      { _id: { s: 'a', even: false }, c: 1 },
      { _id: { s: 'a', even: true }, c: 1 },
      { _id: { s: 'b', even: false }, c: 1 },
    ],
  ],
  [
    '$group: one number in two types is one',
    [{ a: 1 }, { a: 1.5 }, { a: 1 }],
    [{ $group: { _id: '$a', c: { $sum: 1 } } }, byId],
    [
      { _id: 1, c: 2 },
      { _id: 1.5, c: 1 },
    ],
  ],
  [
    '$group: missing and null are one',
    [{}, { a: null }],
    [{ $group: { _id: '$a', c: { $sum: 1 } } }],
    [{ _id: null, c: 2 }],
  ],
  [
    '$sortByCount',
    SALES,
    [{ $match: { shop: { $ne: null } } }, { $sortByCount: '$shop' }],
    [
      { _id: 'a', count: 2 },
      { _id: 'b', count: 1 },
    ],
  ],
  [
    '$unwind leaves out empty and missing',
    SALES,
    [byId, { $unwind: '$tags' }, only({ tags: 1 })],
    [{ tags: 'x' }, { tags: 'y' }, { tags: 'x' }],
  ],
  [
    '$unwind keeps them if asked',
    SALES,
    [{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } }, byId, { $count: 'n' }],
    [{ n: 5 }],
  ],
  [
    '$unwind with the place',
    SALES,
    [{ $match: { n: 3 } }, { $unwind: { path: '$tags', includeArrayIndex: 'i' } }, only({ tags: 1, i: 1 })],
    [
      { tags: 'x', i: 0 },
      { tags: 'y', i: 1 },
    ],
  ],
  ['$unwind of a scalar', [{ a: 1 }], [{ $unwind: '$a' }, only({ a: 1 })], [{ a: 1 }]],
  [
    '$addFields keeps the others',
    [{ a: 1 }],
    [{ $addFields: { b: { $add: ['$a', 1] } } }, only({ a: 1, b: 1 })],
    [{ a: 1, b: 2 }],
  ],
  ['$set below a path', [{ a: { b: 1 } }], [{ $set: { 'a.c': 2 } }, only({ a: 1 })], [{ a: { b: 1, c: 2 } }]],
  ['$unset', [{ a: 1, b: 2 }], [{ $unset: ['a', '_id'] }], [{ b: 2 }]],
  ['$project of a missing field leaves it out', [{ a: 1 }], [only({ x: '$nothing', a: 1 })], [{ a: 1 }]],
  ['$replaceRoot', [{ a: { b: 1 } }], [{ $replaceRoot: { newRoot: '$a' } }], [{ b: 1 }]],
  [
    '$ifNull of null and missing',
    [{ a: null }, { a: 0 }, {}],
    [byId, only({ v: { $ifNull: ['$a', 'none'] } })],
    [{ v: 'none' }, { v: 0 }, { v: 'none' }],
  ],
  [
    '$cond',
    [{ a: 5 }, { a: 1 }],
    [byId, only({ v: { $cond: [{ $gt: ['$a', 2] }, 'many', 'few'] } })],
    [{ v: 'many' }, { v: 'few' }],
  ],
  [
    '$subtract of dates is in milliseconds',
    [{ a: new Date(5000), b: new Date(2000) }],
    [only({ v: { $subtract: ['$a', '$b'] } })],
    [{ v: 3000 }],
  ],
  ['$size of an array', [{ a: [1, 2] }], [only({ v: { $size: '$a' } })], [{ v: 2 }]],
  ['$divide by zero', [{ a: 1 }], [only({ v: { $divide: ['$a', 0] } })], 2],
  ['an unknown stage', SALES, [{ $foo: {} }], 40324],
  ['a stage of two names', SALES, [{ $match: {}, $limit: 1 }], 40323],
  ['$limit of nothing', SALES, [{ $limit: 0 }], 15958],
  ['$count without a name', SALES, [{ $count: '' }], 40157],
];

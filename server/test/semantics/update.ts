import { Double, Long } from 'bson';
import type { UpdateCase, UpsertCase } from './cases.ts';

const FIELDS: UpdateCase[] = [
  ['$set keeps the position of a field', { a: 1, b: 2 }, { $set: { a: 3 } }, { a: 3, b: 2 }],
  ['$set below a path', { a: { b: 1, c: 2 } }, { $set: { 'a.b': 9 } }, { a: { b: 9, c: 2 } }],
  [
    '$set in a document of an array',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.1.x': 9 } },
    { a: [{ x: 1 }, { x: 9 }] },
  ],
  ['$set behind the end of an array', { a: [] }, { $set: { 'a.2': 1 } }, { a: [null, null, 1] }],
  ['$set below a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['$set below null', { a: null }, { $set: { 'a.b': 1 } }, 28],
  ['$set of another id', { a: 1 }, { $set: { _id: 9 } }, 66],
  ['$set of the same id', { a: 1 }, { $set: { _id: 1, a: 2 } }, { a: 2 }],
  ['$unset of the id', { a: 1 }, { $unset: { _id: 1 } }, 66],
  ['the same path twice', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a path and a path below it', { a: {} }, { $set: { a: {} }, $inc: { 'a.b': 1 } }, 40],
  ['an unknown operator', { a: 1 }, { $foo: { a: 1 } }, 9],
  ['an operator without fields', { a: 1 }, { $set: {} }, { a: 1 }],
  ['$unset of a missing field', { a: 1 }, { $unset: { b: '', 'c.d': '' } }, { a: 1 }],
  ['$currentDate of a wrong type', { a: 1 }, { $currentDate: { b: 'x' } }, 2],
];

const NUMBERS: UpdateCase[] = [
  ['$inc of a missing field', {}, { $inc: { a: 5 } }, { a: 5 }],
  ['$inc of a text', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc of null', { a: null }, { $inc: { a: 1 } }, 14],
  ['$inc by a text', { a: 1 }, { $inc: { a: 'x' } }, 14],
  ['$inc beyond 32 bits', { a: 2147483647 }, { $inc: { a: 1 } }, { a: 2147483648 }],
  ['$inc of a whole number by a fraction', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  ['$inc of a long beyond 64 bits', { a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2],
  ['$min across types: numbers before texts', { a: 'x' }, { $min: { a: 5 } }, { a: 5 }],
  ['$min keeps an equal value', { a: 5 }, { $min: { a: new Double(5) } }, { a: 5 }],
  ['$max with null', { a: 1 }, { $max: { a: null } }, { a: 1 }],
  ['$max of dates', { a: new Date(5) }, { $max: { a: new Date(9) } }, { a: new Date(9) }],
];

const ARRAYS: UpdateCase[] = [
  ['$push to a value that is not an array', { a: 1 }, { $push: { a: 2 } }, 2],
  ['$push with an empty $each', { a: [1] }, { $push: { a: { $each: [] } } }, { a: [1] }],
  [
    '$push with a negative $position',
    { a: [1, 2, 3] },
    { $push: { a: { $each: [9], $position: -1 } } },
    { a: [1, 2, 9, 3] },
  ],
  ['$push with $position behind the end', { a: [1] }, { $push: { a: { $each: [9], $position: 7 } } }, { a: [1, 9] }],
  ['$push with $slice 0', { a: [1] }, { $push: { a: { $each: [2], $slice: 0 } } }, { a: [] }],
  ['$push with $slice from the start', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
  ['$push: sorted, then sliced', { a: [5, 1] }, { $push: { a: { $each: [3], $sort: -1, $slice: 2 } } }, { a: [5, 3] }],
  [
    '$push with $sort across types',
    { a: ['x', 1, null] },
    { $push: { a: { $each: [true], $sort: 1 } } },
    { a: [null, 1, 'x', true] },
  ],
  ['$push with an unknown clause', { a: [] }, { $push: { a: { $each: [1], $foo: 1 } } }, 2],
  ['$addToSet of another type of number', { a: [1] }, { $addToSet: { a: Long.fromNumber(1) } }, { a: [1] }],
  ['$addToSet of an array is one element', { a: [1] }, { $addToSet: { a: [1] } }, { a: [1, [1]] }],
  [
    '$addToSet tells fields in another order apart',
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  ['$addToSet to a missing field', {}, { $addToSet: { a: { $each: [1, 1] } } }, { a: [1] }],
  ['$addToSet to a value that is not an array', { a: 1 }, { $addToSet: { a: 2 } }, 2],
  ['$pull from a missing field', {}, { $pull: { a: 1 } }, {}],
  ['$pull from a value that is not an array', { a: 1 }, { $pull: { a: 1 } }, 2],
  ['$pull of an array removes equal arrays', { a: [[1], 1] }, { $pull: { a: [1] } }, { a: [1] }],
  [
    '$pull by $elemMatch in documents',
    { a: [{ r: [1, 5] }, { r: [9] }] },
    { $pull: { a: { r: { $elemMatch: { $gt: 4, $lt: 6 } } } } },
    { a: [{ r: [9] }] },
  ],
];

const PLACES: UpdateCase[] = [
  ['$ without an array in the filter', { a: [1] }, { $set: { 'a.$': 2 } }, 2],
  [
    '$ is the element that $in matched',
    { a: [1, 2, 3] },
    { $set: { 'a.$': 0 } },
    { a: [1, 0, 3] },
    { filter: { a: { $in: [2, 3] } } },
  ],
  [
    '$ with $inc, below',
    {
      a: [
        { k: 'x', n: 1 },
        { k: 'y', n: 1 },
      ],
    },
    { $inc: { 'a.$.n': 5 } },
    {
      a: [
        { k: 'x', n: 1 },
        { k: 'y', n: 6 },
      ],
    },
    { filter: { 'a.k': 'y' } },
  ],
  ['$unset by $ leaves null', { a: [1, 2] }, { $unset: { 'a.$': 1 } }, { a: [null, 2] }, { filter: { a: 1 } }],
];

export const UPDATES: UpdateCase[] = [...FIELDS, ...NUMBERS, ...ARRAYS, ...PLACES];

export const UPSERTS: UpsertCase[] = [
  ['the fields of the filter', { a: 1, 'b.c': 2 }, { $set: { d: 3 } }, { a: 1, b: { c: 2 }, d: 3 }],
  ['also inside $and and $eq', { $and: [{ a: { $eq: 1 } }, { b: 2 }] }, { $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
  ['a $in with one value', { a: { $in: [7] } }, { $set: { c: 3 } }, { a: 7, c: 3 }],
  ['not of ranges', { a: { $gt: 5 }, b: { $in: [1, 2] } }, { $set: { c: 3 } }, { c: 3 }],
  ['nor of an $or with several branches', { $or: [{ a: 1 }, { b: 2 }] }, { $set: { c: 3 } }, { c: 3 }],
  ['$setOnInsert', { a: 1 }, { $setOnInsert: { b: 2 } }, { a: 1, b: 2 }],
  ['$inc starts from the value in the filter', { a: 5 }, { $inc: { a: 1 } }, { a: 6 }],
  ['$push creates an array', { a: 1 }, { $push: { b: 2 } }, { a: 1, b: [2] }],
  ['$unset removes a field of the filter', { a: 1, b: 2 }, { $unset: { a: 1 } }, { b: 2 }],
  ['the id of the filter', { _id: 'x' }, { $set: { a: 1 } }, { _id: 'x', a: 1 }],
  ['another id than the filter’s', { _id: 'x' }, { $set: { _id: 'y' } }, 66],
  ['one field given twice', { $and: [{ a: 1 }, { a: 2 }] }, { $set: { b: 1 } }, 54],
];

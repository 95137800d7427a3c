import { Binary, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'bson';
import type { Doc, FindCase, ProjectCase } from './cases.ts';

/** One value of each type, in MongoDB's order of types. @see https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/ */
export const OF_EACH_TYPE: [type: string, value: unknown][] = [
  ['minKey', new MinKey()],
  ['null', null],
  ['int', 1],
  ['double', 1.5],
  ['long', Long.fromNumber(2)],
  ['string', 'a'],
  ['object', { a: 1 }],
  ['array', [[]]],
  ['binData', new Binary(Buffer.from('a'))],
  ['objectId', new ObjectId('0123456789abcdef01234567')],
  ['bool', false],
  ['date', new Date(0)],
  ['timestamp', new Timestamp({ t: 1, i: 1 })],
  ['regex', /a/],
  ['maxKey', new MaxKey()],
];

const every: Doc[] = OF_EACH_TYPE.map(([, a]) => ({ a }));
const place = (type: string) => OF_EACH_TYPE.findIndex(([name]) => name === type) + 1;
const date = (ms: number) => new Date(ms);

/** A range meets values of its own type only; `$ne` and `$nin` all others, too. */
const BY_TYPE: FindCase[] = [
  ['$gt a text', every, { a: { $gt: '' } }, [place('string')]],
  ['$gte a boolean', every, { a: { $gte: false } }, [place('bool')]],
  ['$lt a date', every, { a: { $lt: date(1) } }, [place('date')]],
  ['$lte an ObjectId', every, { a: { $lte: new ObjectId('f'.repeat(24)) } }, [place('objectId')]],
  ['$gt binary data', every, { a: { $gt: new Binary(Buffer.from('')) } }, [place('binData')]],
  ['$gte a document', every, { a: { $gte: {} } }, [place('object')]],
  ['$gt a timestamp', every, { a: { $gt: new Timestamp({ t: 0, i: 0 }) } }, [place('timestamp')]],
  ['$lt a number', every, { a: { $lt: 2 } }, [place('int'), place('double')]],
  ['$gt minKey is all but that', [{ a: 1 }, { a: null }, { a: new MinKey() }], { a: { $gt: new MinKey() } }, [1, 2]],
  ['$lt maxKey is all but that', [{ a: 1 }, { a: null }, { a: new MaxKey() }], { a: { $lt: new MaxKey() } }, [1, 2]],
];

const NULLS: Doc[] = [{ a: null }, {}, { a: [] }, { a: [null] }, { a: 0 }, { a: '' }, { a: false }, { a: {} }];

const NULL_AND_MISSING: FindCase[] = [
  ['$eq null', NULLS, { a: { $eq: null } }, [1, 2, 4]],
  ['$in with null', NULLS, { a: { $in: [null, 0] } }, [1, 2, 4, 5]],
  ['$nin with null', NULLS, { a: { $nin: [null] } }, [3, 5, 6, 7, 8]],
  ['$not $eq null', NULLS, { a: { $not: { $eq: null } } }, [3, 5, 6, 7, 8]],
  ['$lte null', NULLS, { a: { $lte: null } }, [1, 2, 4]],
  ['$gt null is nothing', NULLS, { a: { $gt: null } }, []],
  ['$exists and null', NULLS, { a: { $exists: true, $eq: null } }, [1, 4]],
  ['$not $exists', NULLS, { a: { $not: { $exists: true } } }, [2]],
  ['$exists 0 is false', NULLS, { a: { $exists: 0 } }, [2]],
  ['$ne of a value matches missing fields', [{}, { a: 1 }, { a: 2 }], { a: { $ne: 1 } }, [1, 3]],
  ['$not $gt matches other types', [{}, { a: 'x' }, { a: 5 }, { a: 1 }], { a: { $not: { $gt: 2 } } }, [1, 2, 4]],
  ['null below a scalar', [{ a: 1 }, { a: {} }, {}, { a: { b: 1 } }], { 'a.b': null }, [1, 2, 3]],
  ['$exists below an array', [{ a: [{ b: 1 }] }, { a: [{}] }, { a: [] }], { 'a.b': { $exists: true } }, [1]],
];

const ARRAYS: FindCase[] = [
  ['$ne matches when no element is equal', [{ a: [1, 2] }, { a: [2] }, { a: [] }], { a: { $ne: 1 } }, [2, 3]],
  ['$nin likewise', [{ a: [1, 2] }, { a: [3] }, { a: 1 }], { a: { $nin: [1, 9] } }, [2]],
  ['$gt by any element', [{ a: [1, 9] }, { a: [1] }, { a: [] }], { a: { $gt: 5 } }, [1]],
  ['an empty array equals itself', [{ a: [] }, { a: [[]] }, { a: [1] }, {}], { a: [] }, [1, 2]],
  ['$in of an array', [{ a: [1, 2] }, { a: [1] }, { a: 1 }], { a: { $in: [[1, 2]] } }, [1]],
  ['$all of one value also matches a scalar', [{ a: 1 }, { a: [1, 2] }, { a: [2] }], { a: { $all: [1] } }, [1, 2]],
  [
    '$all with $elemMatch',
    [{ a: [{ x: 1 }, { x: 5 }] }, { a: [{ x: 5 }] }],
    { a: { $all: [{ $elemMatch: { x: 1 } }, { $elemMatch: { x: { $gt: 2 } } }] } },
    [1],
  ],
  [
    '$all of an array matches the array itself',
    [{ a: [1, 2] }, { a: [[1, 2]] }, { a: [1] }],
    { a: { $all: [[1, 2]] } },
    [1, 2],
  ],
  [
    '$elemMatch of an array in a field',
    [{ a: [{ b: [1, 5] }] }, { a: [{ b: 1 }, { b: 5 }] }],
    { a: { $elemMatch: { b: { $all: [1, 5] } } } },
    [1],
  ],
  [
    '$elemMatch with $or',
    [{ a: [{ x: 1 }] }, { a: [{ y: 2 }] }, { a: [{}] }],
    { a: { $elemMatch: { $or: [{ x: 1 }, { y: 2 }] } } },
    [1, 2],
  ],
  [
    '$elemMatch with $not applies to one element',
    [{ a: [1, 5] }, { a: [5] }],
    { a: { $elemMatch: { $not: { $gt: 2 } } } },
    [1],
  ],
  ['$not $elemMatch', [{ a: [{ x: 1 }] }, { a: [{ x: 2 }] }, {}], { a: { $not: { $elemMatch: { x: 1 } } } }, [2, 3]],
  ['$elemMatch does not match a scalar', [{ a: { x: 1 } }, { a: [{ x: 1 }] }], { a: { $elemMatch: { x: 1 } } }, [2]],
  [
    'a path through arrays in arrays stops at the inner one',
    [{ a: [[{ b: 1 }]] }, { a: [{ b: 1 }] }],
    { 'a.b': 1 },
    [2],
  ],
  ['an index of an inner array', [{ a: [[1, 2]] }, { a: [1, [2]] }], { 'a.0.1': 2 }, [1]],
  ['a number may also be a field name', [{ a: { 0: 'x' } }, { a: ['x'] }], { 'a.0': 'x' }, [1, 2]],
  [
    'conditions on two fields may match two elements',
    [{ a: [{ x: 1 }, { y: 2 }] }, { a: [{ x: 1 }] }],
    { 'a.x': 1, 'a.y': 2 },
    [1],
  ],
  [
    'an array of documents equals by order of fields',
    [{ a: [{ x: 1, y: 2 }] }, { a: [{ y: 2, x: 1 }] }],
    { a: { x: 1, y: 2 } },
    [1],
  ],
  ['NaN in an array', [{ a: [Number.NaN] }, { a: [0] }], { a: Number.NaN }, [1]],
];

const OPERATORS: FindCase[] = [
  ['all conditions must match', [{ a: 1 }, { a: 5 }, { a: 9 }], { a: { $gt: 1, $lt: 9, $ne: 4 } }, [2]],
  ['$or matches when any condition does', [{ a: 1 }, { b: 2 }, { c: 3 }], { $or: [{ a: 1 }, { b: 2 }] }, [1, 2]],
  [
    '$or beside a field',
    [
      { a: 1, s: 1 },
      { b: 2, s: 1 },
      { a: 1, s: 2 },
    ],
    { s: 1, $or: [{ a: 1 }, { b: 2 }] },
    [1, 2],
  ],
  ['$nor of a missing field', [{}, { a: 1 }, { a: 2 }], { $nor: [{ a: 1 }] }, [1, 3]],
  ['$and of the same field twice', [{ a: [1, 2] }, { a: [1] }], { $and: [{ a: 1 }, { a: 2 }] }, [1]],
  ['$in with an empty list', [{ a: 1 }, {}], { a: { $in: [] } }, []],
  ['$nin with an empty list', [{ a: 1 }, {}], { a: { $nin: [] } }, [1, 2]],
  ['a document by one of its fields', [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }], { 'a.b': 1 }, [1, 2]],
  ['a document as a whole', [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }], { a: { b: 1 } }, [2]],
  [
    'documents compare field by field',
    [{ a: { b: 1 } }, { a: { b: 2 } }, { a: { a: 9 } }],
    { a: { $gt: { b: 1 } } },
    [2],
  ],
  [
    'texts compare by bytes: upper case before lower case',
    [{ a: 'B' }, { a: 'a' }, { a: 'ä' }],
    { a: { $gt: 'Z' } },
    [2, 3],
  ],
  ['dates compare by time', [{ a: date(5) }, { a: date(-5) }], { a: { $gte: date(0) } }, [1]],
  [
    'a UUID equals its bytes',
    [{ a: new UUID('f'.repeat(32)) }, { a: new UUID('0'.repeat(32)) }],
    { a: new UUID('f'.repeat(32)) },
    [1],
  ],
  [
    'binary data compares by length, then subtype, then bytes',
    [{ a: new Binary(Buffer.from('b')) }, { a: new Binary(Buffer.from('aa')) }],
    { a: { $gt: new Binary(Buffer.from('z')) } },
    [2],
  ],
  [
    'a long and a double with one value are equal',
    [{ a: Long.fromNumber(7) }, { a: new Double(7) }],
    { a: { $in: [7] } },
    [1, 2],
  ],
  ['infinity is greater than all numbers', [{ a: 1e308 }, { a: Number.POSITIVE_INFINITY }], { a: { $gt: 1e308 } }, [2]],
  ['NaN is not less than any number', [{ a: Number.NaN }, { a: -1e308 }], { a: { $lte: 0 } }, [2]],
  ['NaN by $gte NaN', [{ a: Number.NaN }, { a: 0 }], { a: { $gte: Number.NaN } }, [1]],
  ['an empty filter', [{ a: 1 }, {}], {}, [1, 2]],
  ['$comment has no effect', [{ a: 1 }, {}], { a: 1, $comment: 'looking for one' }, [1]],
];

/** Filters that are refused, with MongoDB's code. */
export const REFUSED_FILTERS: [name: string, filter: Doc, code: number][] = [
  ['an unknown operator', { a: { $foo: 1 } }, 2],
  ['an unknown operator at the top', { $foo: 1 }, 2],
  ['$in without an array', { a: { $in: 1 } }, 2],
  ['$or with an empty list', { $or: [] }, 2],
  ['$and of a value that is not a document', { $and: [1] }, 2],
  ['$not of a value', { a: { $not: 1 } }, 2],
  ['$elemMatch of a value that is not a document', { a: { $elemMatch: 1 } }, 2],
  ['$all without an array', { a: { $all: 1 } }, 2],
];

export const FINDS: FindCase[] = [...BY_TYPE, ...NULL_AND_MISSING, ...ARRAYS, ...OPERATORS];

const doc = { a: 1, b: { c: 2, d: 3 }, e: [{ x: 1, y: 2 }, { x: 3, y: 4 }, 5] };

export const PROJECTIONS: ProjectCase[] = [
  ['included fields come in the order of the document', doc, { b: 1, a: 1 }, { a: 1, b: { c: 2, d: 3 } }],
  ['excluded fields', doc, { b: 0, e: 0 }, { a: 1 }],
  ['a nested field', doc, { 'b.c': 1 }, { b: { c: 2 } }],
  ['an excluded nested field', doc, { 'b.c': 0, e: 0 }, { a: 1, b: { d: 3 } }],
  ['included fields in an array: documents only', doc, { 'e.x': 1 }, { e: [{ x: 1 }, { x: 3 }] }],
  ['excluded fields in an array', doc, { 'e.x': 0, a: 0, b: 0 }, { e: [{ y: 2 }, { y: 4 }, 5] }],
  ['missing fields are left out', doc, { zzz: 1 }, {}],
];

/** Decimals are kept, whatever else is done with them. */
export const KEPT: [name: string, value: unknown][] = [
  ...OF_EACH_TYPE,
  ['decimal', Decimal128.fromString('1.50')],
  ['a whole double', new Double(1)],
  ['a negative zero', -0],
  ['a large long', Long.MAX_VALUE],
  ['a text with a zero in it', 'a\0b'],
  ['an empty name', { '': 1 }],
  ['a name with a dot', { 'a.b': 1 }],
  ['a date before 1970', date(-1)],
];

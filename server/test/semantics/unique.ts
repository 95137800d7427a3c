import { Double, Long } from 'bson';
import type { UniqueCase } from './cases.ts';

/** @see https://www.mongodb.com/docs/manual/core/index-unique/ */
export const UNIQUES: UniqueCase[] = [
  ['the same value', { a: 1 }, {}, { a: 'x' }, { a: 'x' }, { a: 'x' }],
  ['upper and lower case', { a: 1 }, {}, { a: 'x' }, { a: 'X' }, null],
  ['one number of two types', { a: 1 }, {}, { a: Long.fromNumber(1) }, { a: new Double(1) }, { a: 1 }],
  ['a number and its text', { a: 1 }, {}, { a: 1 }, { a: '1' }, null],
  ['two missing fields are two nulls', { a: 1 }, {}, {}, {}, { a: null }],
  ['missing and null', { a: 1 }, {}, {}, { a: null }, { a: null }],
  ['a common element of two arrays', { a: 1 }, {}, { a: [1, 2] }, { a: [2, 3] }, { a: 2 }],
  ['an element and a scalar', { a: 1 }, {}, { a: [1, 2] }, { a: 2 }, { a: 2 }],
  ['the same element twice in one array', { a: 1 }, {}, { a: [1, 1] }, { a: [2, 2] }, null],
  ['a nested field', { 'a.b': 1 }, {}, { a: { b: 1 } }, { a: { b: 1 } }, { 'a.b': 1 }],
  ['two fields, both the same', { a: 1, b: -1 }, {}, { a: 1, b: 2 }, { a: 1, b: 2 }, { a: 1, b: 2 }],
  ['two fields, one the same', { a: 1, b: 1 }, {}, { a: 1, b: 2 }, { a: 1, b: 3 }, null],
  ['sparse: missing twice', { a: 1 }, { sparse: true }, {}, {}, null],
  ['sparse: null twice', { a: 1 }, { sparse: true }, { a: null }, { a: null }, { a: null }],
  ['partial: one outside', { a: 1 }, { partialFilterExpression: { on: true } }, { a: 1, on: true }, { a: 1 }, null],
  [
    'partial: both inside',
    { a: 1 },
    { partialFilterExpression: { on: true } },
    { a: 1, on: true },
    { a: 1, on: true },
    { a: 1 },
  ],
  ['documents by order of fields', { a: 1 }, {}, { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, null],
  ['empty arrays', { a: 1 }, {}, { a: [] }, { a: [] }, {}],
];

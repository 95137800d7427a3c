import { Double, Long } from 'bson';
import type { SortCase } from './cases.ts';
import { OF_EACH_TYPE } from './find.ts';

const every = OF_EACH_TYPE.filter(([type]) => type !== 'array').map(([, a]) => ({ a }));
const ids = every.map((_, i) => i + 1);

/** @see https://www.mongodb.com/docs/manual/reference/method/cursor.sort/ */
export const SORTS: SortCase[] = [
  ['values sort by type first', [...every].reverse(), { a: 1 }, [...ids].reverse()],
  ['types in descending order', every, { a: -1 }, [...ids].reverse()],
  ['numbers of all types by value', [{ a: new Double(2.5) }, { a: 1 }, { a: Long.fromNumber(2) }], { a: 1 }, [2, 3, 1]],
  [
    'NaN is the smallest number',
    [{ a: -1e308 }, { a: Number.NaN }, { a: Number.NEGATIVE_INFINITY }],
    { a: 1 },
    [2, 3, 1],
  ],
  ['missing fields sort as null, before numbers', [{ a: 1 }, {}], { a: 1 }, [2, 1]],
  ['an empty array is before null', [{ a: null }, { a: [] }], { a: 1 }, [2, 1]],
  ['an array sorts by its smallest element, ascending', [{ a: 3 }, { a: [2, 9] }, { a: 1 }], { a: 1 }, [3, 2, 1]],
  ['an array sorts by its largest element, descending', [{ a: 3 }, { a: [2, 9] }, { a: 1 }], { a: -1 }, [2, 1, 3]],
  ['texts by bytes', [{ a: 'b' }, { a: 'B' }, { a: 'ä' }, { a: 'ab' }], { a: 1 }, [2, 4, 1, 3]],
  [
    'a text sorts before a longer one with the same beginning',
    [{ a: 'ab' }, { a: 'a' }, { a: 'a\0' }],
    { a: 1 },
    [2, 3, 1],
  ],
  [
    'documents by type, name and value of each field',
    [{ a: { b: 2 } }, { a: { b: 1, c: 1 } }, { a: { b: 1 } }, { a: { a: 'x' } }],
    { a: 1 },
    [3, 2, 1, 4],
  ],
  ['false before true', [{ a: true }, { a: false }], { a: 1 }, [2, 1]],
  ['dates before and after 1970', [{ a: new Date(1) }, { a: new Date(-1) }], { a: 1 }, [2, 1]],
  [
    'by two fields',
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 0, b: 9 },
    ],
    { a: 1, b: -1 },
    [3, 2, 1],
  ],
  ['by a nested field', [{ a: { b: 2 } }, { a: { b: 1 } }, { a: 5 }], { 'a.b': 1 }, [3, 2, 1]],
  ['by a field in an array, the smallest', [{ a: [{ b: 5 }, { b: 1 }] }, { a: [{ b: 3 }] }], { 'a.b': 1 }, [1, 2]],
];

import { afterEach, beforeEach, expect, test } from 'vitest';
import { documentSpace, indexSpace } from '../entries.ts';
import { freshFolder } from '../testing.ts';
import { openLmdb } from './lmdb.ts';
import { type Storage, StorageError } from './storage.ts';

let storage: Storage;
beforeEach(() => {
  storage = openLmdb(freshFolder());
});
afterEach(() => storage.close());

const ONE = documentSpace(1);
const OTHER = indexSpace(40_000);
const keyOf = (space: Buffer, text: string) => Buffer.concat([space, Buffer.from(text)]);
const put = (space: Buffer, ...texts: string[]) =>
  storage.transact(() => {
    for (const text of texts) storage.put(keyOf(space, text), Buffer.from(`of ${text}`));
  });
const texts = (space: Buffer, from: string, to: string, backwards = false) =>
  storage
    .keys({ start: keyOf(space, from), end: keyOf(space, to), backwards }, 10)
    .map((key) => key.toString('latin1', space.length));
const fails = (work: () => void) => {
  const error = new StorageError('the disk');
  expect(() =>
    storage.transact(() => {
      work();
      throw error;
    }),
  ).toThrow(error);
};

test('a space is read in both directions and within its bounds', () => {
  put(ONE, 'a', 'b', 'c');
  put(OTHER, 'b', 'd');
  put(documentSpace(2), 'z');
  expect(texts(ONE, 'a', 'c')).toEqual(['a', 'b']);
  expect(texts(ONE, 'a', 'c', true)).toEqual(['b', 'a']);
  const whole = (backwards: boolean) =>
    storage.entries({ start: ONE, end: documentSpace(2), backwards }, 10).map(({ value }) => value.toString());
  expect(whole(false)).toEqual(['of a', 'of b', 'of c']);
  expect(whole(true)).toEqual(['of c', 'of b', 'of a']);
  expect(storage.get(keyOf(OTHER, 'd'))?.toString()).toBe('of d');
  expect([storage.count(ONE), storage.count(OTHER), storage.count(documentSpace(3))]).toEqual([3, 2, 0]);
  expect(texts(documentSpace(3), 'a', 'c')).toEqual([]);
});

test('a space created in a failed transaction can be created again', () => {
  fails(() => put(ONE, 'a'));
  expect(storage.get(keyOf(ONE, 'a'))).toBeUndefined();
  put(OTHER, 'b');
  put(ONE, 'c');
  expect([texts(ONE, 'a', 'z'), texts(OTHER, 'a', 'z')]).toEqual([['c'], ['b']]);
});

test('a space removed in a failed transaction is still there', () => {
  put(ONE, 'a');
  const takeAway = () => {
    storage.remove(keyOf(ONE, 'a'));
    storage.removeSpace(ONE);
    put(OTHER, 'b');
  };
  fails(takeAway);
  expect([texts(ONE, 'a', 'z'), texts(OTHER, 'a', 'z')]).toEqual([['a'], []]);
  storage.transact(takeAway);
  expect([texts(ONE, 'a', 'z'), texts(OTHER, 'a', 'z')]).toEqual([[], ['b']]);
  put(ONE, 'c');
  expect([texts(ONE, 'a', 'z'), texts(OTHER, 'a', 'z')]).toEqual([['c'], ['b']]);
});

test('keys are found in order, whatever the order of writes and undone writes', () => {
  put(ONE, 'b');
  fails(() => put(ONE, 'f', 'h'));
  put(ONE, 'd', 'g');
  storage.transact(() => storage.remove(keyOf(ONE, 'g')));
  put(ONE, 'e', 'a', 'i', 'c', 'e');
  expect(texts(ONE, 'a', 'z')).toEqual(['a', 'b', 'c', 'd', 'e', 'i']);
  storage.transact(() => {
    put(ONE, 'j');
    storage.remove(keyOf(ONE, 'j'));
    put(ONE, 'j');
  });
  expect(texts(ONE, 'a', 'z').at(-1)).toBe('j');
});

import { describe, expect, test } from 'vitest';
import { MESSAGE_MAX_LENGTH } from '../chats/contract.ts';
import { excerptOf } from './hits.ts';
import { termsOf, wordsOf } from './words.ts';

const TRIES = 10;

/** The processor time of the quickest of several runs, in milliseconds. */
function costOf(work: () => unknown): number {
  const runs = Array.from({ length: TRIES }, () => {
    const before = performance.now();
    work();
    return performance.now() - before;
  });
  return Math.min(...runs);
}

/** Marks that have to change places when their run is put in order. */
const marks = (count: number) => '\u0301\u0316'.repeat(count / 2);
const TEXTS: [string, (length: number) => string][] = [
  ['one word with many combining marks', (length) => `o${marks(length - 5)}rder`],
  ['half-width marks', (length) => `か${'\uFF9E\uFF9F\u0334'.repeat(length / 3)}order`],
  ['invisible characters', (length) => `o${'\u200D\u2060'.repeat(length / 2)}rder`],
  ['presentation forms that stand for eighteen letters', (length) => `${'\uFDFA'.repeat(length - 6)} order`],
  ['Chinese without spaces', (length) => `${'我要退款'.repeat(length / 4)}order`],
  ['Korean single letters', (length) => `${'\u1112\u1161\u11AB'.repeat(length / 3)} order`],
  ['ordinary words', (length) => `${'lorem ipsum '.repeat(length / 12)}order`],
];
const TERMS = termsOf('order');

describe.each(TEXTS)('%s', (_, text) => {
  test('are normalized and split in linear time', () => {
    for (const work of [(one: string) => wordsOf(one), (one: string) => excerptOf(one, TERMS)]) {
      const [short, long] = [text(MESSAGE_MAX_LENGTH), text(8 * MESSAGE_MAX_LENGTH)];
      const inPieces = costOf(() => {
        for (let i = 0; i < 8; i++) work(short);
      });
      // At once or in eight pieces: the same for a straight line, eight times as much for a square.
      expect(costOf(() => work(long)) / Math.max(inPieces, 2)).toBeLessThan(4);
    }
  });
});

test('a message of combining marks costs no more than one of words', () => {
  const [marked, plain] = [`o${marks(4_994)}rder`, 'lorem ipsum dolor '.repeat(277)];
  const dearest = Math.max(
    costOf(() => wordsOf(plain)),
    costOf(() => excerptOf(plain, TERMS)),
    1,
  );
  expect(costOf(() => wordsOf(marked))).toBeLessThan(3 * dearest);
  expect(costOf(() => excerptOf(marked, TERMS))).toBeLessThan(3 * dearest);
});

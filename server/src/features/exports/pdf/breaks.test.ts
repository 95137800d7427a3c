import { expect, test } from 'vitest';
import { breakLines } from './breaks.ts';

const WIDTH = 10;
/** Every character is one wide. */
const linesOf = (text: string) =>
  breakLines(text, WIDTH, (start, end) => end - start).map(({ start, end }) => text.slice(start, end));

test.each([
  ['', ['']],
  ['short', ['short']],
  ['exactly 10', ['exactly 10']],
  ['two words here', ['two words', 'here']],
  ['blanks     at the end of lines', ['blanks', 'at the end', 'of lines']],
  ['  indented text', ['  indented', 'text']],
  ['a-very-long-word-of-many', ['a-very-lon', 'g-word-of-', 'many']],
  ['see https://example.com now', ['see', 'https://ex', 'ample.com', 'now']],
  ['Привет, мир! Как дела?', ['Привет,', 'мир! Как', 'дела?']],
  ['안녕하세요 제 주문은 어디에', ['안녕하세요 제', '주문은 어디에']],
])('%j is broken into lines by the rules of its script', (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

test.each(['我的订单在哪里我三周前订购了三本书', '今日はとても良い天気です。こんにちは'])(
  '%s is broken without spaces',
  (text) => {
    const lines = linesOf(text);
    expect(lines.join('')).toBe(text);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(WIDTH);
  },
);

test('no line begins with closing punctuation', () => {
  expect(linesOf('一二三四五六七八九十。')).toEqual([expect.stringMatching(/九$|八$/), expect.stringMatching(/。$/)]);
});

test('a letter and its combining marks are not separated', () => {
  const family = '👨‍👩‍👧‍👦';
  expect(linesOf(`${family}${family}`)).toEqual([family, family]);
});

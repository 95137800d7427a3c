import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf } from './hits.ts';
import { MESSAGE_WORDS_MAX, matchesTerm, termsOf, wordsOf } from './words.ts';

test.each([
  ['Latin, without case and accents', 'Crème BRÛLÉE, straße!', ['creme', 'brulee', 'strasse']],
  ['German in capitals', 'STRAẞE STRASSE', ['strasse']],
  ['numbers and punctuation', 'Order #12-345: 50% off', ['order', '12', '345', '50', 'off']],
  ['Turkish', 'İstanbul ISPARTA ılık', ['istanbul', 'isparta', 'ilik']],
  ['Greek with any form of sigma', 'ΟΔΟΣ οδός', ['οδοσ']],
  ['Cyrillic', 'Где мой ЗАКАЗ? Ёлка', ['где', 'мои', 'заказ', 'елка']],
  ['Arabic without vowel signs and elongation', 'أَهْلًا وسهـــلا', ['اهلا', 'وسهلا']],
  ['Persian with a joiner inside', 'می\u200cخواهم', ['میخواهم']],
  ['Chinese in pairs', '我要退款', ['我要', '要退', '退款', '款']],
  ['Japanese in pairs', 'キャンセルしたい', ['キャ', 'ャン', 'ンセ', 'セル', 'ルし', 'した', 'たい', 'い']],
  ['mixed scripts', 'iPhone手机15', ['iphone', '手机', '机', '15']],
  ['Korean', '환불 요청', ['환불', '요청']],
  ['Thai in pairs', 'คน', ['คน', 'น']],
  ['emoji one by one', 'great 👍🏽 👩‍👧 🇳🇴', ['great', '👍', '👩', '👧', '🇳🇴']],
  ['e-mail addresses by their parts', 'Vera.Lund@Example.com', ['vera', 'lund', 'example', 'com']],
  ['no words in a text without letters', ' .*(){}$^ … \u200b', []],
])('%s', (_, text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('long words are cut, and the number of words is limited', () => {
  expect(wordsOf('x'.repeat(5_000))).toEqual(['x'.repeat(32)]);
  expect(wordsOf(Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(' '))).toHaveLength(MESSAGE_WORDS_MAX);
});

describe('search terms', () => {
  test('the last word is a prefix, the words before are whole', () => {
    expect(termsOf('Order refu')).toEqual([
      { word: 'order', prefix: false },
      { word: 'refu', prefix: true },
    ]);
  });

  test('one character of a script without spaces finds the pairs that begin with it', () => {
    expect(termsOf('退')).toEqual([{ word: '退', prefix: true }]);
    expect(termsOf('退款')).toEqual([{ word: '退款', prefix: false }]);
  });

  test.each(['', ' ', '.*', '$ne', '^', '()'])('%j', (search) => {
    expect(termsOf(search).map(({ word }) => word)).toEqual(search === '$ne' ? ['ne'] : []);
  });
});

test('a text is found by each of its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const words = wordsOf(text);
      for (const search of [...words, text])
        expect(termsOf(search).every((term) => matchesTerm(words, term))).toBe(true);
      expect(new Set(words).size).toBe(words.length);
    }),
  );
});

describe('excerpts', () => {
  const far = 'lorem ipsum '.repeat(40);
  test.each([
    ['Latin with marks', 'Il faut un reme\u0301de, vite', 'remède', 'reme\u0301de, vite'],
    [
      'a word with many combining marks',
      `an o${'\u0301'.repeat(30)}rder, please`,
      'order',
      `o${'\u0301'.repeat(30)}rder, please`,
    ],
    ['Arabic with vowel signs', 'أَيْنَ طَلَـــبِي؟', 'طلبي', 'طَلَـــبِي؟'],
    ['Thai', 'ขอเงินคืน', 'คืน', 'คืน'],
    ['Chinese', '我要退款，谢谢', '退款', '退款，谢谢'],
    [
      'Korean single letters',
      '주문 \u1112\u116A\u11AB\u1107\u116E\u11AF 요청',
      '환불',
      '\u1112\u116A\u11AB\u1107\u116E\u11AF 요청',
    ],
    ['an emoji', 'thanks a lot 👍🏽 bye', '👍', '👍🏽 bye'],
    ['presentation forms', 'ｏｒｄｅｒ ﬁnal', 'final', 'ﬁnal'],
  ])('the excerpt of %s begins at a word boundary', (_, content, search, from) => {
    const excerpt = excerptOf(`${far}${content}`, termsOf(search));
    expect(excerpt.endsWith(from)).toBe(true);
    expect([...excerpt].length).toBe(41 + [...from].length);
  });

  test('contain a word that was searched for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const plain = text.replace(/\s/gu, ' ');
        for (const word of wordsOf(plain)) {
          const term = { word, prefix: false };
          expect(matchesTerm(wordsOf(excerptOf(`${far}${plain}`, [term])), term)).toBe(true);
        }
      }),
    );
  });

  test('show a short message completely', () => {
    expect(excerptOf('Where is my refund?', termsOf('refund'))).toBe('Where is my refund?');
  });

  test.each([
    ['refund', 'I want my Refund now'],
    ['退款', '请问退款要多久'],
  ])('cut a long message around %s', (search, middle) => {
    const excerpt = excerptOf(`${'先生 before '.repeat(60)}${middle}${' behind.'.repeat(60)}`, termsOf(search));
    expect(excerpt).toContain(middle.slice(0, 6));
    expect(excerpt).toMatch(/^….*…$/u);
    expect([...excerpt].length).toBeLessThanOrEqual(122);
  });
});

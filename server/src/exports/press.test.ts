import { extractText } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { builtWorker, FONTS } from '../../test/workers.ts';
import type { Piece } from './pieces.ts';
import { createPress } from './press.ts';

const press = createPress({ workerUrl: await builtWorker('exports/pdf/worker'), fonts: FONTS });
const heading = { title: 'Chat history', rows: [], timeZone: 'UTC' };
const at = Date.parse('2026-05-01T10:00:00Z');

function pieceOf(texts: string[]): Piece {
  return {
    chat: {
      ...{ visitor: 'Vera', email: null, site: 'Shop', supporter: null, status: 'closed' },
      ...{ beganAt: at, lastAt: at, tags: [], rating: null },
    },
    messages: texts.map((text) => ({ at, sender: 'visitor', name: 'Vera', text })),
  };
}

const READABLE = [
  'Łódź, naïve café, Καλημέρα, Здравствуйте, їжак ∞ ✓',
  '我的订单在哪里',
  'こんにちは、注文した商品',
  '안녕하세요 감사합니다',
  'नमस्ते',
  'Thanks 🎉',
];
let text: string;

beforeAll(async () => {
  async function* once() {
    yield [pieceOf([...READABLE, 'سلام ۱۲۳', 'שלום 42 (כן)', 'a\u202Eb\u0000c\u200Bd', 'long '.repeat(40)])];
  }
  const parts: Uint8Array[] = [];
  for await (const part of await press.print(heading, once(), new AbortController().signal)) parts.push(part);
  const pdf = await extractText(new Uint8Array(Buffer.concat(parts)), { mergePages: true });
  text = pdf.text;
});

test.each(READABLE)('%s is there to be read', (said) => {
  expect(text).toContain(said);
});

test('Arabic, Persian and Hebrew stand from right to left, and numbers in them from left to right', () => {
  expect(text).toContain('سلام ۱۲۳');
  // this reader gives mixed lines as they stand on the page
  expect(text).toContain('(כן) 42 שלום');
});

test('what cannot be seen or turns the direction of others is left out', () => {
  expect(text).toContain('abcd');
});

test('long lines are broken between words', () => {
  const lines = text.split('\n').filter((line) => line.includes('long'));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join(' ').match(/long/g)).toHaveLength(40);
});

test('a reader who leaves ends the thread: the next ones find a free one', async () => {
  let given = 0;
  let ended = 0;
  async function* endless() {
    try {
      for (;;) {
        given++;
        yield [pieceOf(['x'])];
      }
    } finally {
      ended++;
    }
  }
  for (let i = 1; i <= 4; i++) {
    const leave = new AbortController();
    const parts = await press.print(heading, endless(), leave.signal);
    await parts.next();
    leave.abort();
    await expect(parts.next()).rejects.toThrow('ended');
    expect(ended).toBe(i);
  }
  expect(given).toBeLessThan(12);
});

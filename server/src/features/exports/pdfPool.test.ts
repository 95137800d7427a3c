import { fileURLToPath } from 'node:url';
import { extractText } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { builtWorker, FONTS } from '#test/workers';
import { createPdf } from './pdf/layout.ts';
import { createPdfPool } from './pdfPool.ts';
import type { Piece } from './pieces.ts';

const settings = { workerUrl: await builtWorker('features/exports/pdf/worker'), fonts: FONTS };
const pdfPool = createPdfPool(settings);
const heading = { title: 'Chat history', rows: [], timeZone: 'UTC' };
const orderOf = (pieces: AsyncIterable<Piece[]>, person = 'ana') => ({ person, heading, pieces });
const reading = () => new AbortController().signal;
const at = Date.parse('2026-05-01T10:00:00Z');

function pieceOf(texts: string[]): Piece {
  return {
    chat: {
      visitor: 'Vera',
      email: null,
      answers: [],
      site: 'Shop',
      department: null,
      supporter: null,
      status: 'closed',
      beganAt: at,
      lastAt: at,
      tags: [],
      rating: null,
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
  text = await readAll(await pdfPool.print(orderOf(once()), reading()));
});

async function readAll(pdf: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of pdf) parts.push(part);
  return (await extractText(new Uint8Array(Buffer.concat(parts)), { mergePages: true })).text;
}

test.each(READABLE)('%s is readable in the PDF', (said) => {
  expect(text).toContain(said);
});

test('Arabic, Persian and Hebrew run from right to left, with numbers from left to right', () => {
  expect(text).toContain('سلام ۱۲۳');
  // this reader gives mixed lines as they stand on the page
  expect(text).toContain('(כן) 42 שלום');
});

test('invisible and direction-changing characters are removed', () => {
  expect(text).toContain('abcd');
});

test('long lines are broken between words', () => {
  const lines = text.split('\n').filter((line) => line.includes('long'));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join(' ').match(/long/g)).toHaveLength(40);
});

test('a cancelled export ends its thread and makes room for the next ones', async () => {
  let ended = 0;
  async function* endless() {
    try {
      for (;;) yield [pieceOf(['x'])];
    } finally {
      ended++;
    }
  }
  for (let i = 1; i <= 4; i++) {
    const leave = new AbortController();
    const parts = await pdfPool.print(orderOf(endless()), leave.signal);
    await parts.next();
    leave.abort();
    await expect(readAll(parts)).rejects.toThrow('has stopped');
    expect(ended).toBe(i);
  }
});

test('slow readers keep no threads', async () => {
  const leave = new AbortController();
  const slow = ['ana', 'ben'].map((person) =>
    pdfPool.print(orderOf(pages(20, 'For a slow reader'), person), leave.signal),
  );
  const [ofAna, ofBen] = (await Promise.all(slow)) as [AsyncGenerator<Uint8Array>, AsyncGenerator<Uint8Array>];
  const first = (await ofAna.next()).value;
  await ofBen.next();
  for (let count = 0; count < 3; count++)
    expect(await readAll(await pdfPool.print(orderOf(pages(1, 'Of another'), 'carl'), reading()))).toContain(
      'Of another',
    );
  const parts = [first];
  for await (const part of ofAna) parts.push(part);
  const { text } = await extractText(new Uint8Array(Buffer.concat(parts)), { mergePages: true });
  expect(text.match(/For a slow reader/g)).toHaveLength(20);
  leave.abort();
  await ofBen.return(undefined);
});

async function* pages(count: number, said: string) {
  for (let i = 0; i < count; i++) yield [pieceOf([said])];
}

test('the cost of complex scripts is bounded, however often the text is measured', () => {
  const spent = (said: string) => {
    const pdf = createPdf(fileURLToPath(FONTS), heading);
    pdf.add(pieceOf(['नमस्ते hello']));
    const before = process.cpuUsage();
    pdf.add(pieceOf([said]));
    return process.cpuUsage(before).user;
  };
  spent('warm '.repeat(1_000));
  // Of several: other work on the machine costs processor time, too.
  const ratios = Array.from(
    { length: 3 },
    () => spent('नमस्ते दुनिया '.repeat(350)) / spent('hello big world '.repeat(306)),
  );
  expect(Math.min(...ratios)).toBeLessThan(30);
});

test('a PDF that takes too long ends with a message that says so', async () => {
  const hasty = createPdfPool({ ...settings, limitsMs: { work: 0 } });
  const read = await readAll(await hasty.print(orderOf(pages(50, 'Hello there')), reading()));
  expect(read).toContain('Hello there');
  expect(read.replaceAll(/\s+/g, ' ')).toContain('This PDF is not complete: it took too long to create.');
});

test('a part that takes too long ends its thread, and the next PDF is created', async () => {
  const hasty = createPdfPool({ ...settings, limitsMs: { portion: 1 } });
  await expect(readAll(await hasty.print(orderOf(pages(1, 'x')), reading()))).rejects.toThrow('took too long');
  expect(await readAll(await pdfPool.print(orderOf(pages(1, 'Next one')), reading()))).toContain('Next one');
});

test('a PDF that ends early is an error, and is never taken for a whole one', async () => {
  const worker = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.postMessage(new TextEncoder().encode('%PDF-1.7\\n')));`;
  const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(worker)}`);
  for (const work of [0, 60_000]) {
    const pool = createPdfPool({ ...settings, workerUrl, limitsMs: { work } });
    await expect(readAll(await pool.print(orderOf(pages(2, 'x')), reading()))).rejects.toThrow(
      'before it was complete',
    );
  }
});

test('a person uses one thread and leaves the other to others', async () => {
  const leave = new AbortController();
  const first = await pdfPool.print(orderOf(pages(Number.POSITIVE_INFINITY, 'x')), leave.signal);
  await first.next();
  let isSecond = false;
  const second = pdfPool.print(orderOf(pages(1, 'The second')), reading()).then((pdf) => {
    isSecond = true;
    return readAll(pdf);
  });
  expect(await readAll(await pdfPool.print(orderOf(pages(1, 'Of another'), 'ben'), reading()))).toContain('Of another');
  expect(isSecond).toBe(false);
  leave.abort();
  await first.return(undefined);
  expect(await second).toContain('The second');
});

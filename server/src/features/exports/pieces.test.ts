import { expect, test } from 'vitest';
import { type ExportChat, type Piece, splitByWork } from './pieces.ts';

const chat = { visitor: 'Vera' } as ExportChat;
const message = (length: number) => ({
  at: 0,
  sender: 'visitor' as const,
  name: 'Vera',
  text: 'x'.repeat(length),
});
const lengths = (pieces: Piece[]) => pieces.map(({ messages }) => messages.map(({ text }) => text.length));

async function all(batch: Piece[]): Promise<Piece[][]> {
  const found: Piece[][] = [];
  async function* once() {
    yield batch;
  }
  for await (const portion of splitByWork(once())) found.push(portion);
  return found;
}

test('long messages are split into small batches, with one heading for each chat, without loss', async () => {
  const found = await all([
    { chat, messages: Array.from({ length: 9 }, () => message(5_000)) },
    { chat, messages: [message(10)] },
  ]);
  expect(found.map(lengths)).toEqual([[[5_000, 5_000, 5_000, 5_000]], [[5_000, 5_000, 5_000, 5_000]], [[5_000], [10]]]);
  expect(found.flat().map((piece) => piece.chat !== null)).toEqual([true, false, false, true]);
});

test('short messages stay in one batch', async () => {
  const batch = Array.from({ length: 25 }, () => ({ chat, messages: [message(100), message(50)] }));
  expect(await all(batch)).toEqual([batch]);
});

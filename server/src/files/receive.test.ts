import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPieces } from './receive.ts';

/** A disk that gives a little at a time. */
function slowDisk(bytes: Buffer) {
  const read = async (into: Buffer, at: number, length: number, from: number) => ({
    bytesRead: bytes.copy(into, at, from, from + Math.min(length, 7)),
    buffer: into,
  });
  return { read } as Parameters<typeof readPieces>[0];
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test('a short read from the disk is continued', async () => {
  const bytes = randomBytes(100);
  expect((await whole(readPieces(slowDisk(bytes), 100))).equals(bytes)).toBe(true);
});

test('a file that is shorter than expected is an error', async () => {
  await expect(whole(readPieces(slowDisk(randomBytes(99)), 100))).rejects.toThrow('shorter');
});

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { readPieces, receiveUpload } from './receive.ts';

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

test('a sender who hangs up after the last byte is noticed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sender.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\ndata');
  const [req] = await once(server, 'request');
  await receiveUpload(req, async (received) => {
    received.refuseCutOff();
    sender.destroy();
    await once(req.socket, 'close');
    expect(() => received.refuseCutOff()).toThrow('The upload was interrupted.');
  });
  server.close();
});

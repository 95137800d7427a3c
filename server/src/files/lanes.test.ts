import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { builtWorker } from '../../test/workers.ts';
import { createPictures, type PictureSender } from './pictures.ts';

const pictures = createPictures(await builtWorker('files/picture-worker'));
afterAll(() => pictures.stop());

const plain = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#2d6cdf' } });
const small = await plain(9).png().toBuffer();
const long = await plain(6_000).png({ progressive: true }).toBuffer();
const order: string[] = [];
const send = async (name: string, bytes: Buffer, sender: PictureSender) => {
  const source = { size: bytes.length, pieces: () => Readable.from([bytes]), field: 'file' };
  await pictures.reencode(source, sender);
  order.push(name);
};

test('large pictures of one sender do not delay others by more than one picture', async () => {
  const eve = { lane: 'visitors', key: '192.0.2.1' } as const;
  const all = ['first', 'second', 'third'].map((name) => send(name, long, eve));
  all.push(send('visitor', small, { lane: 'visitors', key: '192.0.2.2' }));
  all.push(send('member', small, { lane: 'staff', key: 'u:1' }));
  await Promise.all(all);
  expect(order.slice(-2)).toEqual(['second', 'third']);
  expect(order).toHaveLength(5);
});

test('the queue of one sender is limited', async () => {
  const mallory = { lane: 'visitors', key: '192.0.2.3' } as const;
  const answers = await Promise.allSettled(Array.from({ length: 14 }, () => send('x', small, mallory)));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { status: 503 } });
});

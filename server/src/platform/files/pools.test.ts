import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { builtWorker } from '#test/workers';
import { createPictures, type PictureSender } from './pictures.ts';

const pictures = createPictures(await builtWorker('platform/files/picture-worker'));
afterAll(() => pictures.stop());

const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#2d6cdf' } })
  .png()
  .toBuffer();
const order: string[] = [];

/** Has a sender's picture decoded; its bytes come once `ready` is over. */
async function send(name: string, sender: PictureSender, ready = async () => {}): Promise<void> {
  async function* pieces() {
    await ready();
    yield picture;
  }
  await pictures.reencode({ size: picture.length, pieces, field: 'file' }, sender);
  order.push(name);
}

test('pictures of one sender that take long do not delay others', async () => {
  const eve = { pool: 'visitors', key: '192.0.2.1' } as const;
  const visitor = { pool: 'visitors', key: '192.0.2.2' } as const;
  const member = { pool: 'staff', key: 'u:1' } as const;
  const others = () => Promise.all([send('visitor', visitor), send('member', member)]);
  // All processes have started: the time that one picture may take begins with its decoding.
  await Promise.all([send('eve', eve), others()]);
  order.length = 0;

  // Eve's take until the others have been served: if she had their places, nobody would ever be.
  const late = ['first', 'second', 'third'].map((name) => send(name, eve, async () => void (await served)));
  const served = others();
  await Promise.all(late);
  expect(order.slice(0, 2).sort()).toEqual(['member', 'visitor']);
  expect(order.slice(2)).toEqual(['first', 'second', 'third']);
});

test('the queue of one sender is limited', async () => {
  const mallory = { pool: 'visitors', key: '192.0.2.3' } as const;
  const answers = await Promise.allSettled(Array.from({ length: 14 }, () => send('x', mallory)));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { status: 503 } });
});

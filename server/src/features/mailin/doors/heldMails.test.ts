import { expect, test } from 'vitest';
import { MAIL_MAX_BYTES } from '../contract.ts';
import { createHeldMails } from './heldMails.ts';

async function* mail(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

test('mails beyond what may be held are for later, and each ends what it held', async () => {
  const held = createHeldMails(10);
  const taken: string[] = [];
  let letGo = () => {};
  const first = held.whole(mail('12345', '67'), async (raw) => {
    taken.push(raw.toString());
    await new Promise<void>((done) => {
      letGo = done;
    });
  });
  await expect.poll(() => taken).toEqual(['1234567']);
  const second = () => held.whole(mail('1234'), async (raw) => void taken.push(raw.toString()));
  await expect(second()).rejects.toMatchObject({ responseCode: 452, message: expect.stringMatching(/^4\.3\.1 /) });
  letGo();
  await first;
  await second();
  await expect(held.whole(mail('1'), () => Promise.reject(new Error('no store')))).rejects.toThrow('no store');
  await held.whole(mail('1234567890'), async (raw) => void taken.push(raw.toString()));
  expect(taken).toEqual(['1234567', '1234', '1234567890']);
});

test('a mail that is too large is not handed on', async () => {
  const half = 'x'.repeat(MAIL_MAX_BYTES / 2);
  const handOn = () => Promise.reject(new Error('handed on'));
  await expect(createHeldMails().whole(mail(half, half, 'x'), handOn)).rejects.toMatchObject({ responseCode: 552 });
});

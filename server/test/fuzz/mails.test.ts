import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailReader, type MailReader, MailUnreadable } from '../../src/features/mailin/reading/reader.ts';
import { events } from '../../src/platform/events/index.ts';
import { multipartOf, rawMail } from '../mails.ts';
import { builtWorker } from '../workers.ts';
import { IS_LONG, LONG_MS } from './scene.ts';

const RUNS = IS_LONG ? 10_000 : 500;
const MB = 1024 * 1024;
/** Of what is added to a mail, in bytes. */
const LENGTH_MAX = IS_LONG ? MB : 20_000;
/** The thread's heap, and the mails that are in it. */
const GROWTH_MAX_BYTES = 400 * MB;

let reader: MailReader;
beforeAll(async () => {
  reader = createMailReader(await builtWorker('features/mailin/reading/worker'));
});
afterAll(() => reader.stop());

const html = '<div>yes</div><div class="gmail_quote"><blockquote>no<br></blockquote></div>';
const status =
  'Content-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: 5.1.1';
const GOOD = [
  rawMail({ text: '> one \n> two\n\nyes', headers: [['Content-Type', 'text/plain; format=flowed; delsp=yes']] }),
  rawMail({
    text: 'ja',
    html,
    files: [{ name: 'a.png', type: 'image/png', content: Buffer.alloc(3_000, 7), contentId: 'a' }],
  }),
  rawMail({ parts: [status, `Content-Type: message/rfc822\n\n${rawMail()}`], multipart: 'report' }),
  rawMail({
    subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    parts: [multipartOf('mixed', [multipartOf('related', [status])])],
  }),
];
const PIECES = [
  '\n',
  '\r',
  '\0',
  '\n\n',
  ' ',
  '--',
  '=?utf-8?B?',
  '"',
  '<',
  '>',
  ';',
  '(',
  ',',
  '@',
  '=',
  '&',
  '<b>',
  '\xff',
  'From: a@b.c\n',
];

/** A number that stands for a place in a mail, whatever its length. */
const place = fc.integer({ min: 0, max: 0xffffff });
const at = (mail: Buffer, where: number) => where % (mail.length + 1);
const inserted = (mail: Buffer, where: number, piece: Uint8Array) =>
  Buffer.concat([mail.subarray(0, at(mail, where)), piece, mail.subarray(at(mail, where))]);

/** What may happen to a mail. */
const change = fc.oneof<fc.Arbitrary<(mail: Buffer) => Buffer>[]>(
  place.map((where) => (mail) => mail.subarray(0, at(mail, where))),
  place.map((where) => (mail) => mail.subarray(at(mail, where))),
  fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([where, bits]) => (mail) => {
    const flipped = Buffer.from(mail);
    const index = at(mail, where);
    if (index < mail.length) flipped[index] = (mail[index] ?? 0) ^ bits;
    return flipped;
  }),
  fc.tuple(place, fc.uint8Array({ maxLength: 40 })).map(
    ([where, bytes]) =>
      (mail) =>
        inserted(mail, where, bytes),
  ),
  fc.tuple(place, fc.constantFrom(...PIECES), fc.nat(3_000)).map(
    ([where, piece, times]) =>
      (mail) =>
        inserted(mail, where, Buffer.from(piece.repeat(times), 'latin1')),
  ),
  fc.tuple(place, place, fc.nat(20)).map(([from, to, times]) => (mail) => {
    const piece = mail.subarray(at(mail, from), at(mail, to));
    return Buffer.concat([mail, ...Array<Buffer>(times).fill(piece)]).subarray(0, LENGTH_MAX);
  }),
  fc.nat(12).map((depth) => (mail) => {
    let nested = mail.toString('latin1').slice(0, 20_000);
    for (let i = 0; i < depth; i++) nested = multipartOf('mixed', [nested]);
    return Buffer.from(nested, 'latin1');
  }),
  fc.nat(LENGTH_MAX).map((length) => (mail) => inserted(mail, 0, Buffer.from(`To: ${'a@b.c, '.repeat(length / 7)}\n`))),
);

const broken = fc
  .tuple(fc.constantFrom(...GOOD), fc.array(change, { minLength: 1, maxLength: 5 }))
  .map(([mail, changes]) => changes.reduce((changed, each) => each(changed), mail));

test('no broken mail holds the reader up or ends its thread', { timeout: LONG_MS }, async () => {
  const deaths: unknown[] = [];
  events.reportTo((error) => deaths.push(error));
  await reader.read(rawMail());
  const before = process.memoryUsage().rss;
  let unreadable = 0;
  await fc.assert(
    fc.asyncProperty(broken, async (raw) => {
      const mail = await reader.read(raw).catch((error: unknown) => error);
      if (mail instanceof MailUnreadable) unreadable++;
      else expect(mail).toMatchObject({ text: expect.any(String), subject: expect.any(String) });
      expect(deaths).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(unreadable).toBeLessThan(RUNS / 2);
  expect((await reader.read(rawMail({ text: 'still' }))).text).toBe('still');
  expect(process.memoryUsage().rss - before).toBeLessThan(GROWTH_MAX_BYTES);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { multipartOf, type RawMail, rawMail } from '../../../../test/mails.ts';
import { builtWorker } from '../../../../test/workers.ts';
import { createMailReader, type MailReader, MailUnreadable } from './reader.ts';

const MB = 1024 * 1024;
let reader: MailReader;
beforeAll(async () => {
  reader = createMailReader(await builtWorker('features/mailin/reading/worker'));
});
afterAll(() => reader.stop());

const read = (mail: RawMail) => reader.read(rawMail(mail));
const filesOf = async (mail: RawMail) =>
  (await read(mail)).files.map(({ name, content }) => [name, Buffer.from(content).toString('latin1').slice(0, 20)]);

test('files are kept as they are, also calendars, mails, texts and winmail.dat', async () => {
  const files = [
    { name: 'a.txt', type: 'text/plain', content: 'a text' },
    { name: 'page.html', type: 'text/html', content: '<p>a page' },
    { name: 'winmail.dat', type: 'application/ms-tnef', content: '\x78\x9f' },
    { name: 'photo.png', type: 'image/png', content: 'x'.repeat(30_000), contentId: 'photo@mail' },
    { name: 'small.png', type: 'image/png', content: 'a small screenshot' },
  ];
  const parts = [
    'Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR',
    'Content-Type: message/rfc822\n\nSubject: within\n\nanother text',
    `Content-Type: application/pdf\nContent-Disposition: attachment;\n filename*0*=utf-8''%E2%82%AC;\n filename*1=".pdf"\n\npdf`,
  ];
  expect(await filesOf({ text: 'yes', files, parts })).toEqual([
    ['invite.ics', 'BEGIN:VCALENDAR\n'],
    ['message.eml', expect.stringContaining('Subject: within')],
    ['€.pdf', 'pdf\n'],
    ['a.txt', 'a text'],
    ['page.html', '<p>a page'],
    ['winmail.dat', expect.any(String)],
    ['photo.png', 'x'.repeat(20)],
    ['small.png', 'a small screenshot'],
  ]);
});

test('pictures of signatures, pixels that track, and signatures of mails are left out', async () => {
  const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const files = [
    { name: 'logo.png', type: 'image/png', content: 'logo', contentId: 'logo@mail' },
    { name: 'pixel.gif', type: 'image/gif', content: pixel },
    { name: 'smime.p7s', type: 'application/pkcs7-signature', content: 'signature' },
    { name: 'empty.txt', content: '' },
  ];
  expect(await read({ files })).toMatchObject({ files: [], leftOut: [] });
});

test('names are without folders, line breaks, and marks that would show another ending', async () => {
  const named = (name: string) =>
    `Content-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''${name}\n\npdf`;
  const parts = ['..%2F..%2Fetc%2Fpasswd', 'C:%5CDesktop%5Ca.pdf', 'an%E2%80%AEfdp.exe', 'a%0D%0Ab.pdf', '%2F'].map(
    named,
  );
  const names = (await filesOf({ parts })).map(([name]) => name);
  expect(names).toEqual(['passwd', 'a.pdf', 'an fdp.exe', 'a b.pdf', 'file']);
});

test('files that are too many or too large are named', async () => {
  const files = Array.from({ length: 22 }, (_, i) => ({ name: `${i}.txt`, content: 'x' }));
  expect(await read({ files })).toMatchObject({ files: { length: 20 }, leftOut: ['20.txt', '21.txt'] });
  const large = [
    { name: 'film.mp4', content: Buffer.alloc(10 * MB) },
    { name: 'film.mov', content: Buffer.alloc(10 * MB + 1) },
  ];
  for (const [i, file] of large.entries()) {
    const mail = await read({ files: [file, { name: `${'n'.repeat(300)}.pdf`, content: 'x' }] });
    expect(mail.leftOut).toEqual(i === 0 ? [] : ['film.mov']);
    expect(mail.files.at(-1)?.name).toBe(`${'n'.repeat(251)}.pdf`);
  }
});

test.each<[string, () => Buffer]>([
  ['no mail', () => Buffer.from('\n\n')],
  ['nothing', () => Buffer.alloc(0)],
  ['headers without end', () => rawMail({ headers: [['X', 'a'.repeat(2 * MB)]] })],
  ['parts without end', () => Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\n'.repeat(2 * MB)}`)],
  [
    'parts in parts',
    () =>
      rawMail({
        parts: [
          Array(60)
            .fill(0)
            .reduce<string>((part) => multipartOf('mixed', [part]), 'Content-Type: text/plain\n\nx'),
        ],
      }),
  ],
  ['more than is taken', () => Buffer.alloc(15 * MB + 1)],
])('a mail of %s cannot be read', async (what, raw) => {
  const reason = what === 'more than is taken' ? 'tooLarge' : 'unreadable';
  await expect(reader.read(raw())).rejects.toEqual(new MailUnreadable(reason));
});

test('ten thousand parts can', async () => {
  const parts = Array.from({ length: 10_000 }, () => 'Content-Type: text/plain\n\nx');
  expect((await read({ parts })).text).toHaveLength('yes'.length + 29_999);
});

test('a mail that takes too long costs others nothing', async () => {
  const impatient = createMailReader(await builtWorker('features/mailin/reading/worker'), 300);
  try {
    await impatient.read(rawMail());
    const slowest = rawMail({ html: '<'.repeat(10 * MB) });
    const [slow, next] = await Promise.allSettled([impatient.read(slowest), impatient.read(rawMail({ text: 'next' }))]);
    expect(slow).toMatchObject({ status: 'rejected', reason: { reason: 'unreadable' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { text: 'next' } });
  } finally {
    await impatient.stop();
  }
});

test('too many that wait, and those of a server that stops, are to be tried again', async () => {
  const busy = createMailReader(await builtWorker('features/mailin/reading/worker'));
  const raw = rawMail();
  const reads = Array.from({ length: 101 }, () => busy.read(raw));
  const ends = Promise.allSettled(reads);
  await busy.stop();
  for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { status: 503 } });
});

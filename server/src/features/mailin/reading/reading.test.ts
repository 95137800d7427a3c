import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawMail, rawMail } from '../../../../test/mails.ts';
import { builtWorker } from '../../../../test/workers.ts';
import { createMailReader, type MailReader } from './reader.ts';

let reader: MailReader;
beforeAll(async () => {
  reader = createMailReader(await builtWorker('features/mailin/reading/worker'));
});
afterAll(() => reader.stop());

const read = (mail: RawMail) => reader.read(rawMail(mail));

describe('headers', () => {
  test('name who wrote to whom, and what is answered', async () => {
    const mail = await read({
      from: '"Jones, Mina" <Mina@Example.com>',
      to: 'Team: CHAT+abc@example.org, "x@y" <other@example.org>;',
      subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n =?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=',
      messageId: '<A.1@mail.example.com>',
      inReplyTo: '<3@example.org>',
      references: ['<1@example.org>', '<2@example.org>', '<3@example.org>'],
      headers: [
        ['Return-Path', '<Mina@Example.com>'],
        ['Delivered-To', 'shop@example.org'],
        ['X-Original-To', 'sales@example.org'],
        ['Cc', 'shop@example.org, nobody'],
      ],
    });
    expect(mail).toMatchObject({
      from: 'mina@example.com',
      subject: 'Grüße日本語',
      messageId: '<A.1@mail.example.com>',
      answered: ['<3@example.org>', '<2@example.org>', '<1@example.org>'],
      returnPath: 'mina@example.com',
      machine: null,
      bounce: null,
      text: 'yes',
      files: [],
      leftOut: [],
    });
    const recipients = ['chat+abc@example.org', 'other@example.org', 'sales@example.org', 'shop@example.org'];
    expect(mail.recipients.sort()).toEqual(recipients);
  });

  test.each<[string, [string, string][], object]>([
    ['without brackets', [['Message-ID', 'a@b']], { messageId: '<a@b>' }],
    ['that are missing', [['Message-ID', '']], { messageId: null, returnPath: null }],
    ['of a report', [['Return-Path', '<>']], { returnPath: '' }],
    [
      'twice',
      [
        ['From', 'a@example.com'],
        ['From', 'b@example.com'],
      ],
      { from: 'a@example.com' },
    ],
    ['without an address', [['From', 'Mina']], { from: null }],
    ['with what only looks encoded', [['Subject', '=?utf-8?B?%%%?= =?x?Q?=ZZ?= =?']], { subject: expect.any(String) }],
    ['of several lines', [['Subject', `a\n\tb\0 ${'c'.repeat(300)}`]], { subject: `a b ${'c'.repeat(196)}` }],
    [
      'that are long',
      [['References', '<a@b> '.repeat(90).replace(/a/g, () => `${Math.random()}`)]],
      { answered: { length: 30 } },
    ],
  ])('%s', async (_, headers, expected) => {
    expect(await read({ headers })).toMatchObject(expected);
  });
});

describe('the text', () => {
  const part = (type: string, bytes: Uint8Array | string, encoding = '8bit') =>
    Buffer.concat([
      Buffer.from(`From: a@example.com\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`),
      Buffer.from(bytes),
    ]);
  test.each<[string, Buffer, string]>([
    ['ISO-2022-JP', part('text/plain; charset=ISO-2022-JP', '\x1b$BF|K\\8l\x1b(B'), '日本語'],
    ['windows-1252', part('text/plain; charset=Windows-1252', Buffer.from([0x80, 0xfc])), '€ü'],
    ['KOI8-R', part('text/plain; charset="koi8-r"', Buffer.from([0xc4, 0xc1])), 'да'],
    ['GB18030', part('text/plain; charset=gb18030', Buffer.from([0xc4, 0xe3])), '你'],
    ['an unknown encoding', part('text/plain; charset=x-none', 'yes'), 'yes'],
    ['quoted-printable', part('text/plain; charset=utf-8', 'gr=C3=BC=\r\n=C3=9Fe =Z', 'quoted-printable'), 'grüße =Z'],
    ['CR alone', Buffer.from('From: a@example.com\r\rone\rtwo'), 'one\ntwo'],
    ['LF alone', Buffer.from('From: a@example.com\n\none\ntwo'), 'one\ntwo'],
    ['NUL', Buffer.from('From: a@example.com\n\no\0ne'), 'one'],
    ['no boundary', part('multipart/mixed', 'yes'), ''],
    ['a boundary that never comes', part('multipart/mixed; boundary=b', 'yes'), ''],
    ['a boundary that never ends', part('multipart/mixed; boundary=b', '--b\r\n\r\nyes'), 'yes'],
    [
      'lines that were broken',
      part(
        'text/plain; format=flowed',
        'one \r\ntwo\r\n> three \r\nfour\r\n  five\r\n>> six \r\n>> seven\r\n-- \r\nMina',
      ),
      'one two\n> three \nfour\n five\n>> six seven\n-- \nMina',
    ],
    ['lines that were broken within words', part('text/plain; delsp=yes;\r\n format=flowed', '日 \r\n本'), '日本'],
  ])('%s', async (_, raw, text) => {
    expect((await reader.read(raw)).text).toBe(text);
  });

  test('is the plain one, also before and after files', async () => {
    const parts = ['Content-Type: text/plain\n\nafterwards'];
    expect(await read({ text: 'plain', html: '<p>HTML', parts })).toMatchObject({ text: 'plain\nafterwards' });
    expect(await read({ text: ' \n', html: '<p>HTML' })).toMatchObject({ text: 'HTML' });
    expect((await read({ text: 'x'.repeat(100_000) })).text).toHaveLength(32_000);
    expect((await read({ html: '<p>xy'.repeat(100_000) })).text).toHaveLength(31_998);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawMail, rawMail } from '../../../../test/mails.ts';
import { builtWorker } from '../../../../test/workers.ts';
import { createMailReader, type MailReader } from './reader.ts';

let reader: MailReader;
beforeAll(async () => {
  reader = createMailReader(await builtWorker('features/mailin/reading/worker'));
});
afterAll(() => reader.stop());

const read = (mail: RawMail) => reader.read(rawMail(mail));

test.each<[string, [string, string][], string | null]>([
  ['vacation of Sieve', [['Auto-Submitted', 'auto-replied (vacation)']], 'automatic'],
  [
    'Exchange out of office',
    [
      ['Auto-Submitted', 'auto-generated'],
      ['X-Auto-Response-Suppress', 'All'],
    ],
    'automatic',
  ],
  ['an answering program', [['X-Autoreply', 'yes']], 'automatic'],
  [
    'an answer of cPanel',
    [
      ['Precedence', 'auto_reply'],
      ['X-Autorespond', 'Hello'],
    ],
    'automatic',
  ],
  ['a newsletter', [['Precedence', 'bulk']], 'automatic'],
  ['an empty return path', [['Return-Path', '<>']], 'automatic'],
  ['a mail server', [['From', 'MAILER-DAEMON@mx.example.com (Mail Delivery System)']], 'automatic'],
  [
    'a mailing list',
    [
      ['List-Id', '<talk.example.com>'],
      ['Auto-Submitted', 'no'],
    ],
    'list',
  ],
  ['an old mailing list', [['Precedence', 'list']], 'list'],
  [
    'a read receipt',
    [['Content-Type', 'multipart/report; report-type=disposition-notification; boundary=b']],
    'report',
  ],
  [
    'a person',
    [
      ['Auto-Submitted', 'No'],
      ['Precedence', 'normal'],
    ],
    null,
  ],
  ['a person who wants no automatic answers', [['X-Auto-Response-Suppress', 'DR, OOF, AutoReply']], null],
])('%s', async (_, headers, machine) => {
  expect((await read({ headers })).machine).toBe(machine);
});

/** A report as mail servers send it. */
function report(about: string[], original: string, type = 'message/rfc822'): RawMail {
  return {
    from: 'Mail Delivery Subsystem <mailer-daemon@mx.example.com>',
    headers: [
      ['Return-Path', '<>'],
      ['Auto-Submitted', 'auto-replied'],
    ],
    multipart: 'report; report-type=delivery-status',
    text: 'Your message could not be delivered.',
    parts: [
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\nArrival-Date: Fri, 27 Nov 2026\n\n${about.join('\n')}\n`,
      `Content-Type: ${type}\n\n${original}`,
    ],
  };
}
const ORIGINAL =
  'Received: from a\nSubject: Your chat\nMessage-ID:\n <1@example.org>\n\nMessage-ID: <forged@example.org>\n';
const FOUND = { recipient: 'mina@example.com', messageId: '<1@example.org>' };
const POSTFIX = ['Final-Recipient: rfc822; Mina@example.com', 'Original-Recipient: rfc822;mina@example.com'];

test.each<[string, RawMail, object]>([
  [
    'Postfix',
    report(
      [...POSTFIX, 'Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550 5.1.1 <m>:\n    no such user'],
      ORIGINAL,
    ),
    { ...FOUND, status: '5.1.1' },
  ],
  [
    'Postfix with headers only',
    report([...POSTFIX, 'Action: failed', 'Status: 5.0.0'], ORIGINAL, 'text/rfc822-headers'),
    { ...FOUND, status: '5.0.0' },
  ],
  [
    'Microsoft 365',
    report(
      ['Final-Recipient: rfc822;mina@example.com', 'Action: failed', 'Status: 5.1.10', 'Remote-MTA: dns;x'],
      ORIGINAL,
    ),
    { ...FOUND, status: '5.1.10' },
  ],
  [
    'Gmail, of a forwarded address',
    report(
      [
        'Original-Recipient: rfc822;mina@example.com',
        'Final-Recipient: rfc822; new@example.com',
        'Action: failed',
        'Status: 5.1.2 (bad domain)',
      ],
      ORIGINAL,
    ),
    { ...FOUND, status: '5.1.2' },
  ],
  [
    'the second of two recipients',
    report(
      [
        'Final-Recipient: rfc822; a@b.c',
        'Action: delivered',
        'Status: 2.0.0',
        '',
        'Final-Recipient: rfc822; <mina@example.com>',
        'Action: failed',
        'Status: 5.4.1',
      ],
      ORIGINAL,
    ),
    { ...FOUND, status: '5.4.1' },
  ],
  [
    'without the mail',
    { ...report([...POSTFIX, 'Action: failed', 'Status: 5.1.1'], '', 'text/x-none') },
    { ...FOUND, status: '5.1.1', messageId: null },
  ],
  [
    'an older Exim',
    {
      headers: [['X-Failed-Recipients', 'mina@example.com']],
      text: `  mina@example.com\n    SMTP error from remote mail server after RCPT TO:<mina@example.com>:\n    550 5.1.1 unknown\n\n------ This is a copy of your message. ------\n\n${ORIGINAL}`,
    },
    { ...FOUND, status: '5.1.1' },
  ],
])('a bounce of %s is found', async (_, mail, bounce) => {
  expect(await read(mail)).toMatchObject({ machine: 'report', bounce });
});

test.each<[string, string[]]>([
  ['a mail that is late', ['Action: delayed', 'Status: 4.4.1']],
  ['a late mail with a wrong status', ['Action: delayed', 'Status: 5.4.1']],
  ['a failure for now', ['Action: failed', 'Status: 4.4.7']],
  ['a full mailbox', ['Action: failed', 'Status: 5.2.2']],
  ['a spam filter', ['Action: failed', 'Status: 5.7.1']],
  ['a mail that arrived', ['Action: relayed', 'Status: 2.1.5']],
])('%s says nothing about the address', async (_, fields) => {
  expect(await read(report([...POSTFIX, ...fields], ORIGINAL))).toMatchObject({ machine: 'report', bounce: null });
});

import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { createLimits } from '../http/limits/limits.ts';
import { createMail, type Mail } from './mail.ts';
import { MailModel } from './model.ts';
import { mailText } from './texts.ts';
import { SmtpError } from './transport.ts';

/** What one site may have mailed in an hour. */
const SITE_MAX = 200;
const HOUR_MS = 3_600_000;

const log: string[] = [];
let box: Mailbox;
let server: TestServer;
let mail: Mail;
let ahead = 0;
const limits = createLimits({ on: true });

beforeAll(async () => {
  box = await startMailbox();
  // It has the store, and takes none of the mails.
  server = await startServer();
  mail = createMail({
    settings: mailingInto(box).mail,
    publicUrl: 'https://chat.example.com',
    cipher: { seal: (text) => text, open: (sealed) => sealed },
    current: async (content) => content,
    limits,
    log: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
    everyMs: 20,
    now: () => Date.now() + ahead,
  });
  mail.start();
});
afterAll(async () => {
  await mail.stop();
  await server.stop();
  await box.stop();
});

const mailTo = (site: string, to: string) => ({
  kind: 'answer' as const,
  to,
  subject: mailText('Open'),
  text: [],
  footer: mailText('Open'),
  ...(site ? { behalf: { site, account: `owner of ${site}` } } : {}),
});

test("mails above a site's limit wait for the next hour, are logged once, and delay nobody else", async () => {
  for (let number = 5; number < SITE_MAX; number++) await limits.take('mailsPerSite', 'loud');
  for (let number = 0; number < 10; number++) await mail.send(mailTo('loud', `n${number}@example.com`));
  await until(async () => log.length > 0);
  await mail.send(mailTo('quiet', 'quiet@example.com'));
  await mail.send(mailTo('', 'own@example.com'));
  await until(async () => box.mails.length === 5 + 2);
  expect(await MailModel.countDocuments({ site: 'loud', dueAt: { $exists: true } })).toBe(5);
  expect(log.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'mail delayed: hourly limit reached', site: 'loud', bound: 'mailsPerSite' }),
  ]);
  expect(log.join()).not.toContain('@');
  ahead = HOUR_MS;
  // The limiter counts by the real clock: they are asked for again, and wait on.
  const later = { site: 'loud', dueAt: { $gt: new Date(Date.now() + ahead + HOUR_MS / 2) } };
  await until(async () => (await MailModel.countDocuments(later)) === 5);
  expect(log).toHaveLength(1);
  ahead = 26 * HOUR_MS;
  await until(async () => (await MailModel.countDocuments({ dueAt: { $exists: true } })) === 0);
});

test('mails about accounts have a limit for each mailbox, whichever account they are about', async () => {
  const about = (account: string, to: string) => ({
    ...mailTo('', to),
    kind: 'security' as const,
    behalf: { account },
  });
  const before = box.mails.length;
  for (let number = 0; number < 4; number++) {
    await mail.send(about('first', 'vic@example.com'));
    await mail.send(about('second', 'Vic+shop@example.com'));
  }
  await mail.send(about('third', 'other@example.com'));
  await until(async () => box.mails.length === before + 6);
  await until(async () => (await MailModel.countDocuments({ dueAt: { $gt: new Date(Date.now() + ahead) } })) === 3);
  expect(box.mails).toHaveLength(before + 6);
});

test('a test mail counts for the same limit, unless it could not be sent', async () => {
  const test = () => mail.sendNow({ ...mailTo('', 'asks@example.com'), kind: 'test', behalf: { account: 'asking' } });
  box.refuse(550);
  for (let number = 0; number < 6; number++) await expect(test()).rejects.toBeInstanceOf(SmtpError);
  box.refuse(null);
  for (let number = 0; number < 5; number++) await test();
  await expect(test()).rejects.toMatchObject({ status: 429 });
});

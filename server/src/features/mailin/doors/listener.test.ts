import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { selfMade } from '#test/certificate';
import { startServer, type TestServer } from '#test/harness';
import { rawMail } from '#test/mails';
import { type RefusingStore, startRefusingStore } from '#test/refusingStore';
import { hangUpMail, type MailLine, talkTo } from '#test/smtpTalk';
import type { ListenerSettings } from '../../../platform/env/index.ts';
import { MAIL_MAX_BYTES, REPLY_DAYS } from '../contract.ts';
import type { Envelope, Receive } from '../mailIn.ts';
import { createReplyAddresses } from '../replyAddresses.ts';
import { type Listener, startListener } from './listener.ts';

const DAY_MS = 86_400_000;
const PLAIN = 'chat@in.example.com';

let store: RefusingStore;
let server: TestServer;
let folder: string;
let ahead = 0;
const now = () => Date.now() + ahead;
const address = { local: 'chat', domain: 'in.example.com' };
const addresses = createReplyAddresses({ address, imap: null, listener: null, secret: null }, now);
const open: Listener[] = [];
let taken: { raw: string; envelope: Envelope }[] = [];
let fails = 0;
let isFull = false;

/** Takes all mails, or (`fails`) the next ones not yet. */
const receive: Receive = async (raw, envelope) => {
  if (fails-- > 0) throw new Error('the store is away');
  if (isFull) return { end: 'later', reason: 'full' };
  taken.push({ raw: Buffer.from(raw).toString(), envelope });
  return { end: 'added' };
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-listener-'));
  store = await startRefusingStore();
  server = await startServer({ mongodbUri: store.uri });
});
afterEach(async () => {
  await hangUpMail();
  for (const listener of open.splice(0)) await listener.stop();
  [taken, fails, ahead, isFull] = [[], 0, 0, false];
});
afterAll(async () => {
  await server.stop();
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

async function listen(more: Partial<ListenerSettings> = {}): Promise<number> {
  const settings: ListenerSettings = { protocol: 'smtp', host: '127.0.0.1', port: 0, tls: null, ...more };
  const listener = await startListener({ settings, addresses, receive, now, log: pino({ level: 'silent' }) });
  open.push(listener);
  return listener.port;
}

/** An address for answers. */
async function replyTo(): Promise<string> {
  const [site, chat, visitor] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const of = { site, chat, visitor, user: null, to: 'vera@example.com' };
  return (await addresses.answerable(of, `<${chat}@chat.example.com>`, [])).replyTo;
}

/** A connection up to its recipients. */
async function begun(port: number, hello = 'EHLO'): Promise<MailLine> {
  const line = await talkTo(port);
  await line.say(`${hello} mail.example.com`);
  await line.say('MAIL FROM:<vera@example.com>');
  return line;
}

test('a mail from a mail server is handed on with its envelope', async () => {
  const [port, to] = [await listen(), await replyTo()];
  const raw = rawMail({ to, text: '.\nyes' }).toString();
  await createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
    envelope: { from: '', to: [to.toUpperCase()] },
    raw,
  });
  expect(taken).toEqual([{ raw, envelope: { door: 'smtp', from: '', to: [to] } }]);
});

test('only recipients that exist are taken', async () => {
  const [port, known, old] = [await listen(), await replyTo(), await replyTo()];
  const line = await begun(port);
  const rcpt = (to: string) => line.say(`RCPT TO:<${to}>`);
  expect(await rcpt(PLAIN)).toMatch(/^250 /);
  expect(await rcpt(known)).toMatch(/^250 /);
  for (const unknown of [`chat+${'a'.repeat(26)}@in.example.com`, 'chat+x@in.example.com', 'you@in.example.com'])
    expect(await rcpt(unknown)).toMatch(/^550 5\.1\.1 /);
  expect(await rcpt(known.replace('in.example.com', 'other.example'))).toMatch(/^550 5\.1\.1 /);
  ahead = REPLY_DAYS * DAY_MS + 1000;
  expect(await rcpt(old)).toMatch(/^550 5\.1\.1 .*expired/);
});

test('a mail to two recipients is handed on once, and LMTP answers for each', async () => {
  const [port, one, two] = [await listen({ protocol: 'lmtp' }), await replyTo(), await replyTo()];
  const line = await begun(port, 'LHLO');
  for (const to of [one, two]) await line.say(`RCPT TO:<${to}>`);
  await line.say('DATA');
  fails = 1;
  expect(await line.say('Subject: yes\r\n\r\nyes\r\n.', 2)).toMatch(/^451 4\.3\.0 .*\r\n451 4\.3\.0 /);
  await line.say('MAIL FROM:<vera@example.com>');
  for (const to of [one, two]) await line.say(`RCPT TO:<${to}>`);
  await line.say('DATA');
  expect(await line.say('Subject: yes\r\n\r\nyes\r\n.', 2)).toMatch(/^250 2\.0\.0 .*\r\n250 2\.0\.0 /);
  expect(taken.map(({ envelope }) => envelope)).toEqual([{ door: 'lmtp', from: 'vera@example.com', to: [one, two] }]);
});

test('while a website is full, a mail is for later', async () => {
  const [port, to] = [await listen(), await replyTo()];
  const line = await begun(port);
  isFull = true;
  await line.say('MAIL FROM:<vera@example.com>');
  await line.say(`RCPT TO:<${to}>`);
  await line.say('DATA');
  expect(await line.say('Subject: yes\r\n\r\nyes\r\n.')).toMatch(/^452 4\.2\.2 /);
});

test('while the store is away, mails are for later', async () => {
  const [port, to] = [await listen(), await replyTo()];
  const line = await begun(port);
  const away = store.refuse(['find replyaddresses']);
  expect(await line.say(`RCPT TO:<${to}>`)).toMatch(/^451 4\.3\.0 /);
  away.end();
  expect(await line.say(`RCPT TO:<${to}>`)).toMatch(/^250 /);
});

test('a mail that is too large is refused, by its announced size or its own', async () => {
  const port = await listen();
  const line = await talkTo(port);
  expect(await line.say('EHLO mail.example.com')).toContain(`SIZE ${MAIL_MAX_BYTES}`);
  expect(await line.say(`MAIL FROM:<vera@example.com> SIZE=${MAIL_MAX_BYTES + 1}`)).toMatch(/^552 /);
  await line.say('MAIL FROM:<vera@example.com>');
  await line.say(`RCPT TO:<${PLAIN}>`);
  await line.say('DATA');
  const text = `${'x'.repeat(998)}\r\n`.repeat(MAIL_MAX_BYTES / 1000 + 1);
  expect(await line.say(`${text}.`)).toMatch(/^552 5\.3\.4 /);
  expect(await line.say('NOOP')).toMatch(/^250 /);
  expect(taken).toEqual([]);
});

test('it says nothing about the machine or its addresses, and takes no passwords', async () => {
  const line = await talkTo(await listen());
  expect(line.greeting).toBe('220 in.example.com ESMTP');
  const hello = await line.say('EHLO mail.example.com');
  expect(hello).not.toMatch(/AUTH|STARTTLS|XCLIENT/);
  for (const command of ['VRFY chat', 'AUTH PLAIN AGEAYg==', 'STARTTLS', 'HELP', 'WIZ x'])
    expect(await line.say(command), command).toMatch(/^500 /);
});

test('garbage, endless lines and talk before the greeting end the connection', async () => {
  const port = await listen();
  const endless = await talkTo(port);
  expect(await endless.say('x'.repeat(100_000))).toMatch(/^421 /);
  const garbage = await talkTo(port);
  expect(await garbage.say('\0\xff\r\n'.repeat(200), 10)).toMatch(/421 .*unrecognized/);
  const early = await talkTo(port, 'EHLO mail.example.com\r\n');
  expect(early.greeting).toMatch(/^421 /);
  for (const line of [endless, garbage, early]) await line.ended;
  const pipelined = await talkTo(port);
  const all = ['EHLO a.example', 'MAIL FROM:<a@a.example>', `RCPT TO:<${PLAIN}>`, 'DATA', 'Subject: x\r\n\r\nyes\r\n.'];
  const answers = await pipelined.say(all.join('\r\n'), 5);
  expect(answers.match(/^\d{3} /gm)).toEqual(['250 ', '250 ', '250 ', '354 ', '250 ']);
});

test('one address cannot have all connections', async () => {
  const port = await listen();
  const lines = await Promise.all(Array.from({ length: 40 }, () => talkTo(port)));
  const isRefused = ({ greeting }: MailLine) => greeting.startsWith('421 ');
  expect(lines.filter(isRefused).length).toBeGreaterThanOrEqual(15);
  const [one] = lines.filter((line) => !isRefused(line));
  expect(await one?.say('EHLO mail.example.com')).toMatch(/^250/);
});

test('STARTTLS is offered with a certificate, and what cannot be used is said', async () => {
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  await expect(listen({ tls: { cert, key } })).rejects.toThrow(/^MAIL_IN_TLS_CERT cannot be read: /);
  const made = selfMade('in.example.com');
  await writeFile(cert, made.cert);
  await writeFile(key, 'nothing');
  await expect(listen({ tls: { cert, key } })).rejects.toThrow(/^MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY do not fit: /);
  await writeFile(key, made.key);
  const [port, to] = [await listen({ tls: { cert, key } }), await replyTo()];
  const send = async (ca: string) => {
    const tls = { ca, servername: 'in.example.com' };
    const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls });
    await transport.sendMail({ envelope: { from: 'vera@example.com', to: [to] }, raw: rawMail({ to }) });
  };
  await send(made.cert);
  // Renewed while the server runs: between the two files the one before is used.
  const renewed = selfMade('in.example.com');
  await writeFile(cert, renewed.cert);
  await send(made.cert);
  await writeFile(key, renewed.key);
  await send(renewed.cert);
  await expect(send(made.cert)).rejects.toThrow();
  expect(taken).toHaveLength(3);
  await expect(listen({ port })).rejects.toThrow(`Port ${port} of MAIL_IN_URL is already in use.`);
});

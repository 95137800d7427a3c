import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLeases, singleNodeLeases } from '#platform/cluster';
import type { ImapSettings } from '#platform/env';
import { events } from '#platform/events';
import { createSecretBox } from '#platform/secrets';
import { until } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { type ImapStandIn, mailboxOf, startImapStandIn } from '#test/imapStandIn';
import { type RawMail, rawMail } from '#test/mails';
import type { MailOutcome } from '../contract.ts';
import type { Receive } from '../mailIn.ts';
import { createReplyAddresses, newToken } from '../replyAddresses.ts';
import { startImapDoor } from './imap.ts';

const ADDRESS = { local: 'chat', domain: 'example.org' };
const addresses = createReplyAddresses({ address: ADDRESS, imap: null, listener: null, secret: null }, Date.now);
/** Long enough that only what the server tells on its own can be heard before. */
const NEVER_MS = 2 ** 30;

let server: TestServer;
let standIn: ImapStandIn;
let user: string;
let stops: (() => void | Promise<void>)[];
/** The subjects of what was received, in order, and whether it was new. */
let received: string[];
let tried: (string | null)[];
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  standIn = await startImapStandIn();
  user = `${randomUUID()}@example.org`;
  stops = [];
  received = [];
  tried = [];
  stops.push(events.on('mailInTried', ({ failure }) => void tried.push(failure)));
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await standIn.stop();
});
afterAll(() => server.stop());

/** Remembers what it has taken, as the database does. */
function receiver(outcomeOf: (subject: string) => MailOutcome = () => ({ end: 'added' })): Receive {
  return async (raw) => {
    const subject = /^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? '';
    const isKnown = received.includes(subject);
    received.push(isKnown ? `${subject} again` : subject);
    return isKnown ? { end: 'known' } : outcomeOf(subject);
  };
}

interface Started {
  receive?: Receive;
  settings?: Partial<ImapSettings>;
  lease?: Parameters<typeof startImapDoor>[0]['lease'];
  waitMs?: number;
  commandMs?: number;
}

function open({ receive = receiver(), settings, lease, waitMs = NEVER_MS, commandMs = 10_000 }: Started = {}) {
  const stop = startImapDoor({
    settings: { ...mailboxOf(standIn, user), ...settings },
    addresses,
    receive,
    lease: lease ?? singleNodeLeases.lease('mailIn'),
    log: pino({ level: 'silent' }),
    now: Date.now,
    secretBox: createSecretBox('a key of this test'),
    times: { waitMs, commandMs, pausesMs: [5] },
  });
  stops.push(stop);
  return stop;
}

const answer = (subject: string, more: RawMail = {}) =>
  rawMail({ subject, to: `chat+${newToken()}@example.org`, ...more }).toString();
const isIdle = () => until(async () => standIn.commands.at(-1) === 'IDLE');
const subjectsIn = (folder: string) =>
  (standIn.folders.get(folder)?.mails ?? []).map(({ raw }) => /Subject: (.*)\r/.exec(raw)?.[1]);

test('a mail that comes during IDLE is received at once, and moved', async () => {
  open();
  await isIdle();
  standIn.deliver(answer('first'));
  await expect.poll(() => subjectsIn('Parley')).toEqual(['first']);
  await isIdle();
  standIn.deliver(answer('second'));
  await expect.poll(() => subjectsIn('Parley')).toEqual(['first', 'second']);
  expect(received).toEqual(['first', 'second']);
  expect(standIn.folders.get('Parley')?.mails.every(({ flags }) => flags.has('\\Seen'))).toBe(true);
  expect(subjectsIn('INBOX')).toEqual([]);
});

test('what was there before is received in order, and the position survives a restart', async () => {
  for (const subject of ['one', 'two', 'three']) standIn.deliver(answer(subject));
  const stop = open();
  await expect.poll(() => received).toEqual(['one', 'two', 'three']);
  await isIdle();
  await stop();
  const before = standIn.commands.length;
  standIn.deliver(answer('four'));
  open();
  await expect.poll(() => received.at(-1)).toBe('four');
  expect(standIn.commands.slice(before).filter((command) => command.startsWith('UID SEARCH'))[0]).toBe(
    'UID SEARCH UID 4:*',
  );
});

test('mails of people who use the mailbox, too, stay as they are, and are never loaded', async () => {
  const newsletter = rawMail({ subject: 'news', to: 'chat@example.org' }).toString();
  const friend = rawMail({ subject: 'lunch', to: 'jo@example.org', inReplyTo: '<x@elsewhere.example>' }).toString();
  const report = rawMail({ subject: 'undelivered', to: 'chat@example.org', multipart: 'report' }).toString();
  for (const raw of [newsletter, friend, report]) standIn.deliver(raw);
  open({ receive: receiver(() => ({ end: 'refused', reason: 'report' })) });
  await isIdle();
  expect(received).toEqual(['undelivered']);
  expect(subjectsIn('INBOX')).toEqual(['news', 'lunch', 'undelivered']);
  expect(standIn.folders.get('INBOX')?.mails.some(({ flags }) => flags.size > 0)).toBe(false);
});

test('an answer without a token, a report and a mail of the self-check are found by their headers', async () => {
  const id = () => new Types.ObjectId();
  const about = { site: id(), chat: id(), visitor: id(), user: null, to: 'mina@example.com' };
  const sent = `<${randomUUID()}@parley.example.org>`;
  await addresses.answerable(about, sent, []);
  standIn.deliver(rawMail({ subject: 'by id', to: 'jo@example.org', references: ['<a@b>', sent] }).toString());
  standIn.deliver(rawMail({ subject: 'bounce', to: 'Chat <CHAT@example.org>', multipart: 'report' }).toString());
  standIn.deliver(
    rawMail({ subject: 'check', to: 'chat@example.org', references: [`<check-${newToken()}@example.org>`] }).toString(),
  );
  standIn.deliver(
    answer('header', { to: 'all@example.org', headers: [['Delivered-To', `chat+${newToken()}@example.org`]] }),
  );
  open({ receive: receiver((subject) => ({ end: subject === 'check' ? 'check' : 'added' })) });
  await expect.poll(() => subjectsIn('Parley')).toEqual(['by id', 'bounce', 'check', 'header']);
});

test('a refused mail goes to a folder of its own, and stays with a flag where the server moves none', async () => {
  const outcomeOf = (): MailOutcome => ({ end: 'refused', reason: 'unknown' });
  standIn.deliver(answer('stranger'));
  open({ receive: receiver(outcomeOf) });
  await expect.poll(() => subjectsIn('Parley-refused')).toEqual(['stranger']);
  standIn.fault = (command) => (/^UID MOVE/.test(command) ? 'refuse' : undefined);
  standIn.deliver(answer('another'));
  await expect.poll(() => standIn.folders.get('INBOX')?.mails[0]?.flags.has('\\Seen')).toBe(true);
  await isIdle();
  expect(received).toEqual(['stranger', 'another']);
  expect(subjectsIn('INBOX')).toEqual(['another']);
});

test('a server that makes no folders keeps the mails, with a flag', async () => {
  standIn.fault = (command) => (/^CREATE/.test(command) ? 'refuse' : undefined);
  standIn.deliver(answer('one'));
  standIn.deliver(answer('two'));
  open();
  await isIdle();
  expect(received).toEqual(['one', 'two']);
  expect(standIn.folders.get('INBOX')?.mails.map(({ flags }) => [...flags])).toEqual([['\\Seen'], ['\\Seen']]);
});

test('a connection that dies at each command in turn is replaced, and the mail is moved once', async () => {
  const COMMANDS = /^(CAPABILITY|LOGIN|LIST|SELECT|IDLE|NOOP|CREATE|UID [A-Z]+)/;
  const died = new Set<string>();
  standIn.fault = (command) => {
    const [name] = COMMANDS.exec(command) ?? [];
    if (name === undefined || died.has(name)) return undefined;
    died.add(name);
    return 'die';
  };
  standIn.deliver(answer('precious'));
  open({ waitMs: 20 });
  await expect.poll(() => subjectsIn('Parley')).toEqual(['precious']);
  // Eleven commands: those of this list, with UID SEARCH, FETCH, STORE and MOVE.
  await expect.poll(() => died.size).toBe(11);
  await expect.poll(() => tried.at(-1)).toBe(null);
  expect(subjectsIn('INBOX')).toEqual([]);
  expect(received.filter((subject) => subject === 'precious')).toHaveLength(1);
  expect(tried.filter((failure) => failure !== null).length).toBeGreaterThanOrEqual(died.size);
});

test('a mail that was received before a crash is known then, and moved', async () => {
  standIn.deliver(answer('paid'));
  standIn.fault = (command) => (/^UID STORE/.test(command) ? 'die' : undefined);
  const stop = open();
  await expect.poll(() => received).toContain('paid');
  await stop();
  standIn.fault = () => undefined;
  open();
  await expect.poll(() => subjectsIn('Parley')).toEqual(['paid']);
  expect(received.at(-1)).toBe('paid again');
});

test('a server that is silent, during IDLE or at a command, is left for a new connection', async () => {
  for (const at of [/^IDLE/, /^NOOP/, /^UID FETCH/]) {
    let isOver = false;
    const connections = standIn.commands.filter((command) => command.startsWith('LOGIN')).length;
    standIn.fault = (command) => {
      if (!at.test(command) || isOver) return undefined;
      isOver = true;
      return 'silence';
    };
    standIn.deliver(answer(`${at}`));
    const stop = open({ waitMs: 50, commandMs: 200 });
    await expect.poll(() => received).toContain(`${at}`);
    await expect
      .poll(() => standIn.commands.filter((command) => command.startsWith('LOGIN')).length)
      .toBeGreaterThan(connections + 1);
    await expect.poll(() => isOver).toBe(true);
    await stop();
  }
  expect(tried).toContain('timeout');
});

test('a mailbox that counts anew is searched again, and nothing is doubled', async () => {
  standIn.deliver(answer('old'));
  standIn.fault = (command) => (/^UID MOVE/.test(command) ? 'refuse' : undefined);
  const stop = open();
  await expect.poll(() => received).toEqual(['old']);
  await isIdle();
  await stop();
  const inbox = standIn.folders.get('INBOX');
  if (inbox) Object.assign(inbox, { uidValidity: 99, uidNext: 2 });
  standIn.fault = () => undefined;
  standIn.deliver(answer('new'));
  open();
  await expect.poll(() => subjectsIn('Parley')).toEqual(['old', 'new']);
  expect(received).toEqual(['old', 'old again', 'new']);
});

test('a mail that fails again and again is set aside with a flag, and those after it come', async () => {
  let tries = 0;
  const take = receiver();
  standIn.deliver(answer('poison'));
  standIn.deliver(answer('good'));
  open({
    receive: async (raw, envelope) => {
      if (!Buffer.from(raw).includes('Subject: poison')) return take(raw, envelope);
      tries++;
      throw new Error('It cannot be read');
    },
  });
  await expect.poll(() => subjectsIn('Parley')).toEqual(['good']);
  expect(tries).toBe(5);
  expect(subjectsIn('Parley-refused')).toEqual(['poison']);
  expect(standIn.folders.get('Parley-refused')?.mails[0]?.flags.has('\\Flagged')).toBe(true);
});

test('a mail of more than the limit is refused without being loaded', async () => {
  const outcomes: MailOutcome[] = [];
  stops.push(events.on('mailReceived', ({ outcome }) => void outcomes.push(outcome)));
  standIn.deliver(answer('huge') + 'x'.repeat(15 * 1024 * 1024));
  open();
  await expect.poll(() => subjectsIn('Parley-refused')).toEqual(['huge']);
  expect(received).toEqual([]);
  expect(outcomes).toEqual([{ end: 'refused', reason: 'tooLarge' }]);
});

test('of two nodes one reads, and the other goes on when it stops', async () => {
  const [a, b] = [createLeases('a', { everyMs: 50 }), createLeases('b', { everyMs: 50 })];
  stops.push(() => b.stop());
  const name = `mailIn-${user}`;
  const stop = open({ lease: a.lease(name) });
  await isIdle();
  open({ lease: b.lease(name) });
  standIn.deliver(answer('one'));
  await expect.poll(() => subjectsIn('Parley')).toEqual(['one']);
  expect(standIn.connections()).toBe(1);
  await stop();
  await a.stop();
  standIn.deliver(answer('two'));
  await expect.poll(() => subjectsIn('Parley')).toEqual(['one', 'two']);
  expect(received).toEqual(['one', 'two']);
});

test('a stop during IDLE or while the server is away ends at once', async () => {
  const stop = open();
  await isIdle();
  await stop();
  await expect.poll(() => standIn.connections()).toBe(0);
  const { port } = standIn;
  const again = open({ settings: { port: port === 1 ? 2 : 1 } });
  await expect.poll(() => tried.at(-1)).toBe('ECONNREFUSED');
  await again();
});

test('without TLS, no secret is said to a server that is not on this machine', async () => {
  // The same machine, by an address that does not look like it.
  open({ settings: { host: '::ffff:127.0.0.1' } });
  await expect.poll(() => tried[0]).toBeTruthy();
  expect(standIn.commands).toContain('CAPABILITY');
  expect(standIn.commands.some((command) => /^(LOGIN|AUTHENTICATE)/.test(command))).toBe(false);
});

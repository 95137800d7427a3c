import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { singleNodeLeases } from '#platform/cluster';
import { events } from '#platform/events';
import { createSecretBox } from '#platform/secrets';
import { DAY_MS, HOUR_MS } from '#platform/time';
import { sharedServer, type TestServer } from '#test/harness';
import { type ImapStandIn, mailboxOf, startImapStandIn } from '#test/imapStandIn';
import { rawMail } from '#test/mails';
import type { MailOutcome } from '../contract.ts';
import { createReplyAddresses, newToken } from '../replyAddresses.ts';
import { mailboxKey, startImapDoor } from './imap.ts';
import { waitingMails } from './waitingMails.ts';

const ADDRESS = { local: 'chat', domain: 'example.org' };
const addresses = createReplyAddresses({ address: ADDRESS, imap: null, listener: null, secret: null }, Date.now);
const LATER: MailOutcome = { end: 'later', reason: 'full' };

let server: TestServer;
let standIn: ImapStandIn;
let box: string;
let stops: (() => void | Promise<void>)[];
let ahead: number;
/** The subjects of what was tried, in order. */
let tried: string[];
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  standIn = await startImapStandIn();
  [stops, ahead, tried] = [[], 0, []];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await standIn.stop();
});
afterAll(() => server.stop());

/** Reads the mailbox of a new user, whose mails are taken as `outcomeOf` says. @returns what ends it, and what reads it again */
function readMailbox(outcomeOf: (subject: string) => MailOutcome) {
  const settings = mailboxOf(standIn, `${randomUUID()}@example.org`);
  box = mailboxKey(settings);
  const read = () => {
    const stop = startImapDoor({
      settings,
      addresses,
      receive: async (raw) => {
        const subject = /^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? '';
        tried.push(subject);
        return outcomeOf(subject);
      },
      lease: singleNodeLeases.lease('mailIn'),
      secretBox: createSecretBox('a key of this test'),
      log: pino({ level: 'silent' }),
      now: () => Date.now() + ahead,
      times: { waitMs: 5, commandMs: 10_000, pausesMs: [5] },
    });
    stops.push(stop);
    return stop;
  };
  return { stop: read(), again: read };
}

const deliver = (subject: string) =>
  standIn.deliver(rawMail({ subject, to: `chat+${newToken()}@example.org` }).toString());
const subjectsIn = (folder: string) =>
  (standIn.folders.get(folder)?.mails ?? []).map(({ raw }) => /Subject: (.*)\r/.exec(raw)?.[1]);

test('a mail that is for later stays where it is, and is tried again after a while, also by a restarted server', async () => {
  const delays = Array(7).fill(LATER);
  deliver('later');
  deliver('next');
  const { stop, again } = readMailbox((subject) => (subject === 'later' && delays.pop()) || { end: 'added' });
  await expect.poll(() => subjectsIn('Parley')).toEqual(['next']);
  expect(await waitingMails(box)).toMatchObject({ count: 1 });
  await stop();
  again();
  // More tries than a mail has that fails.
  for (let tries = 2; tries <= 7; tries++) {
    ahead += 2 * HOUR_MS;
    await expect.poll(() => tried.filter((subject) => subject === 'later').length).toBe(tries);
    expect(subjectsIn('INBOX')).toEqual(['later']);
  }
  expect(standIn.folders.get('INBOX')?.mails[0]?.flags.size).toBe(0);
  ahead += 2 * HOUR_MS;
  await expect.poll(() => subjectsIn('Parley')).toEqual(['next', 'later']);
  await expect.poll(() => waitingMails(box)).toBe(null);
});

test('a mail waits for days and not for ever, and not after somebody has moved it', async () => {
  const outcomes: MailOutcome[] = [];
  stops.push(events.on('mailReceived', ({ outcome }) => void outcomes.push(outcome)));
  for (const subject of ['long', 'moved']) deliver(subject);
  readMailbox(() => LATER);
  await expect.poll(() => waitingMails(box)).toMatchObject({ count: 2 });
  standIn.folders.get('INBOX')?.mails.pop();
  ahead += 6 * DAY_MS;
  await expect.poll(() => subjectsIn('Parley-refused')).toEqual(['long']);
  expect(standIn.folders.get('Parley-refused')?.mails[0]?.flags.has('\\Flagged')).toBe(true);
  expect(outcomes).toEqual([{ end: 'refused', reason: 'full' }]);
  await expect.poll(() => waitingMails(box)).toBe(null);
});

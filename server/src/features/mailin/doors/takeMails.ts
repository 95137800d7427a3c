import { events } from '#platform/events';
import { DAY_MS } from '#platform/time';
import { MAIL_MAX_BYTES, type MailOutcome, REPLY_DAYS } from '../contract.ts';
import type { Receive } from '../mailIn.ts';
import type { ReplyAddresses } from '../replyAddresses.ts';
import { MailboxError, type MailHead, type OpenMailbox } from './mailbox.ts';
import { beginAt, countTry, forgetTries, moveTo, readPosition } from './mailboxPosition.ts';
import { belongingOf } from './mailHeaders.ts';
import { dueMails, endWait, endWaits, letWait } from './waitingMails.ts';

/** The folders for what was taken, and for what was not. */
const TAKEN = 'Parley';
const REFUSED = 'Parley-refused';
/** Mails whose headers are asked for at once. */
const BATCH = 100;
/** A mail that fails more often is set aside, because those after it wait. */
const TRIES_MAX = 5;
const TOO_LARGE: MailOutcome = { end: 'refused', reason: 'tooLarge' };

/** What taking mails out of a mailbox needs. */
export interface TakeDeps {
  addresses: ReplyAddresses;
  receive: Receive;
  now: () => number;
}

/**
 * Takes all mails for Parley that came since the last look, after those whose next try is due, one after the other: first the commit,
 * then the flag and the move, then the position. After a crash between them, `receive` says `known`, and the mail is moved then.
 * @param key the name of the mailbox
 * @throws when the mailbox is gone, or a mail could not be taken: it is tried again after a pause
 */
export async function takeNewMails(mailbox: OpenMailbox, key: string, deps: TakeDeps): Promise<void> {
  const uids = await newMails(mailbox, key, deps.now);
  const { uidValidity } = mailbox;
  await takeDueMails(mailbox, key, deps);
  for (let from = 0; from < uids.length; from += BATCH) {
    const batch = uids.slice(from, from + BATCH);
    for (const head of await mailbox.heads(batch)) {
      if (await takeMail(mailbox, key, head, deps)) await moveTo(key, { uidValidity, uid: head.uid });
    }
    await moveTo(key, { uidValidity, uid: batch.at(-1) ?? 0 });
  }
}

/** Takes the mails that have waited long enough. */
async function takeDueMails(mailbox: OpenMailbox, key: string, deps: TakeDeps): Promise<void> {
  const due = await dueMails(key, deps.now(), BATCH);
  if (due.length === 0) return;
  const heads = await mailbox.heads(due);
  const there = new Set(heads.map(({ uid }) => uid));
  // Somebody has moved or deleted the others.
  for (const uid of due) if (!there.has(uid)) await endWait(key, uid);
  for (const head of heads) await takeMail(mailbox, key, head, deps);
}

/** Those after the position; without one, of the days in which mails can be answered. */
async function newMails(mailbox: OpenMailbox, key: string, now: () => number): Promise<number[]> {
  const { uidValidity, uidNext } = mailbox;
  const position = await readPosition(key);
  if (position?.uidValidity === uidValidity) return mailbox.find({ after: position.uid });
  await endWaits(key);
  const uids = await mailbox.find({ since: new Date(now() - REPLY_DAYS * DAY_MS) });
  await beginAt(key, { uidValidity, uid: (uids[0] ?? uidNext) - 1 });
  return uids;
}

/** @returns whether it was for Parley */
async function takeMail(mailbox: OpenMailbox, key: string, head: MailHead, deps: TakeDeps): Promise<boolean> {
  const belonging = await belongingOf(head.headers, deps.addresses);
  if (belonging === 'other') return false;
  const { uid } = head;
  if ((await countTry(key, uid)) > TRIES_MAX) {
    events.fail(new Error(`Mail ${uid} of the mailbox has failed ${TRIES_MAX} times, and was set aside`), 'mail in');
    if (belonging === 'chat') await mailbox.file(uid, REFUSED, '\\Flagged');
    await endWait(key, uid);
    return true;
  }
  const outcome = await outcomeOf(mailbox, head, deps.receive);
  if (outcome?.end === 'later') {
    if (await letWait(key, uid, deps.now())) {
      await forgetTries(key);
      return true;
    }
    await events.emit('mailReceived', { door: 'imap', outcome: { ...outcome, end: 'refused' } });
    // The flag is for the people of the mailbox: nobody has read it.
    await mailbox.file(uid, REFUSED, '\\Flagged');
  } else if (outcome !== null) await fileAway(mailbox, uid, outcome, belonging);
  await endWait(key, uid);
  return true;
}

async function fileAway(mailbox: OpenMailbox, uid: number, { end }: MailOutcome, belonging: string): Promise<void> {
  if (end !== 'refused') await mailbox.file(uid, TAKEN, '\\Seen');
  // A report about somebody else's mail stays in the mailbox.
  else if (belonging === 'chat') await mailbox.file(uid, REFUSED, '\\Seen');
}

/** null: the mail is gone. */
async function outcomeOf(mailbox: OpenMailbox, { uid, size }: MailHead, receive: Receive): Promise<MailOutcome | null> {
  const raw = size > MAIL_MAX_BYTES ? 'tooLarge' : await mailbox.load(uid);
  if (raw === 'gone') return null;
  if (raw === 'tooLarge') {
    await events.emit('mailReceived', { door: 'imap', outcome: TOO_LARGE });
    return TOO_LARGE;
  }
  try {
    return await receive(raw, { door: 'imap', from: null, to: [] });
  } catch (error) {
    events.fail(error, 'mail in');
    throw new MailboxError('mailFailed');
  }
}

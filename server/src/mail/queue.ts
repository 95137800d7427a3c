import type { Logger } from 'pino';
import { duplicateKey } from '../http/errors.ts';
import type { Letter } from './letter.ts';
import { type MailDoc, MailModel } from './model.ts';
import { SmtpError, type Transport } from './transport.ts';

const MINUTE_MS = 60_000;
/** Longer than any delivery takes: a mail taken up this long ago was dropped by a process that died. */
const LEASE_MS = 5 * MINUTE_MS;
/** How long to wait after each failure; the last holds for all later ones. */
const BACKOFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/** No mail server is down for longer; nor is the mail worth more. */
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

/** Keeps letters unreadable to whoever gets hold of the database alone. */
export interface Envelope {
  seal(text: string, owner: string): string;
  /** Null: sealed with another key. */
  open(sealed: string, owner: string): string | null;
}

/** Keeps letters and sends them. */
export interface Postman {
  /** Keeps a letter durably; one with the same id is kept once. */
  keep(letter: Letter, id: string): Promise<void>;
  /** Sends all mail that is due, oldest first, one at a time; resolves when there is none left. */
  deliverDue(): Promise<void>;
  /** Ends after the mail under way. */
  stop(): Promise<void>;
}

/** What a postman works with. */
interface PostmanDeps {
  transport: Transport;
  envelope: Envelope;
  log: Logger;
  /** Milliseconds */
  now: () => number;
}

/** The one who sends the queue's mail. */
export function createPostman({ transport, envelope, log, now }: PostmanDeps): Postman {
  let round: Promise<void> | null = null;
  let isStopped = false;

  /** The letter; null: it cannot be read any more. */
  function letterOf({ _id, letter = '' }: MailDoc): Letter | null {
    const text = envelope.open(letter, _id);
    return text === null ? null : JSON.parse(text);
  }

  async function deliver(mail: MailDoc): Promise<void> {
    const letter = letterOf(mail);
    if (!letter) log.warn('mail dropped: it was sealed with another DATA_KEY');
    const failure = letter && (await attempt(letter, mail._id));
    if (!failure) return finish(mail, now());
    const isLost = failure.isFinal || now() - mail.createdAt.getTime() > GIVEN_UP_AFTER_MS;
    await (isLost ? finish(mail, now()) : postpone(mail, now()));
    const { code, status } = failure;
    log.warn({ kind: letter?.kind, code, status, attempts: mail.attempts, isLost }, 'mail not taken');
  }

  async function attempt(letter: Letter, id: string): Promise<SmtpError | null> {
    try {
      await transport.deliver(letter, id);
      return null;
    } catch (error) {
      if (error instanceof SmtpError) return error;
      throw error;
    }
  }

  async function deliverAll(): Promise<void> {
    while (!isStopped) {
      const mail = await take(now());
      if (!mail) return;
      await deliver(mail);
    }
  }

  return {
    async keep(letter, _id) {
      const at = new Date(now());
      const { about } = letter;
      const sealed = envelope.seal(JSON.stringify(letter), _id);
      const mail = new MailModel({ _id, letter: sealed, ...(about ? { about } : {}), dueAt: at, createdAt: at });
      await mail.save().catch((error) => {
        if (!duplicateKey(error)) throw error;
      });
    },
    deliverDue() {
      round ??= deliverAll().finally(() => {
        round = null;
      });
      return round;
    },
    async stop() {
      isStopped = true;
      await round?.catch(() => {});
    },
  };
}

/** Takes up one mail that is due: of several takers one gets it, and should that one die, it is due again later. */
function take(now: number): Promise<MailDoc | null> {
  return MailModel.findOneAndUpdate(
    { dueAt: { $lte: new Date(now) } },
    { $set: { dueAt: new Date(now + LEASE_MS) }, $inc: { attempts: 1 } },
    { sort: { dueAt: 1 }, returnDocument: 'after' },
  )
    .lean<MailDoc>()
    .exec();
}

async function finish({ _id }: MailDoc, now: number): Promise<void> {
  await MailModel.updateOne({ _id }, { $set: { doneAt: new Date(now) }, $unset: { letter: 1, dueAt: 1, about: 1 } });
}

/** Only while it is still ours: who was too slow changes nothing. */
async function postpone({ _id, dueAt, attempts }: MailDoc, now: number): Promise<void> {
  const pause = BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length) - 1] ?? MINUTE_MS;
  await MailModel.updateOne({ _id, dueAt: dueAt ?? null }, { $set: { dueAt: new Date(now + pause) } });
}

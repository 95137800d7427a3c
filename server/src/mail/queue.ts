import type { Logger } from 'pino';
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

/** Sends what is due. */
export interface Postman {
  /** Sends all mail that is due, oldest first, one at a time; resolves when there is none left. */
  deliverDue(): Promise<void>;
  /** Ends after the mail under way. */
  stop(): Promise<void>;
}

/** Makes the one that sends the queue's mail. @param now milliseconds */
export function createPostman(transport: Transport, log: Logger, now: () => number): Postman {
  let round: Promise<void> | null = null;
  let isStopped = false;

  async function deliver(letter: Letter, mail: MailDoc): Promise<void> {
    try {
      await transport.deliver(letter, mail._id);
      await finish(mail, now());
    } catch (error) {
      if (!(error instanceof SmtpError)) throw error;
      const isLost = error.isFinal || now() - mail.createdAt.getTime() > GIVEN_UP_AFTER_MS;
      const { code, status } = error;
      log.warn({ kind: letter.kind, code, status, attempts: mail.attempts, isLost }, 'mail not taken');
      if (isLost) await finish(mail, now());
      else await postpone(mail, now());
    }
  }

  async function deliverAll(): Promise<void> {
    while (!isStopped) {
      const mail = await take(now());
      if (!mail?.letter) return;
      await deliver(mail.letter, mail);
    }
  }

  return {
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

import type { QueryFilter } from 'mongoose';
import type { Logger } from 'pino';
import { events } from '../events.ts';
import { AppError, duplicateKey } from '../http/errors.ts';
import type { Limits, RateName } from '../http/limits.ts';
import { MINUTE_MS } from '../time.ts';
import { takeBounds } from './bounds.ts';
import { KEPT_MAX_MS, keptMs } from './kinds.ts';
import { type MailDoc, MailModel } from './model.ts';
import type { MailContent } from './template.ts';
import { SmtpError, type Transport } from './transport.ts';

/**
 * The lease of a mail being sent, longer than any delivery takes: after it, the process that took the mail must have died.
 */
const LEASE_MS = 5 * MINUTE_MS;
/** The wait after each failure; the last value holds for all further ones. */
const BACKOFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/** Mails sent at the same time, in all and per turn, so that the slow mails of one site do not delay the others'. */
const AT_ONCE = 4;
const AT_ONCE_PER_TURN = 2;

/** Encrypts mails, so that the database alone does not reveal them. */
export interface Sealer {
  seal(text: string, owner: string): string;
  /** @returns null if it was sealed with another key */
  open(sealed: string, owner: string): string | null;
}

/** The outbox of mails. */
export interface MailSender {
  /** Stores a mail durably. Idempotent: one with the same id is stored once. */
  keep(content: MailContent, id: string): Promise<void>;
  /** Starts sending all due mails: sites and accounts in round-robin order, of each the oldest first. */
  deliverDue(): void;
  /** Whether any mail is still queued. */
  isAwaited(): Promise<boolean>;
  /** Stops after the mails in progress. */
  stop(): Promise<void>;
}

/** What the sender needs. */
interface MailSenderDeps {
  transport: Transport;
  sealer: Sealer;
  /** The mail as its quoted messages are now; null: there is nothing left to say. */
  current: (content: MailContent) => Promise<MailContent | null>;
  limits: Limits;
  log: Logger;
  /** Milliseconds */
  now: () => number;
}

/** Creates the sender of the queued mails. */
export function createMailSender({ transport, sealer, current, limits, log, now }: MailSenderDeps): MailSender {
  const workers = new Set<Promise<void>>();
  const busy = new Map<string, number>();
  /** The site or account that was served last. */
  let turn = '';
  let isStopped = false;

  /** Opens a sealed mail; null: it cannot be decrypted any more. */
  function contentOf({ _id, letter = '' }: MailDoc): MailContent | null {
    const text = sealer.open(letter, _id);
    return text === null ? null : JSON.parse(text);
  }

  async function deliver(mail: MailDoc): Promise<void> {
    const content = contentOf(mail);
    const { attempts } = mail;
    const isOld = now() - mail.createdAt.getTime() > (content ? keptMs(content.kind) : KEPT_MAX_MS);
    if (!content) {
      // Another node, or the operator's next start, may have the right key.
      log.warn({ isLost: isOld }, 'mail not sent: it was encrypted with another DATA_KEY');
      return isOld ? finish(mail, now()) : postpone(mail, now());
    }
    if (isOld) {
      log.warn({ kind: content.kind, attempts, isLost: true }, 'mail not sent: it is out of date');
      return finish(mail, now());
    }
    const said = await current(content);
    if (!said) return finish(mail, now());
    const { kind } = said;
    const bound = await takeBounds(said, limits);
    if (bound) {
      const { site = '', account } = mail;
      if (await isWithin(limits, 'mailBoundPerSite', site))
        log.warn({ kind, site, account, ...bound }, 'mail delayed: hourly limit reached');
      return putOff(mail, now(), bound.waitS);
    }
    const failure = await attempt(said, mail._id);
    if (!failure) return finish(mail, now());
    const { code, status, isFinal: isLost } = failure;
    await (isLost ? finish(mail, now()) : postpone(mail, now()));
    log.warn({ kind, code, status, attempts, isLost }, 'mail not accepted by the mail server');
  }

  async function attempt(content: MailContent, id: string): Promise<SmtpError | null> {
    try {
      await transport.deliver(content, id);
      return null;
    } catch (error) {
      if (error instanceof SmtpError) return error;
      throw error;
    }
  }

  /** Takes the next mail in round-robin order. */
  async function takeInTurn(): Promise<MailDoc | null> {
    const full = [...busy].flatMap(([whose, count]) => (count < AT_ONCE_PER_TURN ? [] : [whose]));
    const next = await take({ site: { $gt: turn, $nin: full } }, now());
    const mail = next ?? (await take({ site: { $nin: full } }, now()));
    turn = mail?.site ?? '';
    return mail;
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      const mail = await takeInTurn();
      if (!mail) return;
      const { site = '' } = mail;
      busy.set(site, (busy.get(site) ?? 0) + 1);
      // More mails may be due.
      deliverDue();
      await deliver(mail).finally(() => {
        const others = (busy.get(site) ?? 0) - 1;
        if (others > 0) busy.set(site, others);
        else busy.delete(site);
      });
    }
  }

  function deliverDue(): void {
    if (isStopped || workers.size >= AT_ONCE) return;
    const worker = work()
      .catch((error) => events.fail(error, 'mail'))
      .finally(() => workers.delete(worker));
    workers.add(worker);
  }

  return {
    async keep(content, _id) {
      const at = new Date(now());
      const { about, behalf } = content;
      const sealed = sealer.seal(JSON.stringify(content), _id);
      const mail = new MailModel({
        _id,
        letter: sealed,
        ...(about ? { about } : {}),
        site: behalf?.site ?? behalf?.account,
        account: behalf?.account,
        dueAt: at,
        createdAt: at,
      });
      await mail.save().catch((error) => {
        if (!duplicateKey(error)) throw error;
      });
    },
    deliverDue,
    isAwaited: async () =>
      (await MailModel.findOne({ dueAt: { $exists: true } }, { _id: 1 })
        .sort({ site: 1, dueAt: 1 })
        .lean()) !== null,
    async stop() {
      isStopped = true;
      await Promise.all(workers);
    },
  };
}

async function isWithin(limits: Limits, name: RateName, key: string): Promise<boolean> {
  try {
    await limits.take(name, key);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Takes a lease on one due mail: of several processes only one gets it, and if that one dies, the mail becomes due again.
 */
function take(whose: QueryFilter<MailDoc>, now: number): Promise<MailDoc | null> {
  return MailModel.findOneAndUpdate(
    { ...whose, dueAt: { $lte: new Date(now) } },
    { $set: { dueAt: new Date(now + LEASE_MS) }, $inc: { attempts: 1 } },
    { sort: { site: 1, dueAt: 1 }, returnDocument: 'after' },
  )
    .lean<MailDoc>()
    .exec();
}

async function finish({ _id }: MailDoc, now: number): Promise<void> {
  await MailModel.updateOne({ _id }, { $set: { doneAt: new Date(now) }, $unset: { letter: 1, dueAt: 1, about: 1 } });
}

/** Schedules a retry, only while this process still has the lease: after its end another process may be sending the mail. */
async function postpone({ _id, dueAt, attempts }: MailDoc, now: number): Promise<void> {
  const pause = BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length) - 1] ?? MINUTE_MS;
  await MailModel.updateOne({ _id, dueAt: dueAt ?? null }, { $set: { dueAt: new Date(now + pause) } });
}

/** Delays a mail that was not tried because of a limit, together with all waiting mails of its site or account. */
async function putOff({ _id, dueAt, site }: MailDoc, now: number, waitS: number): Promise<void> {
  const later = { dueAt: new Date(now + waitS * 1_000) };
  await MailModel.updateOne({ _id, dueAt: dueAt ?? null }, { $set: later, $inc: { attempts: -1 } });
  if (site) await MailModel.updateMany({ site, dueAt: { $lte: new Date(now) } }, { $set: later });
}

import type { Logger } from 'pino';
import { AppError, duplicateKey, type Limits, type RateName } from '#platform/http';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { type ConcurrencyLimit, createQueue, type DeadLetterReason, type Outcome } from '#platform/work';
import { KEPT_MAX_MS, keptMs } from './kinds.ts';
import { takeMailLimits } from './limits.ts';
import { type MailDoc, MailModel } from './model.ts';
import type { MailContent } from './template.ts';
import { SmtpError, type Transport } from './transport.ts';

/**
 * The lease of a mail being sent, longer than any delivery takes: after it, the process that took the mail must have died.
 */
const LEASE_MS = 5 * MINUTE_MS;
/** The wait after each failure; the last value holds for all further ones. */
const BACKOFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/** Mails sent at the same time: in all, and of a site or an account, so that its slow mails do not delay the others'. */
const AT_ONCE = 4;
const AT_ONCE_EACH = 2;
/** The partition of mails on nobody's behalf, such as links for new passwords. */
const NOBODY = '';

/** Encrypts mails, so that the database alone does not reveal them. */
export interface MailCipher {
  seal(text: string, owner: string): string;
  /** @returns null if it was sealed with another key */
  open(sealed: string, owner: string): string | null;
}

/** The outbox of mails, a queue of leased work: sites and accounts are served round robin. */
export interface MailSender {
  start(): void;
  /** Stores a mail durably, and sends it soon. Idempotent: one with the same id is stored once. */
  send(content: MailContent, id: string): Promise<void>;
  /** Stops after the mails in progress. */
  stop(): Promise<void>;
}

export interface MailSenderDeps {
  transport: Transport;
  cipher: MailCipher;
  /** The mail as its quoted messages are now; null: there is nothing left to say. */
  current: (content: MailContent) => Promise<MailContent | null>;
  limits: Limits;
  log: Logger;
  /** The interval of looks for due mails, in milliseconds. */
  everyMs: number | undefined;
  now: () => number;
}

/** Creates the sender of the queued mails. */
export function createMailSender(deps: MailSenderDeps): MailSender {
  const { transport, cipher, current, limits, log, everyMs, now } = deps;
  const queue = createQueue<MailDoc>({
    name: 'mail',
    model: MailModel,
    partitionBy: 'site',
    firstKey: NOBODY,
    leaseMs: LEASE_MS,
    backoffMs: BACKOFF_MS,
    concurrency: AT_ONCE,
    accountOf: ({ account = NOBODY }) => account,
    limitsOf,
    notAfter: (mail) => mail.createdAt.getTime() + keptFor(contentOf(mail)),
    run: deliver,
    deadLetter: giveUp,
    everyMs,
    now,
  });

  /** Opens a sealed mail; null: it cannot be decrypted any more. */
  function contentOf({ _id, letter = '' }: MailDoc): MailContent | null {
    const text = cipher.open(letter, _id);
    return text === null ? null : JSON.parse(text);
  }

  async function deliver(mail: MailDoc): Promise<Outcome<MailDoc>> {
    const content = contentOf(mail);
    if (!content) {
      // Another node, or the operator's next start, may have the right key.
      log.warn({ isLost: false }, OTHER_KEY);
      return { end: 'failed' };
    }
    const currentContent = await current(content);
    if (!currentContent) return over();
    const { kind } = currentContent;
    const bound = await takeMailLimits(currentContent, limits);
    if (bound) {
      const { site = NOBODY, account } = mail;
      if (await isWithin(limits, 'mailBoundPerSite', site))
        log.warn({ kind, site, account, ...bound }, 'mail delayed: hourly limit reached');
      return { end: 'later', at: now() + bound.waitS * SECOND_MS, whole: true };
    }
    const failure = await attempt(currentContent, mail._id);
    if (!failure) return over();
    const { code, status, isFinal: isLost } = failure;
    log.warn({ kind, code, status, attempts: mail.attempts, isLost }, 'mail not accepted by the mail server');
    return isLost ? over() : { end: 'failed' };
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

  /** The id stays for a while, so that the same mail is not sent again. */
  const over = (): Outcome<MailDoc> => ({
    end: 'done',
    set: { doneAt: new Date(now()) },
    unset: ['letter', 'about'],
  });

  function giveUp(mail: MailDoc, why: DeadLetterReason): Outcome<MailDoc> {
    const content = contentOf(mail);
    const { attempts } = mail;
    if (!content) log.warn({ isLost: true }, OTHER_KEY);
    else if (why === 'old')
      log.warn({ kind: content.kind, attempts, isLost: true }, 'mail not sent: it is out of date');
    else log.warn({ kind: content.kind, attempts, isLost: true }, 'mail not sent: each try has ended the process');
    return over();
  }

  return {
    start: queue.start,
    stop: queue.stop,
    async send(content, _id) {
      const at = new Date(now());
      const { about, behalf } = content;
      const sealed = cipher.seal(JSON.stringify(content), _id);
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
      queue.wake(mail.site);
    },
  };
}

const OTHER_KEY = 'mail not sent: it was encrypted with another DATA_KEY';

const keptFor = (content: MailContent | null) => (content ? keptMs(content.kind) : KEPT_MAX_MS);

function limitsOf(site: string, account: string): ConcurrencyLimit[] {
  const perPartition = { name: site, max: AT_ONCE_EACH };
  return account === NOBODY ? [perPartition] : [perPartition, { name: `account ${account}`, max: AT_ONCE_EACH }];
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

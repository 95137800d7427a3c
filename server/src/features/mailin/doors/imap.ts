import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Lease, whileHeld } from '#platform/cluster';
import type { ImapSettings } from '#platform/env';
import { events } from '#platform/events';
import type { SecretBox } from '#platform/secrets';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { failureCode, MAILBOX_TIMES, type MailboxTimes, openMailbox } from './mailbox.ts';
import { type AccessTokens, createAccessTokens } from './oauth.ts';
import { storedTokens } from './refreshTokens.ts';
import { type TakeDeps, takeNewMails } from './takeMails.ts';

/** The pauses after failures in a row; the last one goes on. */
const PAUSES_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS];
/** The interval of looking whether this node has the lease. */
const LEASE_EVERY_MS = 2 * SECOND_MS;

interface ImapDeps extends TakeDeps {
  settings: ImapSettings;
  lease: Lease;
  secretBox: SecretBox;
  log: Logger;
  /** Shorter in tests. */
  times?: MailboxTimes & { pausesMs: number[] };
}

/** The name of a mailbox in the database. */
export const mailboxKey = ({ user, host, mailbox }: ImapSettings) => `${user}@${host}/${mailbox}`;

/**
 * Reads a mailbox for mails that are for Parley, on the node with the lease. A connection that ends, or on which a command has no
 * answer, is replaced by a new one, with pauses between failures.
 * @returns a disposer, which closes the connection and waits for the mail that is being taken
 */
export function startImapDoor(deps: ImapDeps): () => Promise<void> {
  const stopping = new AbortController();
  const running = supervise(deps, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

async function supervise(deps: ImapDeps, stopping: AbortSignal): Promise<void> {
  const { settings, lease, log, now, secretBox, times = { ...MAILBOX_TIMES, pausesMs: PAUSES_MS } } = deps;
  const { oauth } = settings;
  const refresh = oauth?.refreshToken ? storedTokens(mailboxKey(settings), oauth.refreshToken, secretBox) : null;
  const tokens = oauth && createAccessTokens(oauth, refresh, now);
  let failures = 0;
  let last: string | null = null;
  const tell = async (failure: string | null) => {
    if (failure !== null && failure !== last) log.warn({ failure }, 'the mailbox for answers cannot be read');
    last = failure;
    await events.emit('mailInTried', { door: 'imap', failure });
  };
  const worked = () => {
    failures = 0;
    return tell(null);
  };
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => {});

  while (!stopping.aborted) {
    if (!(await lease.take())) {
      await pause(LEASE_EVERY_MS);
      continue;
    }
    try {
      await whileHeld(lease, stopping, (signal) => readMailbox(deps, tokens, times, worked, signal));
    } catch (error) {
      const code = failureCode(error);
      if (code === 'authentication') tokens?.forget();
      if (stopping.aborted || code === 'stopped') continue;
      await tell(code);
      const { pausesMs } = times;
      await pause(pausesMs[Math.min(failures++, pausesMs.length - 1)] ?? 0);
    }
  }
}

/** Reads a mailbox until its connection ends. @throws why it has */
async function readMailbox(
  deps: ImapDeps,
  tokens: AccessTokens | null,
  times: MailboxTimes,
  worked: () => Promise<void>,
  signal: AbortSignal,
): Promise<never> {
  const { settings } = deps;
  const token = tokens && (await tokens.current(signal));
  const mailbox = await openMailbox(settings, token, times, signal);
  const key = mailboxKey(settings);
  try {
    for (;;) {
      await takeNewMails(mailbox, key, deps);
      await worked();
      await mailbox.news();
    }
  } finally {
    mailbox.close();
  }
}

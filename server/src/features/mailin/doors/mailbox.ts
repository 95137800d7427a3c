import { type FetchMessageObject, ImapFlow } from 'imapflow';
import type { ImapSettings } from '#platform/env';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { MAIL_MAX_BYTES } from '../contract.ts';
import { LOOKED_AT } from './mailHeaders.ts';

/** A server that has not answered a command for so long is gone, in milliseconds. */
const COMMAND_MAX_MS = 30 * SECOND_MS;
/** Mails are loaded in such pieces, each by a command of its own. */
const PIECE_BYTES = 1024 * 1024;
/** What a server may send at once: a piece, or the headers of a mail. */
const LITERAL_MAX_BYTES = 2 * PIECE_BYTES;

/** How long a mailbox is waited for, in milliseconds. */
export interface MailboxTimes {
  /** For news; then it is looked at without any, which also shows whether the server is still there. */
  waitMs: number;
  /** For the answer to a command. */
  commandMs: number;
}
export const MAILBOX_TIMES: MailboxTimes = { waitMs: MINUTE_MS, commandMs: COMMAND_MAX_MS };

/** Why a mailbox cannot be read: a short code without addresses or secrets. */
export class MailboxError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The mailbox cannot be read: ${code}`);
    this.code = code;
  }
}

/** A mail as its headers show it. */
export interface MailHead {
  uid: number;
  size: number;
  headers: Uint8Array;
}

/** A mailbox of IMAP on one connection. All its functions throw once this has ended, or a command had no answer in time. */
export interface OpenMailbox {
  uidValidity: string;
  /** The number that the next mail gets. */
  uidNext: number;
  /** The numbers of the mails after this one, or since this day, in order. */
  find(which: { after: number } | { since: Date }): Promise<number[]>;
  heads(uids: number[]): Promise<MailHead[]>;
  /** The whole mail. */
  load(uid: number): Promise<Uint8Array | 'gone' | 'tooLarge'>;
  /** Flags a mail and moves it to a folder beside the mailbox, which is made; only flags it where that cannot be done. */
  file(uid: number, folder: string, flag: '\\Seen' | '\\Flagged'): Promise<void>;
  /** Waits until a mail has come, or for a minute. */
  news(): Promise<void>;
  close(): void;
}

/**
 * Connects to a mailbox, with TLS unless it is on this machine.
 * @param token the access token, where there is no password
 * @param stopping closes it at once
 * @throws MailboxError, or an error of the connection with a `code`
 */
export async function openMailbox(
  settings: ImapSettings,
  token: string | null,
  { waitMs, commandMs }: MailboxTimes,
  stopping: AbortSignal,
): Promise<OpenMailbox> {
  const client = clientOf(settings, token, commandMs);
  const ending = new AbortController();
  const end = (error: unknown) => {
    ending.abort(error);
    stopping.removeEventListener('abort', stop);
    client.close();
  };
  const stop = () => end(new MailboxError('stopped'));
  // Without a listener, an error ends the process.
  client.on('error', end);
  client.on('close', () => end(new MailboxError('closed')));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  let tellNews = () => {};
  let isNews = false;
  client.on('exists', ({ count, prevCount }) => {
    if (count <= prevCount) return;
    isNews = true;
    tellNews();
  });

  /** Waits for work, but not longer than the connection lives. `late`: what happens when the time is over. */
  async function bounded<Result>(work: Promise<Result>, ms: number, late: () => void): Promise<Result> {
    const timer = setTimeout(late, ms);
    let ended = () => {};
    const gone = new Promise<never>((_, reject) => {
      ended = () => reject(ending.signal.reason);
    });
    ending.signal.addEventListener('abort', ended);
    if (ending.signal.aborted) ended();
    try {
      return await Promise.race([work, gone]);
    } finally {
      clearTimeout(timer);
      ending.signal.removeEventListener('abort', ended);
    }
  }
  const command = <Result>(work: Promise<Result>) => bounded(work, commandMs, () => end(new MailboxError('timeout')));

  try {
    await command(client.connect());
    const { uidValidity, uidNext } = await command(client.mailboxOpen(settings.mailbox));
    const folders = new Map<string, string | null>();

    async function folderOf(name: string): Promise<string | null> {
      const known = folders.get(name);
      if (known !== undefined) return known;
      const path = `${client.namespace?.prefix ?? ''}${name}`;
      const isThere = (await command(client.list())).some((folder) => folder.path === path);
      // A server that has no more room for folders still has the mails.
      const made = isThere || (await command(client.mailboxCreate(path).catch(refused)));
      folders.set(name, made ? path : null);
      return made ? path : null;
    }

    return {
      uidValidity: String(uidValidity),
      uidNext,
      async find(which) {
        const query = 'after' in which ? { uid: `${which.after + 1}:*` } : { since: which.since };
        const found = (await command(client.search(query, { uid: true }))) || [];
        // Of a range that begins after the last mail, a server gives the last mail.
        const after = 'after' in which ? which.after : 0;
        return found.filter((uid) => uid > after).sort((a, b) => a - b);
      },
      async heads(uids) {
        const query = { uid: true, size: true, headers: LOOKED_AT };
        const found = await command(client.fetchAll(uids.join(','), query, { uid: true }));
        const heads = found.map(({ uid, size = 0, headers = Buffer.of() }) => ({ uid, size, headers }));
        return heads.sort((a, b) => a.uid - b.uid);
      },
      async load(uid) {
        const pieces: Uint8Array[] = [];
        for (let start = 0; start <= MAIL_MAX_BYTES; start += PIECE_BYTES) {
          const query = { source: { start, maxLength: PIECE_BYTES } };
          const got = await command<FetchMessageObject | false>(client.fetchOne(`${uid}`, query, { uid: true }));
          if (!got) return 'gone';
          const piece = got.source ?? Buffer.of();
          pieces.push(piece);
          // Sizes are estimates on some servers: the end of a mail is a piece that is not full.
          if (piece.length < PIECE_BYTES) return Buffer.concat(pieces);
        }
        return 'tooLarge';
      },
      async file(uid, folder, flag) {
        await command(client.messageFlagsAdd(`${uid}`, [flag], { uid: true }));
        // Without both, a move would also delete the mails of others that are only marked as deleted.
        if (!client.capabilities.has('MOVE') && !client.capabilities.has('UIDPLUS')) return;
        const path = await folderOf(folder);
        if (path !== null) await command(client.messageMove(`${uid}`, path, { uid: true }));
      },
      async news() {
        if (!isNews) {
          const told = new Promise<void>((done) => {
            tellNews = done;
          });
          void client.idle().catch(end);
          await bounded(told, waitMs, () => tellNews());
        }
        isNews = false;
        // Ends the waiting of the server, and shows that it is there.
        await command(client.noop());
      },
      close: () => end(new MailboxError('closed')),
    };
  } catch (error) {
    end(error);
    throw error;
  }
}

/** A command that the server refuses, while the connection goes on. */
function refused(error: { responseStatus?: string }): null {
  if (error.responseStatus === undefined) throw error;
  return null;
}

function clientOf({ host, port, secure, user, password }: ImapSettings, token: string | null, commandMs: number) {
  const isOnThisMachine = /^(localhost|127\.[\d.]+|::1)$/.test(host);
  return new ImapFlow({
    host,
    port,
    secure,
    ...(!secure && { doSTARTTLS: !isOnThisMachine }),
    auth: token === null ? { user, pass: password ?? '' } : { user, accessToken: token },
    connectionTimeout: commandMs,
    greetingTimeout: commandMs,
    // Each command and each wait has a deadline of its own.
    socketTimeout: MAILBOX_TIMES.waitMs + MAILBOX_TIMES.commandMs,
    disableAutoIdle: true,
    disableCompression: true,
    maxLiteralSize: LITERAL_MAX_BYTES,
    logger: false,
  });
}

/** The code of a failure, for people who look after the server: never a text of the server, which may have addresses in it. */
export function failureCode(error: unknown): string {
  const { code, authenticationFailed, mailboxMissing, cause } = Object(error) as Record<string, unknown>;
  if (authenticationFailed) return 'authentication';
  if (mailboxMissing) return 'noMailbox';
  if (typeof code === 'string' && /^\w{1,50}$/.test(code)) return code;
  return cause === undefined ? 'failed' : failureCode(cause);
}

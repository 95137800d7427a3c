import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '#platform/env';
import { type MailContent, oneLine, render } from './template.ts';

/** A mail server that sends nothing for this long counts as down. */
const SILENT_MAX_MS = 10_000;
const MESSAGE_ID_LENGTH = 32;

/** Delivers mails to the mail server. */
export interface Transport {
  /**
   * Delivers one mail.
   * @param id the same for every try, so that mailboxes can detect a duplicate
   * @throws SmtpError
   */
  deliver(content: MailContent, id: string): Promise<void>;
}

/** Why the mail server did not accept a mail. */
export class SmtpError extends Error {
  /** The connection's error code without names: `ECONNECTION`, `EAUTH`, `EENVELOPE` … */
  readonly code: string;
  /** The status of the server's answer; undefined: there was none. */
  readonly status: number | undefined;
  /** Whether a retry is useless. */
  readonly isFinal: boolean;
  /** The status of the refused address (`5.1.1`); null: the refusal is about something else, or may pass. */
  readonly recipientStatus: string | null;

  constructor(error: unknown) {
    const { code, responseCode, command, response } = error as Record<string, unknown>;
    super('The mail server did not accept the mail.');
    this.code = typeof code === 'string' ? code : 'UNKNOWN';
    this.status = typeof responseCode === 'number' ? responseCode : undefined;
    // A rejected log-in is not final: the operator can correct it, and the mail waits meanwhile.
    this.isFinal = (this.status ?? 0) >= 500 && this.code !== 'EAUTH';
    this.recipientStatus = command === 'RCPT TO' ? recipientStatusIn(String(response)) : null;
  }
}

/** What old servers, which name no status, refuse an address with: RFC 5321 (4.2.3), as statuses of RFC 3463. */
const STATUS_OF: Record<string, string> = { 550: '5.1.1', 551: '5.1.6', 553: '5.1.3' };
/** No such mailbox, domain or syntax, moved, null MX, disabled (5.2.1). 5.1.7 and 5.1.8 are about the sender, and 5.7.x is policy. */
const ABOUT_RECIPIENT = /^5\.(1\.([1236]|10)|2\.1)$/;
/** The same codes are used by servers that do not like the sender. One address after the other would be taken for dead. */
const ABOUT_SENDER = /relay|sender|spam|block|polic|denied|auth|spf|dmarc|reputation/i;

/** @returns null unless the answer to `RCPT TO` says that the address itself is wrong for good */
function recipientStatusIn(response: string): string | null {
  const [, code = '', status] = response.match(/^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/) ?? [];
  if (status !== undefined) return code >= '500' && ABOUT_RECIPIENT.test(status) ? status : null;
  return ABOUT_SENDER.test(response) ? null : (STATUS_OF[code] ?? null);
}

/**
 * The `Message-ID` of a mail, in angle brackets. Hashed, because ids may contain secrets, and mail servers log message ids.
 * @param id of the queued mail
 * @param origin the origin of links
 */
export function messageIdOf(id: string, origin: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, MESSAGE_ID_LENGTH);
  return `<${hash}@${new URL(origin).hostname}>`;
}

/** Creates the SMTP transport of the settings. @param origin the origin of links */
export function smtpTransport({ smtpUrl, from }: MailSettings, origin: string): Transport {
  const smtp = createTransport({
    url: smtpUrl,
    connectionTimeout: SILENT_MAX_MS,
    greetingTimeout: SILENT_MAX_MS,
    socketTimeout: SILENT_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async deliver(content, id) {
      const { to, fromName, subject, replyTo, references = [] } = content;
      const sender = { name: oneLine(fromName ?? from.name), address: from.address };
      const mail = {
        from: sender,
        to: { name: '', address: to },
        subject: oneLine(subject),
        messageId: messageIdOf(id, origin),
        ...(replyTo !== undefined && { replyTo }),
        ...(references.length > 0 && { references, inReplyTo: references.at(-1) ?? '' }),
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        ...render(content, origin),
      };
      await smtp.sendMail(mail).catch((error: unknown) => {
        throw new SmtpError(error);
      });
    },
  };
}

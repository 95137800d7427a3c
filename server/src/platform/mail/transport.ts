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

  constructor(error: unknown) {
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    super('The mail server did not accept the mail.');
    this.code = typeof code === 'string' ? code : 'UNKNOWN';
    this.status = typeof responseCode === 'number' ? responseCode : undefined;
    // A rejected log-in is not final: the operator can correct it, and the mail waits meanwhile.
    this.isFinal = (this.status ?? 0) >= 500 && this.code !== 'EAUTH';
  }
}

/** Hashed, because ids may contain secrets, and mail servers log message ids. */
const messageId = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, MESSAGE_ID_LENGTH);

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
  const { hostname } = new URL(origin);
  return {
    async deliver(content, id) {
      const { to, fromName, subject } = content;
      const sender = { name: oneLine(fromName ?? from.name), address: from.address };
      const mail = {
        from: sender,
        to: { name: '', address: to },
        subject: oneLine(subject),
        messageId: `<${messageId(id)}@${hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        ...render(content, origin),
      };
      await smtp.sendMail(mail).catch((error: unknown) => {
        throw new SmtpError(error);
      });
    },
  };
}

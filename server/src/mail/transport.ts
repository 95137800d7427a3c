import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../env.ts';
import { type MailContent, oneLine, render } from './template.ts';

/** A mail server that says nothing for this long is down. */
const SILENT_MAX_MS = 10_000;
const MESSAGE_ID_LENGTH = 32;

/** Hands a mail to the mail server. */
export interface Transport {
  /** @param id the same for every try, so that mailboxes can tell a second copy. @throws SmtpError */
  deliver(content: MailContent, id: string): Promise<void>;
}

/** Why the mail server did not take a mail. */
export class SmtpError extends Error {
  /** `ECONNECTION`, `EAUTH`, `EENVELOPE` …: of the connection, without names. */
  readonly code: string;
  /** The server's answer; undefined: there was none. */
  readonly status: number | undefined;
  /** Trying again is no use. */
  readonly isFinal: boolean;

  constructor(error: unknown) {
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    super('The mail server did not take the mail.');
    this.code = typeof code === 'string' ? code : 'UNKNOWN';
    this.status = typeof responseCode === 'number' ? responseCode : undefined;
    // A refused log-in is for the operator to mend; meanwhile the mail waits.
    this.isFinal = (this.status ?? 0) >= 500 && this.code !== 'EAUTH';
  }
}

/** Ids may hold what opens something, and mail servers write down what a mail is called. */
const messageId = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, MESSAGE_ID_LENGTH);

/** The way to the mail server of the settings. @param origin what links begin with */
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

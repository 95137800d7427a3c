import { createTransport } from 'nodemailer';
import { freePort } from '../../../scripts/cluster/processes.js';
import { type Dovecot, startDovecot } from './dovecot.ts';
import { type Postfix, type Routes, startPostfix } from './postfix.ts';

/** Mails to `…@parley.test` are for Parley, those to `…@visitor.test` for visitors. */
export interface MailHost {
  /** `smtp://127.0.0.1:…` */
  smtpUrl: string;
  postfix: Postfix;
  dovecot: Dovecot;
  /** Sends a mail as a visitor's mail program does. @param from the sender of the envelope */
  send(raw: string | Buffer, to: string | string[], from?: string): Promise<void>;
  /** The mails in a user's folder, oldest first. */
  mails(user: string, folder?: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** The mailbox that Parley reads, those of two visitors, and one of a member of the team. */
export const PARLEY = 'chat@parley.test';
export const VISITOR = 'mina@visitor.test';
export const ON_HOLIDAY = 'vera@visitor.test';
export const MEMBER = 'olga@visitor.test';
const USERS = ['chat', 'mina', 'vera', 'olga'];
/** A domain whose server is away, so that its mails wait. */
export const AWAY = 'away.test';

/** What a mail host does otherwise than usual. */
export interface HostChoices {
  /** Where mails to Parley go; otherwise into the mailbox `chat`. */
  parley?: { protocol: 'smtp' | 'lmtp'; port: number };
  /**
   * What becomes of plus addresses: they are taken, or refused as unknown, at once or by a report later; or all addresses of the
   * domain are one mailbox.
   */
  plus?: 'taken' | 'refused' | 'reported' | 'catchAll';
}

/** Starts Postfix and Dovecot. */
export async function startMailHost({ parley, plus = 'taken' }: HostChoices = {}): Promise<MailHost> {
  const smtpPort = await freePort();
  const dovecot = await startDovecot(USERS, smtpPort, plus === 'taken' ? '+' : '');
  const mailboxes = `lmtp:inet:127.0.0.1:${dovecot.lmtpPort}`;
  const postfix = await startPostfix(smtpPort, {
    domains: {
      'parley.test': parley ? routeTo(parley) : mailboxes,
      'visitor.test': mailboxes,
      [AWAY]: `lmtp:inet:127.0.0.1:${await freePort()}`,
    },
    ...((parley || plus === 'refused') && { verified: 'parley.test' }),
    ...(plus === 'catchAll' && { catchAll: ['parley.test', PARLEY] }),
  });
  const program = createTransport({ pool: true, host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    postfix,
    dovecot,
    async send(raw, to, from = VISITOR) {
      await program.sendMail({ raw, envelope: { from, to } });
    },
    async mails(user, folder = 'INBOX') {
      const fetched = await dovecot.doveadm('fetch', '-u', user, 'text', 'mailbox', folder);
      return fetched.split(/^text:\n/m).slice(1);
    },
    async stop() {
      program.close();
      await postfix.stop();
      await dovecot.stop();
    },
  };
}

const routeTo = ({ protocol, port }: { protocol: 'smtp' | 'lmtp'; port: number }): Routes['domains'][string] =>
  protocol === 'lmtp' ? `lmtp:inet:127.0.0.1:${port}` : `smtp:[127.0.0.1]:${port}`;

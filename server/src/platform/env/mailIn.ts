import { isIP } from 'node:net';
import { EnvError, text } from './values.ts';

/** How answers to mails come in: at least one of the three doors is open. */
export interface MailInSettings {
  /** Mails are answered to `local+token@domain`. */
  address: { local: string; domain: string };
  /** The mailbox that is read; null: none. */
  imap: ImapSettings | null;
  /** The port on which mail servers hand over mails; null: none. */
  listener: ListenerSettings | null;
  /** Programs that hand over mails by `POST /api/mail/in` know it; null: none may. */
  secret: string | null;
}

/** A mailbox of IMAP. */
export interface ImapSettings {
  host: string;
  port: number;
  /** TLS from the start; otherwise by STARTTLS, which is required except on loopback. */
  secure: boolean;
  user: string;
  /** null: `oauth` is set. */
  password: string | null;
  oauth: OAuthSettings | null;
  /** The folder, usually `INBOX`. */
  mailbox: string;
}

/**
 * Where access tokens for XOAUTH2 come from.
 * @see https://www.rfc-editor.org/rfc/rfc6749 sections 4.4 (without `refreshToken`) and 6
 */
export interface OAuthSettings {
  tokenUrl: string;
  clientId: string;
  clientSecret: string | null;
  refreshToken: string | null;
  scope: string | null;
}

/** A listener for mail servers. */
export interface ListenerSettings {
  protocol: 'smtp' | 'lmtp';
  host: string;
  port: number;
  /** Paths of PEM files for STARTTLS; null: it is not offered. */
  tls: { cert: string; key: string } | null;
}

const SECRET_MIN_LENGTH = 16;
const PORTS: Record<string, number> = { imap: 143, imaps: 993, smtp: 25, lmtp: 24 };
const EXAMPLE = 'imaps://user:password@mail.example.com, lmtp://127.0.0.1:2424 or smtp://0.0.0.0:25';

/**
 * Reads the settings `MAIL_IN_…`.
 * @param sender the address of outgoing mails; null: none are sent, so there is nothing to answer
 * @throws EnvError
 */
export function readMailIn(vars: NodeJS.ProcessEnv, sender: string | null): MailInSettings | null {
  const given = text(vars, 'MAIL_IN_URL');
  const secret = text(vars, 'MAIL_IN_SECRET');
  if (given === null && secret === null) return null;
  if (sender === null)
    throw new EnvError('MAIL_IN_URL and MAIL_IN_SECRET need SMTP_URL: only sent mails can be answered.');
  if (secret !== null && secret.length < SECRET_MIN_LENGTH)
    throw new EnvError(`MAIL_IN_SECRET must have at least ${SECRET_MIN_LENGTH} random characters.`);
  const url = given === null ? null : doorUrl(given);
  const imap = url && /^imaps?:$/.test(url.protocol) ? imapOf(url, vars) : null;
  return {
    address: addressOf(vars, imap, sender),
    imap,
    listener: url && !imap ? listenerOf(url, vars) : null,
    secret,
  };
}

function doorUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url?.hostname || !/^(imaps?|smtp|lmtp):$/.test(url.protocol))
    throw new EnvError(`MAIL_IN_URL must be an address like ${EXAMPLE}.`);
  return url;
}

const portOf = ({ port, protocol }: URL) => Number(port) || (PORTS[protocol.slice(0, -1)] ?? 0);
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');

function imapOf(url: URL, vars: NodeJS.ProcessEnv): ImapSettings {
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password) || null;
  const oauth = oauthOf(vars);
  if (user === '' || (password === null) === (oauth === null))
    throw new EnvError('MAIL_IN_URL needs a user, and either a password or the settings MAIL_IN_OAUTH_….');
  const mailbox = decodeURIComponent(url.pathname.slice(1)) || 'INBOX';
  const secure = url.protocol === 'imaps:';
  return { host: hostOf(url), port: portOf(url), secure, user, password, oauth, mailbox };
}

function oauthOf(vars: NodeJS.ProcessEnv): OAuthSettings | null {
  const tokenUrl = text(vars, 'MAIL_IN_OAUTH_URL');
  if (tokenUrl === null) return null;
  const clientId = text(vars, 'MAIL_IN_OAUTH_CLIENT_ID');
  if (!URL.canParse(tokenUrl) || new URL(tokenUrl).protocol !== 'https:' || clientId === null)
    throw new EnvError('MAIL_IN_OAUTH_URL must be an https address, and MAIL_IN_OAUTH_CLIENT_ID must be set.');
  const clientSecret = text(vars, 'MAIL_IN_OAUTH_CLIENT_SECRET');
  const refreshToken = text(vars, 'MAIL_IN_OAUTH_REFRESH_TOKEN');
  if (clientSecret === null && refreshToken === null)
    throw new EnvError('MAIL_IN_OAUTH_URL needs MAIL_IN_OAUTH_CLIENT_SECRET or MAIL_IN_OAUTH_REFRESH_TOKEN.');
  return { tokenUrl, clientId, clientSecret, refreshToken, scope: text(vars, 'MAIL_IN_OAUTH_SCOPE') };
}

function listenerOf(url: URL, vars: NodeJS.ProcessEnv): ListenerSettings {
  const [cert, key] = [text(vars, 'MAIL_IN_TLS_CERT'), text(vars, 'MAIL_IN_TLS_KEY')];
  if ((cert === null) !== (key === null))
    throw new EnvError('MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY must be set together.');
  const host = hostOf(url);
  if (!isIP(host) && host !== 'localhost')
    throw new EnvError(
      `MAIL_IN_URL must name an address of this machine, such as 127.0.0.1 or 0.0.0.0, not '${host}'.`,
    );
  const protocol = url.protocol === 'lmtp:' ? 'lmtp' : 'smtp';
  return { protocol, host, port: portOf(url), tls: cert !== null && key !== null ? { cert, key } : null };
}

/** By default the mailbox that is read, or the sender of mails. */
function addressOf(vars: NodeJS.ProcessEnv, imap: ImapSettings | null, sender: string) {
  const user = imap && /^[^@\s]+@[^@\s]+$/.test(imap.user) ? imap.user : null;
  const given = text(vars, 'MAIL_IN_ADDRESS') ?? user ?? sender;
  const [, local, domain] = given.toLowerCase().match(/^([a-z0-9._-]{1,37})@([a-z0-9.-]+)$/) ?? [];
  // With the token, the part before the @ has at most 64 characters (RFC 5321, 4.5.3.1.1).
  if (local !== undefined && domain !== undefined) return { local, domain };
  throw new EnvError(
    `MAIL_IN_ADDRESS must be an address like chat@example.com, with up to 37 characters before the @, not '${given}'.`,
  );
}

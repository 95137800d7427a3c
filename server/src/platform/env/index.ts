import { isIP } from 'node:net';
import path from 'node:path';
import { SITE_LIMIT } from '#features/sites/contract';
import { type ChangedLimits, LimitsError, readLimits, readSize } from '#platform/http';
import { type MailInSettings, readMailIn } from './mailIn.ts';
import { type OidcSettings, readOidc } from './oidc.ts';
import { EnvError, oneOf, text, whole } from './values.ts';

export type { ImapSettings, ListenerSettings, MailInSettings, OAuthSettings } from './mailIn.ts';
export type { OidcSettings } from './oidc.ts';
export { EnvError } from './values.ts';

/** The product's settings, read once from the process environment. */
export interface Env {
  port: number;
  host: string;
  /** The public origin of the product, without a trailing slash; null: the browser's address is used. */
  publicUrl: string | null;
  dataDir: string;
  /** The URI of the operator's MongoDB; null: the embedded store. */
  mongodbUri: string | null;
  /** The Redis that connects several nodes; null: this process is the only one. */
  redisUrl: string | null;
  /** Signs the bearer tokens; null: one is made once and kept in `dataDir`. */
  jwtSecret: string | null;
  /** Seals the secrets of two-factor sign-in; null: one is made once and kept in `dataDir`. */
  dataKey: string | null;
  /** Express's `trust proxy`: the proxies whose `X-Forwarded-For` is trusted, or how many hops; false: none. */
  trustProxy: string[] | number | false;
  /** The mail server; null: none is configured, and nothing is mailed. */
  mail: MailSettings | null;
  /** How answers to mails come in; null: they do not. */
  mailIn: MailInSettings | null;
  /** The provider with which people sign in; null: they sign in with passwords only. */
  oidc: OidcSettings | null;
  /** Daily backups; null: none. */
  backups: BackupSettings | null;
  /** How this server identifies itself to push services. */
  vapid: VapidSettings;
  /** Hosts in private networks that webhooks may lead to, with a port or with any. */
  webhookHosts: string[];
  /** The language model; null: none, and nothing calls anywhere. */
  model: LanguageModelSettings | null;
  /** Whether the first account needs the code printed at start: required where strangers can reach the server. */
  foundingCode: boolean;
  signup: 'open' | 'invited' | 'closed';
  sitesPerAccount: number;
  logLevel: string;
  rateLimits: boolean;
  /** Bytes of disk kept free for the operations that free space on a full disk. */
  diskReserve: number;
  /** Limits of `http/limits` that the operator changed. */
  limits: ChangedLimits;
}

/** Settings of outgoing mail. */
export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…` */
  smtpUrl: string;
  /** The sender of mails. */
  from: { name: string; address: string };
}

/** Settings of the automatic backups. */
export interface BackupSettings {
  /** An absolute path. */
  folder: string;
  /** How many are kept. */
  keep: number;
}

/** Settings of a server with the OpenAI chat completions protocol. */
export interface LanguageModelSettings {
  /** The address before `/chat/completions`. */
  url: string;
  /** null: the server asks for none. */
  key: string | null;
  model: string;
  /** The tokens that all sites together may use on one UTC day; null: without bound. */
  tokensPerDay: number | null;
}

/** Settings that sign push messages. */
export interface VapidSettings {
  /** A private key on P-256; null: one is made once and kept in `dataDir`. */
  privateKey: string | null;
  /** The contact address for push services: an https or mailto address. */
  subject: string;
}

const SECRET_MIN_LENGTH = 32;
/** Half of the reserve must be more than what the store itself keeps free. */
const DISK_RESERVE_MIN_BYTES = 16 * 2 ** 20;
const BACKUPS_KEPT = 7;
const BACKUPS_MAX = 365;
const TOKENS_PER_DAY = 1_000_000;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const PROXIES_TRUSTED_DEFAULT = 'loopback';
const PROXY_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];
const HOST_DEFAULT = '0.0.0.0';
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]'];
const HOPS_MAX = 10;
/** What every node of a cluster must be given: one kept in `DATA_DIR` is known to its own node only. */
const SHARED = ['MONGODB_URI', 'JWT_SECRET', 'DATA_KEY', 'VAPID_PRIVATE_KEY'];
/** The contact for a server without https: push services require an address, but do not check that it exists. */
const NOBODYS_ADDRESS = 'mailto:nobody@parley.invalid';

/**
 * Parses the environment; an empty variable counts as unset.
 * @throws EnvError with a sentence a person understands
 */
export function readEnv(vars: NodeJS.ProcessEnv): Env {
  return {
    port: whole(vars, 'PORT', 3000, 0, 65_535),
    host: text(vars, 'HOST') ?? HOST_DEFAULT,
    publicUrl: origin(vars, 'PUBLIC_URL'),
    dataDir: path.resolve(text(vars, 'DATA_DIR') ?? 'data'),
    mongodbUri: mongodb(vars),
    redisUrl: redis(vars),
    jwtSecret: secret(vars, 'JWT_SECRET'),
    dataKey: secret(vars, 'DATA_KEY'),
    trustProxy: proxies(text(vars, 'TRUST_PROXY') ?? PROXIES_TRUSTED_DEFAULT),
    mail: mail(vars),
    mailIn: readMailIn(vars, mail(vars)?.from.address ?? null),
    oidc: readOidc(vars, origin(vars, 'PUBLIC_URL')),
    backups: backups(vars),
    vapid: vapid(vars),
    webhookHosts: webhookHosts(vars),
    model: languageModel(vars),
    foundingCode: isReachable(vars),
    signup: oneOf(vars, 'SIGNUP', ['open', 'invited', 'closed'], 'open') as Env['signup'],
    sitesPerAccount: whole(vars, 'MAX_SITES_PER_ACCOUNT', SITE_LIMIT, 1, 1000),
    logLevel: oneOf(vars, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimits: oneOf(vars, 'RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    limits: changedLimits(vars),
    diskReserve: diskReserve(vars),
  };
}

function webhookHosts(vars: NodeJS.ProcessEnv): string[] {
  const given = (text(vars, 'WEBHOOK_HOSTS') ?? '').split(',').map((host) => host.trim().toLowerCase());
  const hosts = given.filter((host) => host !== '');
  for (const host of hosts)
    if (!URL.canParse(`http://${host}`) || new URL(`http://${host}`).host !== host)
      throw new EnvError(`WEBHOOK_HOSTS must be hosts such as mattermost.lan or 10.0.0.5:8065, not '${host}'.`);
  return hosts;
}

/** Whether other machines can reach the server: through its port, or through a proxy under a public name. */
function isReachable(vars: NodeJS.ProcessEnv): boolean {
  const publicUrl = origin(vars, 'PUBLIC_URL');
  const names = [text(vars, 'HOST') ?? HOST_DEFAULT, ...(publicUrl ? [new URL(publicUrl).hostname] : [])];
  return !names.every((name) => LOOPBACK.includes(name));
}

function origin(vars: NodeJS.ProcessEnv, name: string): string | null {
  const given = text(vars, name);
  if (given === null) return null;
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return new URL(given).origin;
  throw new EnvError(`${name} must be an address like https://chat.example.com, not '${given}'.`);
}

/**
 * A number of hops, `off`, or a list of addresses and networks. Trusting every address would let any client forge its own.
 */
function proxies(given: string): Env['trustProxy'] {
  if (given === 'off' || given === 'false' || given === '0') return false;
  if (/^\d+$/.test(given) && Number(given) <= HOPS_MAX) return Number(given);
  const trusted = given.split(',').map((entry) => entry.trim());
  if (trusted.every(isNetwork)) return trusted;
  throw new EnvError(
    `TRUST_PROXY must be off, a number of proxies up to ${HOPS_MAX}, or addresses like 10.0.0.0/8, not '${given}'.`,
  );
}

function isNetwork(entry: string): boolean {
  const [address = '', bits = '0', ...more] = entry.split('/');
  const size = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return PROXY_NETWORKS.includes(entry) || (more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= size);
}

/** Requires `PUBLIC_URL`, because links in mails begin with it: the Host header of a request is never used for them. */
function mail(vars: NodeJS.ProcessEnv): MailSettings | null {
  const smtpUrl = text(vars, 'SMTP_URL');
  if (smtpUrl === null) return null;
  if (!URL.canParse(smtpUrl) || !/^smtps?:$/.test(new URL(smtpUrl).protocol))
    throw new EnvError('SMTP_URL must be an address like smtp://user:password@mail.example.com:587.');
  const publicUrl = origin(vars, 'PUBLIC_URL');
  if (publicUrl === null) throw new EnvError('SMTP_URL needs PUBLIC_URL: links in mails begin with it.');
  return { smtpUrl, from: sender(text(vars, 'MAIL_FROM') ?? `Parley <parley@${new URL(publicUrl).hostname}>`) };
}

function sender(given: string): MailSettings['from'] {
  const [, name, address] = given.match(/^(?:([^"<>]*|"[^"<>]*" *)<)?([^\s<>@,;:"]+@[^\s<>@,;:"]+)>?$/) ?? [];
  if (address !== undefined) return { name: name?.replaceAll('"', '').trim() || 'Parley', address };
  throw new EnvError(`MAIL_FROM must be an address like Parley <chat@example.com>, not '${given}'.`);
}

function backups(vars: NodeJS.ProcessEnv): BackupSettings | null {
  const keep = whole(vars, 'BACKUP_KEEP', BACKUPS_KEPT, 1, BACKUPS_MAX);
  const folder = text(vars, 'BACKUP_DIR');
  if (folder === null) return null;
  if (mongodb(vars) !== null)
    throw new EnvError('BACKUP_DIR is for the embedded store. With MONGODB_URI, use the tools of that database.');
  return { folder: path.resolve(folder), keep };
}

function languageModel(vars: NodeJS.ProcessEnv): LanguageModelSettings | null {
  const url = text(vars, 'AI_URL');
  if (url === null) return null;
  const { protocol, username, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  if (!/^https?:$/.test(protocol) || username || search || hash)
    throw new EnvError('AI_URL must be an address like http://localhost:11434/v1; a key belongs into AI_KEY.');
  const model = text(vars, 'AI_MODEL');
  if (model === null) throw new EnvError('AI_URL needs AI_MODEL, the name of the model.');
  const isUnbound = text(vars, 'AI_TOKENS_PER_DAY') === 'off';
  const tokensPerDay = isUnbound ? null : whole(vars, 'AI_TOKENS_PER_DAY', TOKENS_PER_DAY, 0, Number.MAX_SAFE_INTEGER);
  return { url, key: text(vars, 'AI_KEY'), model, tokensPerDay };
}

/** @see https://www.rfc-editor.org/rfc/rfc8292#section-2.1 */
function vapid(vars: NodeJS.ProcessEnv): VapidSettings {
  const privateKey = text(vars, 'VAPID_PRIVATE_KEY');
  if (privateKey !== null && !/^[\w-]{43}$/.test(privateKey))
    throw new EnvError('VAPID_PRIVATE_KEY must be the 43 characters that `npx web-push generate-vapid-keys` prints.');
  const publicUrl = origin(vars, 'PUBLIC_URL') ?? '';
  const contact = publicUrl.startsWith('https:') ? publicUrl : NOBODYS_ADDRESS;
  const subject = text(vars, 'VAPID_SUBJECT') ?? contact;
  if (/^(https:\/\/|mailto:[^\s@]+@)\S+$/.test(subject)) return { privateKey, subject };
  throw new EnvError(`VAPID_SUBJECT must be an address like mailto:you@example.com, not '${subject}'.`);
}

function diskReserve(vars: NodeJS.ProcessEnv): number {
  const given = text(vars, 'DISK_RESERVE') ?? '64MB';
  const bytes = readSize(given) ?? 0;
  if (bytes >= DISK_RESERVE_MIN_BYTES) return bytes;
  throw new EnvError(`DISK_RESERVE must be a size of at least 16MB, not '${given}'.`);
}

function changedLimits(vars: NodeJS.ProcessEnv): ChangedLimits {
  try {
    return readLimits(text(vars, 'LIMITS') ?? '');
  } catch (error) {
    throw error instanceof LimitsError ? new EnvError(error.message) : error;
  }
}

function mongodb(vars: NodeJS.ProcessEnv): string | null {
  const given = text(vars, 'MONGODB_URI');
  if (given === null || /^mongodb(\+srv)?:\/\//.test(given)) return given;
  throw new EnvError('MONGODB_URI must begin with mongodb:// or mongodb+srv://.');
}

function redis(vars: NodeJS.ProcessEnv): string | null {
  const given = text(vars, 'REDIS_URL');
  if (given === null) return null;
  if (!/^rediss?:\/\//.test(given)) throw new EnvError('REDIS_URL must begin with redis:// or rediss://.');
  // The number of a database may follow the address.
  if (!URL.canParse(given) || !/^\/?\d*$/.test(new URL(given).pathname))
    throw new EnvError('REDIS_URL must be an address like redis://redis:6379 or rediss://user:password@redis:6379/1.');
  const missing = SHARED.filter((name) => text(vars, name) === null);
  if (missing.length === 0) return given;
  throw new EnvError(`With REDIS_URL several nodes share one database, so ${missing.join(', ')} must be set, too.`);
}

function secret(vars: NodeJS.ProcessEnv, name: string): string | null {
  const given = text(vars, name);
  if (given === null) return null;
  if (given.length >= SECRET_MIN_LENGTH && !/change|example|secret/i.test(given)) return given;
  throw new EnvError(
    `${name} must be at least ${SECRET_MIN_LENGTH} random characters. (Leave it out, and Parley creates one and keeps it in DATA_DIR.).`,
  );
}

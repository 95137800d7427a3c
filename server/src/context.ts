import { mkdirSync } from 'node:fs';
import type { Agent } from 'node:https';
import type { DestinationStream, Logger } from 'pino';
import { foundingCodeOf } from './auth/actions.ts';
import { createSignedIn, type SecondFactor, type SignedInGuard } from './auth/guards.ts';
import { createPasswords, type Passwords } from './auth/passwords.ts';
import { createSessions, type Sessions } from './auth/sessions.ts';
import { createTyping, type Typing } from './chats/live.ts';
import type { Database } from './database.ts';
import type { Env } from './env.ts';
import { createPdfPool, type PdfPool } from './exports/pdfPool.ts';
import { createPictures, type Pictures } from './files/pictures.ts';
import type { PEER_PATIENCE } from './http/connectionLimits.ts';
import { createLimits, type Limits } from './http/limits.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createMail, type Mail } from './mail/mail.ts';
import { createUsualReply, type UsualReply } from './overview/read.ts';
import { PRESENCE_GRACE_MS } from './presence/contract.ts';
import { createPresence, type Presence } from './presence/presence.ts';
import { publicAgent } from './push/addresses.ts';
import { createPush, newVapidKey, type Push, vapidKeys } from './push/send.ts';
import { keptSecret } from './secrets.ts';
import { letsIn } from './team/invites.ts';
import { createSecondFactor } from './twofactor/secondFactor.ts';
import { createSecretBox, type SecretBox } from './twofactor/secretBox.ts';
import { createUsage, type Usage } from './usage/counter.ts';
import { createStorageWatch, type StorageWatch } from './usage/watch.ts';
import { createResumeLinks, type ResumeLinks } from './visitors/session.ts';

/** Why the product cannot start, as a sentence for whoever starts it. */
export class BootError extends Error {}

/** Where the built worker threads and processes are. */
export interface Workers {
  store: URL;
  hash: URL;
  pdf: URL;
  picture: URL;
  /** The folder of the fonts that PDFs are set from. */
  fonts: URL;
}

/** What the process takes from outside, for tests to pass in. */
export interface Outside {
  /** The clock of sessions and jobs, in milliseconds. */
  now?: () => number;
  /** Where log lines go. */
  logTo?: DestinationStream;
  /** Connects to push services. */
  pushAgent?: Agent;
  /** bcrypt's, of new passwords. */
  passwordCost?: number;
  /** How often is looked for whom to tell, in milliseconds. */
  noticesEveryMs?: number;
  /** How often is written down what sites store, in milliseconds. */
  usageEveryMs?: number;
  /** How long peers are waited for. */
  patience?: Partial<typeof PEER_PATIENCE>;
}

/** What one running server is made of: every feature takes from it what it needs. */
export interface Context
  extends Pick<Env, 'signup' | 'trustProxy' | 'sitesPerAccount' | 'publicUrl'>,
    Pick<Database, 'storage'> {
  log: Logger;
  /** Milliseconds */
  now: () => number;
  /** When the process started, in milliseconds. */
  startedAt: number;
  limits: Limits;
  metrics: Metrics;
  presence: Presence;
  typing: Typing;
  mail: Mail;
  push: Push;
  usage: Usage;
  watch: StorageWatch;
  passwords: Passwords;
  pictures: Pictures;
  pdfPool: PdfPool;
  sessions: Sessions;
  signedIn: SignedInGuard;
  secretBox: SecretBox;
  secondFactor: SecondFactor;
  links: ResumeLinks;
  usualReply: UsualReply;
  letsIn: typeof letsIn;
  /** What the first account is asked for; null: nothing. */
  foundingCode: string | null;
  /** How often is looked for whom to tell, in milliseconds; undefined: as usual. */
  noticesEveryMs: number | undefined;
  /** Other patience with peers than usual. */
  patience: Outside['patience'] | undefined;
  /** Logs an error that nobody expected. */
  report(error: unknown, what: string): void;
}

/** The secrets that tokens are signed and data is sealed with. */
interface Secrets {
  jwtSecret: string;
  dataKey: string;
  vapidKey: string;
}

/** The operator's secrets, or those that are made once and kept in the data folder. @throws BootError with a sentence */
export function readSecrets({ jwtSecret, dataKey, vapid, dataDir }: Env): Secrets {
  return {
    jwtSecret: jwtSecret ?? ownSecret(dataDir, 'jwt-secret'),
    dataKey: dataKey ?? ownSecret(dataDir, 'data-key'),
    vapidKey: vapid.privateKey ?? ownSecret(dataDir, 'vapid-key', newVapidKey),
  };
}

function ownSecret(dataDir: string, name: string, make?: () => string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return keptSecret(dataDir, name, make);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BootError(`The data folder ${dataDir} cannot be written: ${why}. Set DATA_DIR to a folder that can.`);
  }
}

/** What a server stands on. */
interface Ground {
  env: Env;
  log: Logger;
  secrets: Secrets;
  database: Database;
  workers: Workers;
  outside: Outside;
}

/**
 * Makes what a server is made of.
 * @param started takes what stops each part, as it starts
 */
export async function createContext(
  { env, log, secrets, database, workers, outside }: Ground,
  started: (() => void | Promise<void>)[],
): Promise<Context> {
  const { now = Date.now, pushAgent = publicAgent(), passwordCost, noticesEveryMs, usageEveryMs, patience } = outside;
  const { storage } = database;
  const { publicUrl } = env;
  const secretBox = createSecretBox(secrets.dataKey);
  const limits = createLimits({ on: env.rateLimits, changed: env.limits });
  if (!env.rateLimits) log.warn('RATE_LIMITS=off: nothing is limited');
  const passwords = createPasswords(workers.hash, passwordCost);
  started.push(() => passwords.stop());
  const pictures = createPictures(workers.picture);
  started.push(() => pictures.stop());
  const presence = createPresence({ graceMs: PRESENCE_GRACE_MS });
  started.push(() => presence.stop());
  const usage = await createUsage(limits, usageEveryMs);
  started.push(() => usage.stop());
  const mail = createMail({ settings: env.mail, publicUrl, sealer: secretBox, limits, log, now });
  const watch = createStorageWatch({ usage, mail, log, disk: storage.disk, now });
  started.push(() => watch.stop());
  const push = createPush({ keys: vapidKeys(secrets.vapidKey), subject: env.vapid.subject, agent: pushAgent });
  started.push(() => push.stop());
  const typing = createTyping();
  started.push(() => typing.stop());
  const sessions = createSessions({ secret: secrets.jwtSecret, now, maxPerUser: limits.max('sessionsPerAccount') });

  return {
    signup: env.signup,
    trustProxy: env.trustProxy,
    sitesPerAccount: env.sitesPerAccount,
    publicUrl,
    storage,
    noticesEveryMs,
    patience,
    log,
    now,
    startedAt: now(),
    limits,
    metrics: createMetrics(),
    presence,
    typing,
    mail,
    push,
    usage,
    watch,
    passwords,
    pictures,
    pdfPool: createPdfPool({ workerUrl: workers.pdf, fonts: workers.fonts }),
    sessions,
    signedIn: createSignedIn(sessions, limits),
    secretBox,
    secondFactor: createSecondFactor({ limits, secretBox, now }),
    links: createResumeLinks({ secret: secrets.jwtSecret, now }),
    usualReply: createUsualReply(now),
    letsIn,
    foundingCode: env.foundingCode ? foundingCodeOf(secrets.jwtSecret) : null,
    report: (err, what) => log.error({ err, what }, 'unexpected error'),
  };
}

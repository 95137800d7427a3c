import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { VISITOR_NAMESPACE } from '#contract';
import { createKeyCallers } from '#features/apikeys';
import { createAssistance, createModel, type Model } from '#features/assistant';
import {
  createEmailLinks,
  createPasswords,
  createSessions,
  createSignedIn,
  type EmailLinks,
  foundingCodeOf,
  type Passwords,
  type SecondFactor,
  type Sessions,
  type SignedInGuard,
} from '#features/auth';
import { type Backups, startBackups } from '#features/backups';
import { createTyping, createViewers, type Typing, type Viewers, withCurrentQuotes } from '#features/chats';
import { createPdfPool, type PdfPool } from '#features/exports';
import { createMailIn, type MailIn } from '#features/mailin';
import { type ActionTokens, createActionTokens } from '#features/notify';
import { createOidc, type Oidc } from '#features/oidc';
import { createUsualReply, type UsualReply } from '#features/overview';
import { createPresence, type Presence } from '#features/presence';
import { PRESENCE_GRACE_MS } from '#features/presence/contract';
import { RESUME_PATH } from '#features/sites';
import { allowsSignup } from '#features/team';
import { createSecondFactor } from '#features/twofactor';
import { createStorageWatch, createUsage, type StorageWatch, type Usage } from '#features/usage';
import { createLongPolls, createResumeLinks, type LongPolls, type ResumeLinks } from '#features/visitors';
import { createDeliverer, type Deliverer } from '#features/webhooks';
import {
  type Cluster,
  clusterOn,
  createLeases,
  type Leases,
  type OwnNode,
  singleNodeLeases,
  watchCluster,
} from '#platform/cluster';
import type { Env } from '#platform/env';
import { createPictures, type Pictures } from '#platform/files';
import { createLimits, createMetrics, type Limits, type Metrics, publicAgent } from '#platform/http';
import { createMail, type Mail } from '#platform/mail';
import { createPush, type Push, vapidKeys } from '#platform/push';
import { type Builds, createReleases, type Releases } from '#platform/releases';
import { createSecretBox, type SecretBox } from '#platform/secrets';
import manifest from '../../package.json' with { type: 'json' };
import type { Database } from './database.ts';
import type { ExternalDeps } from './outside.ts';
import type { Secrets } from './secrets.ts';

/** Addresses of what is built apart from this program: worker threads, processes, and what browsers get. */
export interface Workers {
  store: URL;
  hash: URL;
  pdf: URL;
  picture: URL;
  importReader: URL;
  mailReader: URL;
  /** The folder of the fonts used in PDFs. */
  fonts: URL;
  /** The program with the commands for operators. */
  maintenance: URL;
  /** The folders of the dashboard and of the widget. */
  client: URL;
  widget: URL;
}

/** The services of one running server, from which every feature takes what it needs. */
export interface Context
  extends Pick<Env, 'signup' | 'trustProxy' | 'sitesPerAccount' | 'publicUrl'>,
    Pick<Database & Leases, 'storage' | 'lease'>,
    Pick<Workers, 'importReader'> {
  log: Logger;
  builds: Builds;
  releases: Releases;
  now: () => number;
  /** When the process started, in milliseconds. */
  startedAt: number;
  limits: Limits;
  metrics: Metrics;
  presence: Presence;
  typing: Typing;
  viewers: Viewers;
  node: OwnNode;
  /** This node's part in a cluster; null: it is the only one. */
  cluster: Cluster | null;
  mail: Mail;
  /** How answers to mails come in; null: they do not. */
  mailIn: MailIn | null;
  /** The provider with which people sign in; null: passwords alone. */
  oidc: Oidc | null;
  push: Push;
  deliverer: Deliverer;
  usage: Usage;
  watch: StorageWatch;
  /** Null: they are not switched on. */
  backups: Backups | null;
  passwords: Passwords;
  pictures: Pictures;
  pdfPool: PdfPool;
  /** Connects to pages of the web that people name: to public addresses only. */
  webAgent: Agent;
  sessions: Sessions;
  signedIn: SignedInGuard;
  secretBox: SecretBox;
  secondFactor: SecondFactor;
  emailLinks: EmailLinks;
  links: ResumeLinks;
  actionTokens: ActionTokens;
  usualReply: UsualReply;
  /** The operator's language model; null: there is none. */
  model: Model | null;
  /** Which chats the assistant answers. */
  assistance: ReturnType<typeof createAssistance>;
  longPolls: LongPolls;
  allowsSignup: typeof allowsSignup;
  /** The code that the first account must enter; null: none. */
  foundingCode: string | null;
  /** The interval of looking at the clock for due notices and snoozed chats, in milliseconds; undefined: the defaults. */
  noticesEveryMs: number | undefined;
  /** Timeouts for real-time peers that differ from the default. */
  peerTimeouts: ExternalDeps['peerTimeouts'] | undefined;
  /** Logs an unexpected error. */
  report(error: unknown, what: string): void;
}

function ownNode(id: string, metrics: Metrics): OwnNode {
  return {
    id,
    address: hostname(),
    version: manifest.version,
    sockets() {
      const open = metrics.openSockets();
      return { dashboards: open.get('/') ?? 0, widgets: open.get(VISITOR_NAMESPACE) ?? 0 };
    },
  };
}

/** What the context is built on. */
interface ContextDeps {
  env: Env;
  log: Logger;
  secrets: Secrets;
  database: Database;
  workers: Workers;
  outside: ExternalDeps;
}

/**
 * Creates the context of one server.
 * @param started collects the stop function of each part as it starts
 */
export async function createContext(
  { env, log, secrets, database, workers, outside }: ContextDeps,
  started: (() => void | Promise<void>)[],
): Promise<Context> {
  const { now = Date.now, noticesEveryMs, peerTimeouts, pushAgent = publicAgent() } = outside;
  const { builds = { client: fileURLToPath(workers.client), widget: fileURLToPath(workers.widget) } } = outside;
  const report = (err: unknown, what: string) => log.error({ err, what }, 'unexpected error');
  const secretBox = createSecretBox(secrets.dataKey);
  const cluster = env.redisUrl === null ? null : await clusterOn(env.redisUrl, secrets.jwtSecret, log);
  if (cluster) started.push(() => cluster.stop());
  const metrics = createMetrics();
  const node = ownNode(cluster?.node ?? randomUUID(), metrics);
  const shared = cluster && {
    redis: cluster.redis,
    prefix: cluster.prefix,
    secret: secrets.jwtSecret,
    isWell: () => cluster.state().isWell,
  };
  const limits = createLimits({ on: env.rateLimits, changed: env.limits, shared });
  if (!env.rateLimits) log.warn('Rate limits are off (RATE_LIMITS=off)');
  const leases = cluster ? createLeases(cluster.node) : singleNodeLeases;
  started.push(() => leases.stop());
  if (cluster) watchCluster(metrics, cluster, leases);
  const passwords = createPasswords(workers.hash, outside.passwordCost);
  started.push(() => passwords.stop());
  const pictures = createPictures(workers.picture);
  started.push(() => pictures.stop());
  const presence = createPresence({ graceMs: PRESENCE_GRACE_MS, node: node.id, now });
  started.push(() => presence.stop());
  const usage = await createUsage({
    limits,
    node: node.id,
    isAlone: cluster === null,
    everyMs: outside.usageEveryMs,
  });
  started.push(() => usage.stop());
  const mail = createMail({
    settings: env.mail,
    publicUrl: env.publicUrl,
    cipher: secretBox,
    current: withCurrentQuotes,
    limits,
    log,
    everyMs: noticesEveryMs,
    now,
  });
  const backups =
    env.backups &&
    startBackups({
      settings: env.backups,
      dataDir: env.dataDir,
      command: workers.maintenance,
      mail,
      log,
      now,
      everyMs: outside.backupsEveryMs,
      maxMs: outside.backupMaxMs,
    });
  if (backups) started.push(() => backups.stop());
  const model = env.model && createModel(env.model, now);
  const watch = createStorageWatch({ usage, mail, log, disk: database.storage.disk, backups, model, now });
  started.push(() => watch.stop());
  const mailIn =
    env.mailIn &&
    createMailIn(env.mailIn, {
      sender: env.mail?.from.address ?? '',
      links: [RESUME_PATH, '/dashboard/'].map((path) => `${env.publicUrl}${path}`),
      workerUrl: workers.mailReader,
      now,
    });
  if (mailIn) started.push(() => mailIn.reader.stop());
  const push = createPush({ keys: vapidKeys(secrets.vapidKey), subject: env.vapid.subject, agent: pushAgent });
  started.push(() => push.stop());
  const { webhookAgent: agent } = outside;
  const deliverer = createDeliverer({ settings: env, agent, secretBox, mail, everyMs: noticesEveryMs, now });
  const typing = createTyping();
  started.push(() => typing.stop());
  const sessions = createSessions({ secret: secrets.jwtSecret, now, maxPerUser: limits.max('sessionsPerAccount') });

  return {
    signup: env.signup,
    trustProxy: env.trustProxy,
    sitesPerAccount: env.sitesPerAccount,
    publicUrl: env.publicUrl,
    storage: database.storage,
    noticesEveryMs,
    peerTimeouts,
    lease: leases.lease,
    log,
    now,
    startedAt: now(),
    limits,
    metrics,
    presence,
    typing,
    viewers: createViewers(node.id),
    node,
    cluster,
    mail,
    mailIn,
    oidc: env.oidc && createOidc(env.oidc, now),
    push,
    deliverer,
    usage,
    watch,
    backups,
    passwords,
    pictures,
    importReader: workers.importReader,
    webAgent: agent ?? publicAgent(),
    pdfPool: createPdfPool({ workerUrl: workers.pdf, fonts: workers.fonts }),
    sessions,
    signedIn: createSignedIn(sessions, limits, createKeyCallers({ limits, now })),
    secretBox,
    secondFactor: createSecondFactor({ limits, secretBox, now }),
    emailLinks: createEmailLinks({ secret: secrets.jwtSecret, now }),
    links: createResumeLinks({ secret: secrets.jwtSecret, now }),
    actionTokens: createActionTokens({ secret: secrets.jwtSecret, now }),
    usualReply: createUsualReply(now),
    model,
    assistance: createAssistance({ hasModel: env.model !== null, presence, limits, now }),
    longPolls: createLongPolls(limits),
    allowsSignup,
    foundingCode: env.foundingCode ? foundingCodeOf(secrets.jwtSecret) : null,
    builds,
    releases: createReleases({ builds, now, report, keptAfterMs: outside.releaseKeptAfterMs }),
    report,
  };
}

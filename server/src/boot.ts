import { mkdirSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { DestinationStream, Logger } from 'pino';
import { finishLeaving } from './account/leave.ts';
import { followAccounts, indexAccounts } from './admin/words.ts';
import { createApp } from './app.ts';
import { startAssigning } from './assign/assign.ts';
import { keepTrail } from './audit/trail.ts';
import { createSignedIn } from './auth/access.ts';
import { createPasswords } from './auth/passwords.ts';
import { sweepPictures } from './auth/pictures.ts';
import { createSessions } from './auth/sessions.ts';
import { bus } from './bus.ts';
import { closeIdleChats, removeOldChats } from './chats/aging.ts';
import { sweepFiles } from './chats/attach.ts';
import { releaseChatsOfLeavers } from './chats/handback.ts';
import { purgeChats } from './chats/lists.ts';
import { settled } from './chats/queue.ts';
import { sweepRemovals } from './chats/remove.ts';
import { connectDatabase } from './database.ts';
import type { Env } from './env.ts';
import { createPress } from './exports/press.ts';
import { purgeFiles } from './files/keep.ts';
import { createLimits } from './http/limits.ts';
import { createLog } from './http/log.ts';
import { createMetrics } from './http/metrics.ts';
import { createHttpServer, endSilent } from './http/server.ts';
import { startJobs } from './jobs.ts';
import { createMail } from './mail/mail.ts';
import { purgeNotices } from './notify/model.ts';
import { startNotices } from './notify/start.ts';
import { startFigures } from './overview/count.ts';
import { purgeFigures } from './overview/model.ts';
import { createUsualReply } from './overview/usual.ts';
import { PRESENCE_GRACE_MS } from './presence/contract.ts';
import { createPresence } from './presence/presence.ts';
import { publicAgent } from './push/addresses.ts';
import { forgetSignedOutDevices } from './push/devices.ts';
import { newVapidKey, vapidKeys } from './push/keys.ts';
import { createPush } from './push/send.ts';
import { createRealtime } from './realtime.ts';
import { purgeReplies } from './replies/model.ts';
import { startIndexer } from './search/indexer.ts';
import { purgeSearch } from './search/model.ts';
import { keptSecret } from './secrets.ts';
import { createPurge } from './sites/purge.ts';
import { isInvited } from './team/invites.ts';
import { purgeInvites } from './team/model.ts';
import { createSecondFactor } from './twofactor/check.ts';
import { createVault } from './twofactor/vault.ts';
import { forgetSilent, forgetVisitors, sweepErased } from './visitors/erase.ts';
import { purgeVisitors } from './visitors/model.ts';
import { createResumeLinks } from './visitors/resume.ts';

/** A stop waits no longer than this for what is under way. */
const STOP_MAX_MS = 10_000;
/** What grows old is looked for this often. */
const JOBS_EVERY_MS = 3_600_000;
const JOBS = [
  closeIdleChats,
  removeOldChats,
  sweepRemovals,
  sweepFiles,
  sweepPictures,
  forgetSilent,
  forgetVisitors,
  sweepErased,
  indexAccounts,
];

/** Why the product cannot start, as a sentence for whoever starts it. */
export class BootError extends Error {}

/** Where the built worker threads are. */
export interface Workers {
  store: URL;
  hash: URL;
  pdf: URL;
  /** The folder of the fonts that PDFs are set from. */
  fonts: URL;
}

/** What the process takes from outside, for tests to pass in. */
interface Outside {
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
}

/** What runs after `boot`. */
export interface Running {
  /** `http://localhost:3000` */
  url: string;
  log: Logger;
  /** Stops in order: not ready, acks finished, sockets closed, store last. */
  stop(): Promise<void>;
  /** Resolves with the reason if the store dies by itself. */
  failed: Promise<Error>;
}

/**
 * Starts the whole product.
 * @throws BootError, StoreError with a sentence
 */
export async function boot(
  env: Env,
  workers: Workers,
  { now = Date.now, logTo, pushAgent = publicAgent(), passwordCost, noticesEveryMs }: Outside = {},
): Promise<Running> {
  const log = createLog(env.logLevel, logTo);
  bus.reportTo((err, what) => log.error({ err, what }, 'work after a commit failed'));
  const secret = env.jwtSecret ?? ownSecret(env.dataDir, 'jwt-secret');
  const vault = createVault(env.dataKey ?? ownSecret(env.dataDir, 'data-key'));
  const vapid = vapidKeys(env.vapid.privateKey ?? ownSecret(env.dataDir, 'vapid-key', newVapidKey));
  const database = await connectDatabase(env, workers.store);
  const limits = createLimits({ on: env.rateLimits });
  if (!env.rateLimits) log.warn('RATE_LIMITS=off: nothing is limited');
  const mail = createMail({ settings: env.mail, publicUrl: env.publicUrl, envelope: vault, log, now });
  const push = createPush({ keys: vapid, subject: env.vapid.subject, agent: pushAgent });
  const passwords = createPasswords(workers.hash, passwordCost);
  const metrics = createMetrics();
  const presence = createPresence({ graceMs: PRESENCE_GRACE_MS });
  const sessions = createSessions({ secret, now });
  const purge = createPurge([
    purgeInvites,
    purgeReplies,
    purgeChats,
    purgeFiles,
    purgeSearch,
    purgeFigures,
    purgeVisitors,
    purgeNotices,
    (site) => mail.forget(site.toHexString()),
  ]);
  const listeners = [
    bus.on('siteDeleted', ({ site }) => {
      purge.site(site._id).catch((error) => bus.fail(error, 'purge'));
    }),
    bus.on('messageAdded', ({ message }) => metrics.messageStored(message.sender)),
    keepTrail(now),
    followAccounts(now),
    releaseChatsOfLeavers(),
    forgetSignedOutDevices(),
  ];
  const indexer = startIndexer();
  const figures = await startFigures();
  const links = createResumeLinks({ secret, now });
  const stopNotices = await startNotices({ mail, push, presence, sessions, links, now }, noticesEveryMs);
  const usualReply = createUsualReply(now);
  let stopping = false;

  const app = createApp({
    ...{ sessions, passwords, limits, presence, metrics, mail, push, log, now, isInvited },
    ...{ signup: env.signup, trustProxy: env.trustProxy, sitesPerAccount: env.sitesPerAccount },
    ...{ publicUrl: env.publicUrl, usualReply, links },
    ...{ storage: database.storage, startedAt: now() },
    signedIn: createSignedIn(sessions, limits),
    press: createPress({ workerUrl: workers.pdf, fonts: workers.fonts }),
    ...{ vault, secondFactor: createSecondFactor({ limits, vault, now }) },
    health: { ready: async () => !stopping && (await database.answers()) },
  });
  const http = createHttpServer(app);
  const stopWaiting = endSilent(http);
  const report = (err: unknown, what: string) => log.error({ err, what }, 'unexpected error');
  const realtime = createRealtime(http, {
    sessions,
    limits,
    presence,
    metrics,
    now,
    usualReply,
    publicUrl: env.publicUrl,
    report,
  });
  const assigning = await startAssigning({ presence, viewersOf: realtime.viewersOf, now });
  purge.resume().catch((error) => bus.fail(error, 'purge'));
  const stopJobs = startJobs([...JOBS, finishLeaving(sessions)], {
    everyMs: JOBS_EVERY_MS,
    now,
    failed: (error) => bus.fail(error, 'job'),
  });

  async function stop(): Promise<void> {
    stopping = true;
    const inTime = within(STOP_MAX_MS);
    await inTime(stopJobs());
    await inTime(settled());
    stopWaiting();
    await inTime(realtime.close());
    await inTime(assigning.stop());
    http.closeAllConnections();
    for (const stopListening of listeners) stopListening();
    await inTime(stopNotices());
    await inTime(push.stop());
    await inTime(indexer.stop());
    await inTime(figures.stop());
    presence.stop();
    await passwords.stop();
    await database.stop();
  }

  try {
    return { url: await listen(http, env), log, failed: database.failed, stop };
  } catch (error) {
    // A process that exits in the middle of a write of the store can hang in it.
    await stop();
    throw error;
  }
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

/** Gives a function that waits for work, all in all no longer than that. */
function within(ms: number): (work: Promise<void>) => Promise<void> {
  const over = new Promise<void>((done) => setTimeout(done, ms).unref());
  return (work) => Promise.race([work, over]);
}

function listen(http: HttpServer, { port, host }: Env): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(new BootError(listenFault(error, port, host))));
    http.listen(port, host, () => resolve(`http://localhost:${(http.address() as AddressInfo).port}`));
  });
}

function listenFault(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop what uses it, or set PORT to another one (PORT=3001 npm start).`;
  if (error.code === 'EACCES') return `Port ${port} may not be used by this account. Set PORT to one above 1023.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
}

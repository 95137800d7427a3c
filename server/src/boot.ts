import { mkdirSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { Agent } from 'node:https';
import type { DestinationStream, Logger } from 'pino';
import { finishLeaving } from './account/leave.ts';
import { followAccounts, indexAccounts } from './admin/words.ts';
import { createApp } from './app.ts';
import { startAssigning } from './assign/assign.ts';
import { keepTrail } from './audit/trail.ts';
import { createSignedIn } from './auth/access.ts';
import { foundingCodeOf, openFoundingCode } from './auth/founding.ts';
import { createPasswords } from './auth/passwords.ts';
import { sweepPictures } from './auth/pictures.ts';
import { createSessions } from './auth/sessions.ts';
import { bus } from './bus.ts';
import { closeIdleChats, removeOldChats } from './chats/aging.ts';
import { sweepFiles } from './chats/attach.ts';
import { releaseChatsOfLeavers } from './chats/handback.ts';
import { purgeChats } from './chats/purge.ts';
import { settled } from './chats/queue.ts';
import { sweepRemovals } from './chats/remove.ts';
import { countStorage, recountSites } from './chats/size.ts';
import { connectDatabase } from './database.ts';
import type { Env } from './env.ts';
import { createPress } from './exports/press.ts';
import { purgeFiles } from './files/keep.ts';
import { createPictures } from './files/pictures.ts';
import { createLimits } from './http/limits.ts';
import { createLog } from './http/log.ts';
import { createMetrics } from './http/metrics.ts';
import type { PEER_PATIENCE } from './http/peers.ts';
import { createHttpServer, endSilent, listen } from './http/server.ts';
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
import { purgeSearch } from './search/forget.ts';
import { startIndexer } from './search/indexer.ts';
import { keptSecret } from './secrets.ts';
import { type Purger, startPurge } from './sites/purge.ts';
import { letsIn } from './team/invites.ts';
import { purgeInvites } from './team/model.ts';
import { createSecondFactor } from './twofactor/check.ts';
import { createVault } from './twofactor/vault.ts';
import { createUsage } from './usage/counter.ts';
import { purgeUsage } from './usage/model.ts';
import { createStorageWatch } from './usage/watch.ts';
import { sweepBlocked } from './visitors/block.ts';
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
  sweepBlocked,
  indexAccounts,
];

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

/** What runs after `boot`. */
export interface Running {
  /** `http://localhost:3000` */
  url: string;
  log: Logger;
  /** Stops in order: not ready, acks finished, sockets closed, store last. */
  stop(): Promise<void>;
  /** What the first account is asked for; null: nothing, or there is one already. */
  foundingCode: string | null;
  /** Resolves with the reason if the store dies by itself. */
  failed: Promise<Error>;
}

/**
 * Starts the whole product.
 * @throws BootError, StoreError with a sentence
 */
export async function boot(env: Env, workers: Workers, outside: Outside = {}): Promise<Running> {
  const started: Started = [];
  try {
    return await start(env, workers, outside, started);
  } catch (error) {
    // A process that exits in the middle of a write of the store can hang in it.
    for (const stop of started.reverse()) await stop();
    throw error;
  }
}

/** How to stop what has been started so far, in the order of its start: for a start that fails halfway. */
type Started = (() => void | Promise<void>)[];

async function start(
  env: Env,
  workers: Workers,
  { now = Date.now, logTo, pushAgent = publicAgent(), passwordCost, noticesEveryMs, usageEveryMs, patience }: Outside,
  started: Started,
): Promise<Running> {
  const log = createLog(env.logLevel, logTo);
  bus.reportTo((err, what) => log.error({ err, what }, 'work after a commit failed'));
  const secret = env.jwtSecret ?? ownSecret(env.dataDir, 'jwt-secret');
  const foundingCode = env.foundingCode ? foundingCodeOf(secret) : null;
  const vault = createVault(env.dataKey ?? ownSecret(env.dataDir, 'data-key'));
  const vapid = vapidKeys(env.vapid.privateKey ?? ownSecret(env.dataDir, 'vapid-key', newVapidKey));
  const database = await connectDatabase(env, workers.store, (sentence) => log.info(sentence));
  started.push(() => database.stop());
  const limits = createLimits({ on: env.rateLimits, changed: env.limits });
  if (!env.rateLimits) log.warn('RATE_LIMITS=off: nothing is limited');
  const mail = createMail({ settings: env.mail, publicUrl: env.publicUrl, envelope: vault, limits, log, now });
  const push = createPush({ keys: vapid, subject: env.vapid.subject, agent: pushAgent });
  started.push(() => push.stop());
  const usage = await createUsage(limits, usageEveryMs);
  started.push(() => usage.stop());
  const watch = createStorageWatch({ usage, mail, log, disk: database.storage.disk, now });
  started.push(() => watch.stop());
  const passwords = createPasswords(workers.hash, passwordCost);
  started.push(() => passwords.stop());
  const pictures = createPictures(workers.picture);
  started.push(() => pictures.stop());
  const metrics = createMetrics();
  const presence = createPresence({ graceMs: PRESENCE_GRACE_MS });
  started.push(() => presence.stop());
  const sessions = createSessions({ secret, now, maxPerUser: limits.max('sessionsPerAccount') });
  const purgers: Purger[] = [
    purgeInvites,
    purgeReplies,
    purgeChats,
    purgeFiles,
    purgeSearch,
    purgeFigures,
    purgeVisitors,
    purgeUsage,
    purgeNotices,
    (site) => mail.forget(site.toHexString()),
  ];
  const listeners = [
    bus.on('messageAdded', ({ message }) => metrics.messageStored(message.sender)),
    keepTrail(now),
    countStorage(),
    followAccounts(now),
    releaseChatsOfLeavers(),
    forgetSignedOutDevices(),
  ];
  started.push(bus.stopAll(listeners));
  const indexer = startIndexer();
  started.push(() => indexer.stop());
  const figures = await startFigures();
  started.push(() => figures.stop());
  const links = createResumeLinks({ secret, now });
  const stopNotices = await startNotices({ mail, push, presence, sessions, links, now }, noticesEveryMs);
  started.push(stopNotices);
  const usualReply = createUsualReply(now);
  let stopping = false;

  const app = createApp({
    ...{ sessions, passwords, limits, presence, metrics, mail, push, log, now, letsIn, foundingCode },
    ...{ signup: env.signup, trustProxy: env.trustProxy, sitesPerAccount: env.sitesPerAccount },
    ...{ publicUrl: env.publicUrl, usualReply, links },
    ...{ storage: database.storage, startedAt: now() },
    ...{ signedIn: createSignedIn(sessions, limits), usage, watch },
    pictures,
    press: createPress({ workerUrl: workers.pdf, fonts: workers.fonts }),
    ...{ vault, secondFactor: createSecondFactor({ limits, vault, now }) },
    health: { ready: async () => !stopping && (await database.answers()) },
  });
  const http = createHttpServer(app);
  const stopWaiting = endSilent(http);
  const report = (err: unknown, what: string) => log.error({ err, what }, 'unexpected error');
  const realtime = createRealtime(http, {
    trustsProxy: app.get('trust proxy fn'),
    ...{ sessions, limits, usage, presence },
    metrics,
    now,
    usualReply,
    mail,
    publicUrl: env.publicUrl,
    report,
    patience,
  });
  started.push(() => realtime.close());
  const assigning = await startAssigning({ presence, viewersOf: realtime.viewersOf, now });
  started.push(() => assigning.stop());
  const stopPurge = startPurge(purgers, { now });
  const jobs = startJobs([...JOBS, recountSites(usage), finishLeaving(sessions)], {
    everyMs: JOBS_EVERY_MS,
    now,
    failed: (error) => bus.fail(error, 'job'),
  });
  started.push(stopPurge, jobs.stop);

  async function stop(): Promise<void> {
    stopping = true;
    const inTime = within(STOP_MAX_MS);
    await inTime(jobs.stop());
    await inTime(stopPurge());
    await inTime(settled());
    stopWaiting();
    await inTime(realtime.close());
    http.closeAllConnections();
    // What was committed until the last connection closed is to be told, too.
    await inTime(settled());
    await inTime(assigning.stop());
    for (const stopListening of listeners) stopListening();
    await inTime(stopNotices());
    await inTime(push.stop());
    await inTime(indexer.stop());
    await inTime(figures.stop());
    await inTime(watch.stop());
    await inTime(usage.stop());
    presence.stop();
    pictures.stop();
    await passwords.stop();
    await database.stop();
  }

  const url = await address(http, env, (err) => report(err, 'HTTP server'));
  return { url, log, failed: database.failed, foundingCode: await openFoundingCode(foundingCode), stop };
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

async function address(http: HttpServer, { port, host }: Env, report: (error: Error) => void): Promise<string> {
  try {
    return `http://localhost:${await listen(http, { port, host }, report)}`;
  } catch (error) {
    throw new BootError(listenFault(error as NodeJS.ErrnoException, port, host));
  }
}

function listenFault(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop what uses it, or set PORT to another one (PORT=3001 npm start).`;
  if (error.code === 'EACCES') return `Port ${port} may not be used by this account. Set PORT to one above 1023.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
}

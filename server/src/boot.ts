import { mkdirSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import mongoose from 'mongoose';
import type { DestinationStream, Logger } from 'pino';
import { createApp } from './app.ts';
import { AuditModel } from './audit/model.ts';
import { keepTrail } from './audit/trail.ts';
import { createSignedIn } from './auth/access.ts';
import { SessionModel, UserModel } from './auth/model.ts';
import { createPasswords } from './auth/passwords.ts';
import { createSessions } from './auth/sessions.ts';
import { bus } from './bus.ts';
import { closeIdleChats, removeOldChats } from './chats/aging.ts';
import { releaseChatsOfLeavers } from './chats/handback.ts';
import { purgeChats } from './chats/lists.ts';
import { ChatModel, MessageModel, NoteModel, RemovalModel } from './chats/model.ts';
import { settled } from './chats/queue.ts';
import { sweepRemovals } from './chats/remove.ts';
import { repairSummaries } from './chats/summary.ts';
import type { Env } from './env.ts';
import { createLimits } from './http/limits.ts';
import { createLog } from './http/log.ts';
import { createMetrics } from './http/metrics.ts';
import { createHttpServer } from './http/server.ts';
import { startJobs } from './jobs.ts';
import { startFigures } from './overview/count.ts';
import { FigureModel, purgeFigures } from './overview/model.ts';
import { PRESENCE_GRACE_MS } from './presence/contract.ts';
import { createPresence } from './presence/presence.ts';
import { createRealtime } from './realtime.ts';
import { purgeReplies, ReplyModel } from './replies/model.ts';
import { startIndexer } from './search/indexer.ts';
import { MarkModel, PostingModel, purgeSearch } from './search/model.ts';
import { keptSecret } from './secrets.ts';
import { SiteModel } from './sites/model.ts';
import { createPurge } from './sites/purge.ts';
import { startStore } from './store/index.ts';
import { isInvited } from './team/invites.ts';
import { InviteModel, purgeInvites } from './team/model.ts';
import { forgetVisitors, sweepErased } from './visitors/erase.ts';
import { purgeVisitors, VisitorModel } from './visitors/model.ts';

const MODELS = [
  UserModel,
  SessionModel,
  SiteModel,
  InviteModel,
  ChatModel,
  MessageModel,
  NoteModel,
  RemovalModel,
  ReplyModel,
  VisitorModel,
  PostingModel,
  MarkModel,
  FigureModel,
  AuditModel,
];
/** How long a store may be silent before a call is answered `UNAVAILABLE`. */
const STORE_SILENT_MAX_MS = 8_000;
const STOP_MAX_MS = 10_000;
/** What grows old is looked for this often. */
const JOBS_EVERY_MS = 3_600_000;
const JOBS = [closeIdleChats, removeOldChats, sweepRemovals, forgetVisitors, sweepErased];

/** Why the product cannot start, as a sentence for whoever starts it. */
export class BootError extends Error {}

/** Where the built worker threads are. */
export interface Workers {
  store: URL;
  hash: URL;
}

/** What the process takes from outside, for tests to pass in. */
interface Outside {
  /** The clock of sessions and jobs, in milliseconds. */
  now?: () => number;
  /** Where log lines go. */
  logTo?: DestinationStream;
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
export async function boot(env: Env, workers: Workers, { now = Date.now, logTo }: Outside = {}): Promise<Running> {
  const log = createLog(env.logLevel, logTo);
  bus.reportTo((err, what) => log.error({ err, what }, 'work after a commit failed'));
  const secret = env.jwtSecret ?? ownSecret(env.dataDir);
  const store = await connectStore(env, workers.store);
  const limits = createLimits({ on: env.rateLimits });
  if (!env.rateLimits) log.warn('RATE_LIMITS=off: nothing is limited');
  const passwords = createPasswords(workers.hash);
  const metrics = createMetrics();
  const presence = createPresence({ graceMs: PRESENCE_GRACE_MS });
  const sessions = createSessions({ secret, now });
  const purge = createPurge([purgeInvites, purgeReplies, purgeChats, purgeSearch, purgeFigures, purgeVisitors]);
  const stopPurging = bus.on('siteDeleted', ({ site }) => {
    purge.site(site._id).catch((error) => bus.fail(error, 'purge'));
  });
  const stopTrail = keepTrail(now);
  const stopCounting = bus.on('messageAdded', ({ message }) => metrics.messageStored(message.sender));
  const stopReleasing = releaseChatsOfLeavers();
  const indexer = startIndexer();
  const figures = await startFigures();
  let stopping = false;

  const app = createApp({
    ...{ sessions, passwords, limits, presence, metrics, log, now, signup: env.signup, trustProxy: env.trustProxy },
    ...{ sitesPerAccount: env.sitesPerAccount, isInvited },
    signedIn: createSignedIn(sessions, limits),
    health: { ready: async () => !stopping && (await storeAnswers()) },
  });
  const http = createHttpServer(app);
  const report = (err: unknown, what: string) => log.error({ err, what }, 'unexpected error');
  const realtime = createRealtime(http, { sessions, limits, presence, metrics, now, report });
  const url = await listen(http, env);
  purge.resume().catch((error) => bus.fail(error, 'purge'));
  const stopJobs = startJobs(JOBS, { everyMs: JOBS_EVERY_MS, now, failed: (error) => bus.fail(error, 'job') });

  return {
    url,
    log,
    failed: store.failed,
    async stop() {
      stopping = true;
      await within(STOP_MAX_MS, stopJobs());
      await within(STOP_MAX_MS, settled());
      await within(STOP_MAX_MS, realtime.close());
      http.closeAllConnections();
      stopPurging();
      stopReleasing();
      stopTrail();
      stopCounting();
      await within(STOP_MAX_MS, indexer.stop());
      await within(STOP_MAX_MS, figures.stop());
      presence.stop();
      await passwords.stop();
      await mongoose.disconnect();
      await store.stop();
    },
  };
}

/** Connects to the operator's MongoDB, or to the embedded store, which it starts; makes the indexes, repairs what a crash left. */
async function connectStore(env: Env, workerUrl: URL): Promise<{ stop(): Promise<void>; failed: Promise<Error> }> {
  const embedded = env.mongodbUri === null ? await startStore({ dataDir: env.dataDir, workerUrl }) : null;
  mongoose.set({ autoIndex: false, strictQuery: true, bufferCommands: false });
  await mongoose.connect(env.mongodbUri ?? embedded?.uri ?? '', {
    serverSelectionTimeoutMS: STORE_SILENT_MAX_MS,
    socketTimeoutMS: STORE_SILENT_MAX_MS,
    writeConcern: { w: 'majority', journal: true },
  });
  for (const model of MODELS) await model.createIndexes();
  await repairSummaries();
  return embedded ?? { stop: async () => {}, failed: new Promise(() => {}) };
}

function ownSecret(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return keptSecret(dataDir, 'jwt-secret');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BootError(`The data folder ${dataDir} cannot be written: ${why}. Set DATA_DIR to a folder that can.`);
  }
}

/** Waits for `work`, but no longer than that. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((done) => setTimeout(done, ms).unref())]);
}

async function storeAnswers(): Promise<boolean> {
  const ping = mongoose.connection.db?.command({ ping: 1 });
  return (await ping?.then(() => true).catch(() => false)) ?? false;
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

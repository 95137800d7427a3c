import type { Server as HttpServer } from 'node:http';
import type { Logger } from 'pino';
import { requiredFoundingCode } from '#features/auth';
import { chatRows, countStored } from '#features/chats';
import { startPurge } from '#features/sites';
import { NodeRefused, type NodeSockets, type Registration, registerNode } from '#platform/cluster';
import type { Env } from '#platform/env';
import { events, rooms } from '#platform/events';
import { boundPerAddress, closeIdleConnections, createHttpServer, createLog, listen } from '#platform/http';
import { DATA_VERSION } from '#platform/migrations';
import { createSecretBox } from '#platform/secrets';
import { initCheckpoints, queueIdle, startJobs, startReconciler } from '#platform/work';
import { createApp } from './app.ts';
import { type Context, createContext, type Workers } from './context.ts';
import { connectDatabase, requireReadableData } from './database.ts';
import type { Stop } from './feature.ts';
import { FEATURES } from './features.ts';
import type { ExternalDeps } from './outside.ts';
import { createRealtime, type Realtime } from './realtime.ts';
import { BootError, readSecrets, type Secrets } from './secrets.ts';

/** A stop waits at most this long, in all, for work in progress. */
const STOP_MAX_MS = 10_000;
/** The place of what is stopped last before the store, in starting order. */
const AFTER_STORE = 1;
/** The interval of the hourly jobs, which remove expired data. */
const JOBS_EVERY_MS = 3_600_000;

/** A running server, as `boot` returns it. */
export interface Running {
  /** `http://localhost:3000` */
  url: string;
  log: Logger;
  /** Stops in order: no longer ready, acknowledgements sent, sockets closed, store last. */
  stop(): Promise<void>;
  /** The code that the first account must enter; null: no code is needed, or an account exists already. */
  foundingCode: string | null;
  /** Resolves with the reason if the embedded store dies unexpectedly. */
  failed: Promise<Error>;
}

/**
 * Starts the whole product.
 * @throws BootError, StoreError with a sentence for the operator
 */
export async function boot(env: Env, workers: Workers, outside: ExternalDeps = {}): Promise<Running> {
  const started: Stop[] = [];
  try {
    return await start(env, workers, outside, started);
  } catch (error) {
    // A process that exits during a write of the embedded store can hang, so the store is stopped first.
    await stopAll(started);
    throw error;
  }
}

/**
 * @param started the stop functions of the parts started so far, in starting order: a start that fails halfway uses them, too
 */
async function start(env: Env, workers: Workers, outside: ExternalDeps, started: Stop[]): Promise<Running> {
  const log = createLog(env.logLevel, outside.logTo);
  events.reportTo((err, what) => log.error({ err, what }, 'work after a commit failed'));
  const secrets = readSecrets(env);
  const logProgress = (sentence: string) => log.info(sentence);
  const { storeSilentMaxMs: silentMaxMs, beatEveryMs } = outside;
  const database = await connectDatabase(env, {
    workerUrl: workers.store,
    features: FEATURES,
    log: logProgress,
    seal: createSecretBox(secrets.dataKey).seal,
    silentMaxMs,
    beatEveryMs,
  });
  started.push(() => database.stop());

  const context = await createContext({ env, log, secrets, database, workers, outside }, started);
  const registration = env.mongodbUri === null ? null : await register(context, secrets, outside);
  if (registration) started.splice(AFTER_STORE, 0, registration.leave);
  const failed = (error: unknown) => context.report(error, 'upgrade of the data');
  const stopUpgrade = database.upgradeLater?.(context.lease('migrations'), failed);
  if (stopUpgrade) started.push(stopUpgrade);
  let isStopping = false;
  const health = { ready: async () => !isStopping && (await database.answers()) };
  const app = createApp(FEATURES, { ...context, health });
  const http = createHttpServer(app);
  const trustsProxy = app.get('trust proxy fn');
  boundPerAddress(http, { ...context, trustsProxy });
  const stopWaiting = closeIdleConnections(http);
  for (const feature of FEATURES) started.push(...(feature.listeners?.(context) ?? []));
  const realtime = createRealtime(http, FEATURES, { ...context, trustsProxy });
  started.push(() => realtime.close());
  for (const feature of FEATURES) {
    const stop = await feature.start?.(context, realtime.namespaces);
    if (stop) started.push(stop);
  }
  // Listens before it announces itself: the other nodes answer to that with their state.
  await context.cluster?.join(socketsOf(realtime));
  // Rows come first: their repair emits the events that the others listen to.
  const projections = [chatRows, ...FEATURES.flatMap((feature) => feature.projections?.(context) ?? [])];
  await initCheckpoints(projections);
  const isAlone = context.cluster === null;
  const { slowestBehindMs } = registration ?? {};
  const options = { count: countStored, isAlone, slowestBehindMs, everyMs: outside.reconcileEveryMs };
  started.push(startReconciler(projections, context.lease('reconciler'), options));
  const stopChores = startChores(context);
  started.push(stopChores);

  async function stop(): Promise<void> {
    isStopping = true;
    const inTime = within(STOP_MAX_MS);
    await inTime(stopChores());
    await inTime(queueIdle());
    stopWaiting();
    await inTime(realtime.close());
    http.closeAllConnections();
    // Events committed until the last connection closed are delivered, too.
    await inTime(queueIdle());
    await stopAll(started, inTime);
  }

  const url = await address(http, env, (err) => context.report(err, 'HTTP server'));
  context.node.address += `:${new URL(url).port}`;
  await registration?.listensAt(context.node.address);
  const foundingCode = await requiredFoundingCode(context.foundingCode);
  return { url, log, failed: database.failed, foundingCode, stop };
}

/** Enters this node in the operator's database, which other nodes may use. @throws BootError */
async function register(
  { cluster, node }: Context,
  secrets: Secrets,
  { beatEveryMs }: ExternalDeps,
): Promise<Registration> {
  try {
    const registration = await registerNode({
      ...node,
      dataVersion: DATA_VERSION,
      keys: { JWT_SECRET: secrets.jwtSecret, DATA_KEY: secrets.dataKey, VAPID_PRIVATE_KEY: secrets.vapidKey },
      state: cluster && (() => cluster.state()),
      everyMs: beatEveryMs,
    });
    // A node of a later version either sees this one in the list or has refused it by now.
    await requireReadableData().catch(async (error) => {
      await registration.leave();
      throw error;
    });
    return registration;
  } catch (error) {
    throw error instanceof NodeRefused ? new BootError(error.message) : error;
  }
}

/** What the cluster asks of the sockets of this node. */
function socketsOf({ namespaces: { staff, visitors }, hangUp }: Realtime): NodeSockets {
  return {
    areConcerned(data) {
      const { chatId, siteId, visitorId } = data ?? {};
      if (typeof chatId !== 'string' || typeof siteId !== 'string' || typeof visitorId !== 'string') return true;
      return staff.adapter.rooms.has(rooms.site(siteId)) || visitors.adapter.rooms.has(rooms.visitor(visitorId));
    },
    missed() {
      hangUp();
      void events.emit('eventsMissed', null);
    },
  };
}

/** Starts the hourly jobs of all features and the purge of deleted sites. @returns a function that stops both */
function startChores(context: Context): () => Promise<void> {
  const { now, lease } = context;
  const stopPurge = startPurge(
    FEATURES.flatMap(({ purge }) => purge?.(context) ?? []),
    { now, lease: lease('purge') },
  );
  const jobs = startJobs(
    FEATURES.flatMap(({ jobs }) => jobs?.(context) ?? []),
    { everyMs: JOBS_EVERY_MS, now, failed: (error) => events.fail(error, 'job'), lease: lease('jobs') },
  );
  return async () => {
    await Promise.all([jobs.stop(), stopPurge()]);
  };
}

/**
 * Stops the parts in reverse order. What one of them could not do, because the database refused it, keeps no other running.
 * @param inTime limits the wait for each part; the store is always waited for to the end
 */
async function stopAll(started: Stop[], inTime: Wait = (work) => work): Promise<void> {
  const [stopStore, ...others] = started;
  const failed = (error: unknown) => events.fail(error, 'stop');
  for (const stop of others.reverse()) await inTime(Promise.resolve().then(stop).catch(failed));
  await stopStore?.();
}

type Wait = (work: Promise<void>) => Promise<void>;

/** Makes a function that waits for work; all its waits together take at most `ms` milliseconds. */
function within(ms: number): Wait {
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
    return `Port ${port} is already in use. Stop the program that uses it, or set PORT to another port (PORT=3001 npm start).`;
  if (error.code === 'EACCES') return `This user may not open port ${port}. Set PORT to a number above 1023.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
}

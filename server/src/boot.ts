import type { Server as HttpServer } from 'node:http';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { openFoundingCode } from './auth/actions.ts';
import { settled } from './chats/keyedQueue.ts';
import { BootError, type Context, createContext, type Outside, readSecrets, type Workers } from './context.ts';
import { connectDatabase } from './database.ts';
import type { Env } from './env.ts';
import { events } from './events.ts';
import type { Stop } from './feature.ts';
import { FEATURES } from './features.ts';
import { createLog } from './http/log.ts';
import { boundPerAddress, createHttpServer, endSilent, listen } from './http/server.ts';
import { startJobs } from './jobs.ts';
import { createRealtime } from './realtime.ts';
import { type OwnScope, takeScope } from './scope.ts';
import { startPurge } from './sites/purge.ts';

/** A stop waits no longer than this for what is under way. */
const STOP_MAX_MS = 10_000;
/** What grows old is looked for this often. */
const JOBS_EVERY_MS = 3_600_000;

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
  const scope = takeScope();
  const started: Stop[] = [scope.release];
  try {
    const running = await scope.run(() => start(env, workers, outside, { scope, started }));
    return { ...running, stop: () => scope.run(running.stop) };
  } catch (error) {
    // A process that exits in the middle of a write of the store can hang in it.
    await scope.run(() => stopAll(started));
    throw error;
  }
}

/** What a start is made in. */
interface Start {
  scope: OwnScope;
  /** Takes how to stop what has been started so far, in the order of its start: for a start that fails halfway, too. */
  started: Stop[];
}

async function start(env: Env, workers: Workers, outside: Outside, { scope, started }: Start): Promise<Running> {
  const log = createLog(env.logLevel, outside.logTo);
  events.reportTo((err, what) => log.error({ err, what }, 'work after a commit failed'));
  const secrets = readSecrets(env);
  const tell = (sentence: string) => log.info(sentence);
  const database = await connectDatabase(env, { workerUrl: workers.store, features: FEATURES, tell });
  started.push(() => database.stop());

  const context = await createContext({ env, log, secrets, database, workers, outside }, started);
  let isStopping = false;
  const health = { ready: async () => !isStopping && (await database.answers()) };
  const app = createApp(FEATURES, { ...context, health });
  const http = createHttpServer(app);
  http.on('connection', scope.adopt);
  const trustsProxy = app.get('trust proxy fn');
  boundPerAddress(http, { ...context, trustsProxy });
  const stopWaiting = endSilent(http);
  for (const feature of FEATURES) started.push(...(feature.listeners?.(context) ?? []));
  const realtime = createRealtime(http, FEATURES, { ...context, trustsProxy });
  started.push(() => realtime.close());
  for (const feature of FEATURES) {
    const stop = await feature.start?.(context, realtime.namespaces);
    if (stop) started.push(stop);
  }
  const stopChores = startChores(context);
  started.push(stopChores);

  async function stop(): Promise<void> {
    isStopping = true;
    const inTime = within(STOP_MAX_MS);
    await inTime(stopChores());
    await inTime(settled());
    stopWaiting();
    await inTime(realtime.close());
    http.closeAllConnections();
    // What was committed until the last connection closed is to be told, too.
    await inTime(settled());
    await stopAll(started, inTime);
  }

  const url = await address(http, env, (err) => context.report(err, 'HTTP server'));
  const foundingCode = await openFoundingCode(context.foundingCode);
  return { url, log, failed: database.failed, foundingCode, stop };
}

/** Starts what every feature does each hour, and once a site is deleted; gives what stops it. */
function startChores(context: Context): () => Promise<void> {
  const { now } = context;
  const stopPurge = startPurge(
    FEATURES.flatMap(({ purge }) => purge?.(context) ?? []),
    { now },
  );
  const jobs = startJobs(
    FEATURES.flatMap(({ jobs }) => jobs?.(context) ?? []),
    { everyMs: JOBS_EVERY_MS, now, failed: (error) => events.fail(error, 'job') },
  );
  return async () => {
    await Promise.all([jobs.stop(), stopPurge()]);
  };
}

/** Stops the last first. @param inTime waits for each but the store, which is waited for however long it takes */
async function stopAll(started: Stop[], inTime: Wait = (work) => work): Promise<void> {
  const [release, stopStore, ...others] = started;
  for (const stop of others.reverse()) await inTime(Promise.resolve(stop()));
  await stopStore?.();
  await release?.();
}

type Wait = (work: Promise<void>) => Promise<void>;

/** Gives a function that waits for work, all in all no longer than that. */
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
    return `Port ${port} is in use. Stop what uses it, or set PORT to another one (PORT=3001 npm start).`;
  if (error.code === 'EACCES') return `Port ${port} may not be used by this account. Set PORT to one above 1023.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
}

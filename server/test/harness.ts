import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { boot, type Running } from '../src/app/boot.ts';
import type { ExternalDeps } from '../src/app/outside.ts';
import type { Env } from '../src/platform/env/index.ts';
import { realMongodb } from './mongodb.ts';
import { PASSWORD_COST, quietEnv } from './settings.ts';
import { builtWorkers } from './workers.ts';

/** Oftener than in earnest, so that tests wait less. */
const NOTICES_EVERY_MS = 250;
const USAGE_EVERY_MS = 100;
const BEAT_EVERY_MS = 200;
/** Tests ask for the reconciler's rounds, or make them (`rounds.ts`): one that came by itself could be faster than the test. */
const RECONCILE_EVERY_MS = 2 ** 30;
/** Storing the files of the build would take a third of the time of a start. */
const RELEASE_KEPT_AFTER_MS = 2 ** 30;

/** Long enough for any answer of a busy machine. */
const STORE_SILENT_MAX_MS = 60_000;

/** A running product of the test's own, with its own store. */
export interface TestServer {
  url: string;
  api: Api;
  /** Moves the clock of sessions forward, in milliseconds. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

type Body = object | undefined;

/** One HTTP call as a test makes it; `token` is a bearer. */
export type Api = (
  call: string,
  options?: { token?: string | undefined; body?: Body; headers?: Record<string, string> },
) => Promise<{
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into field by field
  body: any;
  headers: Record<string, string>;
}>;

/** More than one team of a test ever has: teams share the server. */
const SHARED_SITES_PER_ACCOUNT = 1_000;

let shared: Promise<TestServer> | undefined;

/**
 * The server that test files share with those that run in the same process before and after: for tests that need no settings, look
 * only at what belongs to their own sites and accounts, and make no rounds over everything. It goes on after `stop`, until a file
 * starts a server of its own.
 */
export async function sharedServer(): Promise<TestServer> {
  shared ??= start({ sitesPerAccount: SHARED_SITES_PER_ACCOUNT }, {});
  const { url, api } = await shared;
  const advance = () => {
    throw new Error('A shared server keeps its clock: start one of its own for this file.');
  };
  return { url, api, advance, stop: async () => {} };
}

/**
 * Starts the whole product on a free port, after the shared server has stopped: models that tests use belong to the first server
 * of the process.
 * @param outside what it takes from there, but for the clock
 * @param aheadMs how far its clock is ahead from the start on
 */
export async function startServer(
  overrides: Partial<Env> = {},
  outside: Omit<ExternalDeps, 'now'> = {},
  aheadMs = 0,
): Promise<TestServer> {
  const ended = shared;
  shared = undefined;
  await (await ended)?.stop();
  return start(overrides, outside, aheadMs);
}

async function start(overrides: Partial<Env>, outside: Omit<ExternalDeps, 'now'>, aheadMs = 0): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-'));
  const mongodb = overrides.mongodbUri ? null : await realMongodb();
  const env = {
    ...quietEnv(dataDir),
    mongodbUri: mongodb?.uri ?? null,
    ...overrides,
  };
  let ahead = aheadMs;
  async function discard(): Promise<void> {
    await mongodb?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const running: Running = await boot(env, await builtWorkers(), {
    now: () => Date.now() + ahead,
    passwordCost: PASSWORD_COST,
    noticesEveryMs: NOTICES_EVERY_MS,
    usageEveryMs: USAGE_EVERY_MS,
    beatEveryMs: BEAT_EVERY_MS,
    reconcileEveryMs: RECONCILE_EVERY_MS,
    releaseKeptAfterMs: RELEASE_KEPT_AFTER_MS,
    storeSilentMaxMs: STORE_SILENT_MAX_MS,
    ...outside,
  }).catch(async (error) => {
    await discard();
    throw error;
  });
  return {
    url: running.url,
    api: callsTo(running.url),
    advance: (ms) => {
      ahead += ms;
    },
    async stop() {
      await running.stop();
      await discard();
    },
  };
}

/** Given up long before the server ends a connection that rests, so that no call meets one that is about to end. */
const REST_MAX_MS = 2_000;
/** One connection for many calls. */
const agent = new http.Agent({ keepAlive: true, timeout: REST_MAX_MS });

/** The calls of the server at this address. */
export function callsTo(url: string): Api {
  const { host, port } = new URL(url);
  return async (call, { token, body, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = call.split(' ');
    const sent = body === undefined ? '' : JSON.stringify(body);
    const about = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) };
    const asked = http.request({
      host: '127.0.0.1',
      port,
      method,
      path: `/api${path}`,
      agent,
      headers: {
        Host: host,
        ...(sent && about),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    asked.end(sent);
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage];
    const answered = await text(answer);
    const isJson = answer.headers['content-type']?.startsWith('application/json');
    return {
      status: answer.statusCode ?? 0,
      body: isJson && answered ? JSON.parse(answered) : {},
      headers: answer.headers as Record<string, string>,
    };
  };
}

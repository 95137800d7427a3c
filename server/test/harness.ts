import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { boot } from '../src/app/boot.ts';
import type { ExternalDeps } from '../src/app/outside.ts';
import type { Env } from '../src/platform/env/index.ts';
import { realMongodb } from './mongodb.ts';
import { outsideOf, type PlainOutside, quietEnv } from './settings.ts';
import { builtWorkers } from './workers.ts';

/** A running product of the test's own, with its own store. */
export interface TestServer {
  url: string;
  api: Api;
  /** Moves the clock of sessions forward, in milliseconds; with a process of its own, after a moment. */
  advance(ms: number): void | Promise<void>;
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
let isTaken = false;

/**
 * The server that test files share with those that run in the same process before and after: for tests that need no settings, look
 * only at what belongs to their own sites and accounts, and make no rounds over everything. It goes on after `stop`, until a file
 * starts a server of its own.
 */
export async function sharedServer(): Promise<TestServer> {
  // A database given by address is dropped after the file.
  if (process.env.TEST_MONGODB_URI) return startServer({ sitesPerAccount: SHARED_SITES_PER_ACCOUNT });
  shared ??= start({ sitesPerAccount: SHARED_SITES_PER_ACCOUNT }, {});
  const { url, api } = await shared;
  const advance = () => {
    throw new Error('A shared server keeps its clock: start one of its own for this file.');
  };
  return { url, api, advance, stop: async () => {} };
}

/**
 * Starts the whole product on a free port, after the shared server has stopped. A process has one server: its models, which
 * tests use, too, have one connection. More at the same time are processes of their own (`nodes.ts`).
 * @param outside what it takes from there, but for the clock
 * @param aheadMs how far its clock is ahead from the start on
 */
export async function startServer(
  overrides: Partial<Env> = {},
  outside: Omit<ExternalDeps, 'now'> & PlainOutside = {},
  aheadMs = 0,
): Promise<TestServer> {
  const ended = shared;
  shared = undefined;
  await (await ended)?.stop();
  return start(overrides, outside, aheadMs);
}

async function start(overrides: Partial<Env>, outside: ExternalDeps & PlainOutside, aheadMs = 0): Promise<TestServer> {
  if (isTaken)
    throw new Error('This process has a server already: start others as processes of their own (`nodes.ts`).');
  isTaken = true;
  const { env, discard } = await settle(overrides);
  let ahead = aheadMs;
  const now = () => Date.now() + ahead;
  const running = await boot(env, await builtWorkers(), { ...outsideOf(outside), now }).catch(async (error) => {
    isTaken = false;
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
      isTaken = false;
      await discard();
    },
  };
}

/** Where a server of a test may store its data, and what removes it afterwards. */
export async function settle(overrides: Partial<Env>): Promise<{ env: Env; discard(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-'));
  const mongodb = overrides.mongodbUri ? null : await realMongodb(overrides.dataDir);
  const discard = async () => {
    await mongodb?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { env: { ...quietEnv(dataDir), mongodbUri: mongodb?.uri ?? null, ...overrides }, discard };
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import request from 'supertest';
import { boot, type Running } from '../src/boot.ts';
import type { Outside } from '../src/context.ts';
import type { Env } from '../src/env.ts';
import { realMongodb } from './mongodb.ts';
import { PASSWORD_COST, quietEnv } from './settings.ts';
import { builtWorkers } from './workers.ts';

/** Oftener than in earnest, so that tests wait less. */
const NOTICES_EVERY_MS = 50;
const USAGE_EVERY_MS = 100;

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

/**
 * Starts the whole product on a free port.
 * @param outside what it takes from there, but for the clock
 */
export async function startServer(
  overrides: Partial<Env> = {},
  outside: Omit<Outside, 'now'> = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-'));
  const mongodb = await realMongodb();
  const env = {
    ...quietEnv(dataDir),
    mongodbUri: mongodb?.uri ?? null,
    ...overrides,
  };
  let ahead = 0;
  const running: Running = await boot(env, await builtWorkers(), {
    now: () => Date.now() + ahead,
    passwordCost: PASSWORD_COST,
    noticesEveryMs: NOTICES_EVERY_MS,
    usageEveryMs: USAGE_EVERY_MS,
    ...outside,
  });
  return {
    url: running.url,
    api: callsTo(running.url),
    advance: (ms) => {
      ahead += ms;
    },
    async stop() {
      await running.stop();
      await mongodb?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The calls of the server at this address. */
export function callsTo(url: string): Api {
  return async (call, { token, body, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = call.split(' ');
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const asked = request(url)[verb](`/api${path}`).set(headers);
    if (token !== undefined) asked.set('Authorization', `Bearer ${token}`);
    return body === undefined ? asked : asked.send(body);
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Audience } from '../../src/platform/http/endpoint/catalogue.ts';
import type { JsonSchema } from '../../src/platform/http/endpoint/jsonSchema.ts';
import { builtWorker, builtWorkers } from '../workers.ts';

/** The schemas of a body, query or payload by the names of its fields. */
export type JsonSchemas = Record<string, JsonSchema>;

/** What can be asked of the product, as a process of another can tell it. */
export interface Wired {
  calls: Record<string, { audience: Audience; body: JsonSchemas; query: JsonSchemas; upload: boolean }>;
  staffEvents: Record<string, JsonSchemas>;
  visitorEvents: Record<string, JsonSchemas>;
}

/** What the server has spent since it was asked before. */
export interface Cost {
  /** The longest stretch in which its main thread did nothing else, in milliseconds of processor time. */
  standstillMs: number;
  /** All that its main thread took, in milliseconds of processor time. */
  threadMs: number;
  /** How much more memory it had at the most than at the beginning, in bytes. */
  grownBytes: number;
  /** What the data folder takes on the disk now, in bytes. */
  storedBytes: number;
}

export type Asked = 'wired' | 'take' | 'pace' | 'stop';
export interface Told {
  url?: string;
  wired?: Wired;
  cost?: Cost;
  paceMs?: number;
}

/** The product in a process of its own. */
export interface Subject {
  url: string;
  wired(): Promise<Wired>;
  /** Waits until it rests, tells what it has spent since the last time, and begins anew. */
  take(): Promise<Cost>;
  /** What a fixed amount of work takes it now, in milliseconds of processor time. */
  paceMs(): Promise<number>;
  stop(): Promise<void>;
}

export async function startSubject(): Promise<Subject> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-fuzz-'));
  const workers = await builtWorkers();
  const entry = fileURLToPath(await builtWorker('../test/fuzz/subject'));
  const child = fork(entry, [dataDir, JSON.stringify(workers)], { execArgv: ['--expose-gc'] });
  const { url = '' } = await told(child);
  const ask = async (asked: Asked) => {
    const answer = told(child);
    child.send(asked);
    return answer;
  };
  return {
    url,
    wired: async () => (await ask('wired')).wired as Wired,
    take: async () => (await ask('take')).cost as Cost,
    paceMs: async () => (await ask('pace')).paceMs as number,
    async stop() {
      const ended = once(child, 'exit');
      child.send('stop' satisfies Asked);
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function told(child: ChildProcess): Promise<Told> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('The server has ended.')));
  const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
  waiting.abort();
  return message as Told;
}

/** One HTTP request as it goes over the wire: nothing is encoded, checked or added to. */
export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** JSON, or a file. */
  body?: string | Buffer;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Sends it, reads the answer whole, and gives its status; 0: the connection was cut. */
export function send(url: string, { method, path: asked, headers = {}, body }: Sent): Promise<number> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
  return new Promise((resolve) => {
    const asking = http.request(
      { hostname, port, method, path: asked, agent, headers: { ...type, ...length, ...headers } },
      (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.statusCode ?? 0));
      },
    );
    asking.on('error', () => resolve(0));
    asking.end(body);
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

const MAIN = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const READY_TIMEOUT_MS = 120_000;
const READY_POLL_MS = 25;
/** A start that is refused has ended by then, on the busiest machine. */
const REFUSAL_TIMEOUT_MS = 120_000;

/** What the process said and how it ended. */
interface Ending {
  code: number | null;
  output: string;
}

interface Launched {
  server: ChildProcess;
  /** Everything that it has said so far. */
  output: () => string;
}

/** A built Parley in a process of its own, with a data folder and a port that outlive a crash. */
export interface Parley {
  origin: string;
  port: number;
  dataDir: string;
  /** Ends the process as a power cut would. */
  kill9(): Promise<void>;
  /** Stops the process where it stands, as a machine that is busy with something else, or lets it go on. */
  freeze(frozen: boolean): void;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Stops it as an operator would, and removes the data folder unless it was brought along; gives how it ended. */
  stop(): Promise<Ending>;
}

/** Where and how it runs; all of it is made up where it is left out. */
export interface ParleyOptions {
  dataDir?: string;
  port?: number;
  /** Settings beside those that every test has. */
  env?: Record<string, string>;
}

/** Starts the built server and waits until it is ready; fails with what it said when it ends before. */
export async function startParley(options: ParleyOptions = {}): Promise<Parley> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')));
  const port = options.port ?? (await freePort());
  const origin = `http://localhost:${port}`;
  const start = () => launch(origin, { ...options.env, PORT: String(port), DATA_DIR: dataDir });
  let { server, output } = await start();

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'close');
  }

  return {
    origin,
    port,
    dataDir,
    kill9: () => end('SIGKILL'),
    freeze: (frozen) => void server.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
    restart: async () => {
      await end('SIGTERM');
      ({ server, output } = await start());
    },
    stop: async () => {
      await end('SIGTERM');
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      return { code: server.exitCode, output: output() };
    },
  };
}

/** Starts the built server where it must not start, and gives what it said. */
export async function refusedStart(env: Record<string, string>): Promise<Ending> {
  const server = run(env);
  const output = collect(server);
  const late = setTimeout(() => server.kill('SIGKILL'), REFUSAL_TIMEOUT_MS);
  const [code, signal] = await once(server, 'close');
  clearTimeout(late);
  if (signal) throw new Error(`Parley did not end by itself:\n${output()}`);
  return { code, output: output() };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function launch(origin: string, env: Record<string, string>): Promise<Launched> {
  const server = run(env);
  const output = collect(server);
  await vi.waitFor(
    async () => {
      if (server.exitCode !== null) return;
      if (!(await fetch(`${origin}/readyz`)).ok) throw new Error(`Parley did not become ready:\n${output()}`);
    },
    { timeout: READY_TIMEOUT_MS, interval: READY_POLL_MS },
  );
  if (server.exitCode !== null) throw new Error(`Parley ended at its start:\n${output()}`);
  return { server, output };
}

function run(env: Record<string, string>): ChildProcess {
  const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env };
  const server = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // No server may outlive the run that it was started for.
  const end = () => server.kill('SIGKILL');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
  return server;
}

function collect(server: ChildProcess): () => string {
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return () => output;
}

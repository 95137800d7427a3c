import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { freePort } from '../../scripts/cluster/processes.js';

const MAIN = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
/** What delays the server's answers by up to this time, in milliseconds, in `npm run chaos -- late`. */
const { LATE_MS } = process.env;
const LATE = LATE_MS ? ['--import', new URL('late.js', import.meta.url).href] : [];
const READY_TIMEOUT_MS = 120_000;
const READY_POLL_MS = 25;
/** An answer that takes longer is asked for again. */
const READY_ANSWER_MS = 10_000;
/** A start that is refused ends within this time, even on a busy machine. */
const REFUSAL_TIMEOUT_MS = 120_000;

/** The output of the process and its exit code. */
interface Ending {
  code: number | null;
  output: string;
}

interface Launched {
  server: ChildProcess;
  /** Its output so far. */
  output: () => string;
}

/** The built server in a process of its own. Its data folder and port stay the same after a crash. */
export interface Parley {
  origin: string;
  port: number;
  dataDir: string;
  /** Ends the process as a power cut would. */
  kill9(): Promise<void>;
  /** Pauses the process, as on a machine that is overloaded, or lets it continue. */
  freeze(frozen: boolean): void;
  /** Starts it again on the same port and data, as the release that was built. */
  restart(): Promise<void>;
  /** Stops it with SIGTERM, and deletes the data folder unless it was given. @returns how it ended */
  stop(): Promise<Ending>;
}

/** Where and how it runs. Everything has a default. */
export interface ParleyOptions {
  dataDir?: string;
  port?: number;
  /** The `main.js` of another release, to start with. */
  main?: string;
  /** Settings beside those that every test has. */
  env?: Record<string, string>;
}

/** Starts the built server and waits until it is ready. Throws with its output if it ends before. */
export async function startParley(options: ParleyOptions = {}): Promise<Parley> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')));
  const port = options.port ?? (await freePort());
  const origin = `http://localhost:${port}`;
  const start = (main?: string) => launch(origin, { ...options.env, PORT: String(port), DATA_DIR: dataDir }, main);
  let { server, output } = await start(options.main);

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

/** Starts the built server where it must refuse to start. @returns its output and exit code */
export async function refusedStart(env: Record<string, string>): Promise<Ending> {
  const server = run(env);
  const output = collect(server);
  const late = setTimeout(() => server.kill('SIGKILL'), REFUSAL_TIMEOUT_MS);
  const [code, signal] = await once(server, 'close');
  clearTimeout(late);
  if (signal) throw new Error(`Parley did not end by itself:\n${output()}`);
  return { code, output: output() };
}

async function launch(origin: string, env: Record<string, string>, main?: string): Promise<Launched> {
  const server = run(env, main);
  const output = collect(server);
  const ready = vi.waitFor(
    async () => {
      if (server.exitCode !== null) return;
      const { ok } = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(READY_ANSWER_MS) });
      if (!ok) throw new Error(`Parley did not become ready:\n${output()}`);
    },
    { timeout: READY_TIMEOUT_MS, interval: READY_POLL_MS },
  );
  await ready.catch((error) => {
    server.kill('SIGKILL');
    throw error;
  });
  if (server.exitCode !== null) throw new Error(`Parley ended at its start:\n${output()}`);
  return { server, output };
}

function run(env: Record<string, string>, main = MAIN): ChildProcess {
  const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env };
  const server = spawn(process.execPath, [...LATE, main], {
    env: { PATH: process.env.PATH, LATE_MS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // No server may be left running after the tests. Vitest ends its workers with SIGTERM.
  const end = () => server.kill('SIGKILL');
  const endBoth = () => {
    end();
    process.exit();
  };
  process.once('exit', end);
  process.once('SIGTERM', endBoth);
  server.once('exit', () => process.off('exit', end).off('SIGTERM', endBoth));
  return server;
}

function collect(server: ChildProcess): () => string {
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return () => output;
}

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { dictionary } from '@zxcvbn-ts/language-common';
import { events } from '#platform/events';
import { sentence, type TranslatableText, unavailable } from '#platform/http';
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_BYTES } from './contract.ts';
import type { HashJob, HashResult, HashSettings } from './hash-worker.ts';

const COMMON_PASSWORDS = 10_000;
const common = new Set((dictionary.passwords ?? []).slice(0, COMMON_PASSWORDS).map(String));

/**
 * A hash that no word is known to fit. It is compared with when the account does not exist; at the cost of all others, so
 * that both cases take the same time.
 */
const nobodysHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$.VbpHxB082T7iBb/1tieMe442IWz4QxhcinQqPVPDtrePCWZSO5zy`;

/** bcrypt's cost: about 60 ms a hash on a small machine. */
const COST = 10;

/** Jobs beyond this many waiting are refused: with one thread they are about six seconds of work. */
const QUEUE_MAX = 100;
/**
 * A job that has waited longer is dropped: its client has given up or soon will, and hashing it would only delay the
 * others.
 */
const WAIT_MAX_MS = 8_000;
/**
 * The event loop and the store's thread come first: a second hashing thread starts only where there is a third processor.
 */
const THREADS = availableParallelism() > 2 ? 2 : 1;
/** A thread that ended is started again after this delay, which doubles each time it ends without having worked. */
const RESTART_MIN_MS = 100;
const RESTART_MAX_MS = 30_000;

/** Hashes and compares passwords (bcrypt) off the event loop. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether the password fits the hash; `null` takes as long and never fits. */
  fits(password: string, hash: string | null): Promise<boolean>;
  stop(): Promise<void>;
}

interface Job {
  password: string;
  hash: string | null;
  resolve: (result: string | boolean) => void;
  reject: (error: Error) => void;
  expiry: NodeJS.Timeout;
}

/**
 * Starts the hashing threads, each of which does one job at a time: the first at once, the others when they are needed.
 * @param workerUrl the built `hash-worker`
 * @param cost bcrypt's cost of new hashes
 */
export function createPasswords(workerUrl: URL, cost = COST): Passwords {
  const waiting: Job[] = [];
  const start = () => startThread(workerUrl, cost, () => waiting.shift());
  const threads = [start()];

  function ask(password: string, hash: string | null): Promise<string | boolean> {
    if (waiting.length >= QUEUE_MAX) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const expiry = setTimeout(() => {
        const at = waiting.indexOf(job);
        if (at !== -1) waiting.splice(at, 1);
        reject(unavailable());
      }, WAIT_MAX_MS).unref();
      const job: Job = { password, hash, resolve, reject, expiry };
      waiting.push(job);
      const idle = threads.find((thread) => thread.isIdle());
      if (idle) idle.work();
      else if (threads.length < THREADS) threads.push(start());
    });
  }

  return {
    hash: async (password) => String(await ask(password, null)),
    fits: async (password, hash) => (await ask(password, hash ?? nobodysHash(cost))) === true && hash !== null,
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
      for (const job of waiting.splice(0)) job.reject(unavailable());
    },
  };
}

/** One thread, restarted whenever it ends. The job that it was working on then is answered 503. */
function startThread(workerUrl: URL, cost: number, next: () => Job | undefined) {
  let current: Job | undefined;
  let pauseMs = RESTART_MIN_MS;
  let restart: NodeJS.Timeout | undefined;
  let stopped = false;
  let worker: Worker | null = null;
  start();

  function start(): void {
    const started = new Worker(workerUrl, { workerData: { cost } satisfies HashSettings });
    worker = started;
    started.unref();
    started.on('message', ({ result }: HashResult) => {
      pauseMs = RESTART_MIN_MS;
      finish((job) => job.resolve(result));
      work();
    });
    // The 'exit' event that follows cleans up. Without this listener an 'error' would end the whole process.
    started.on('error', (error) => events.fail(error, 'password thread'));
    started.on('exit', () => {
      worker = null;
      finish((job) => job.reject(unavailable()));
      if (stopped) return;
      restart = setTimeout(start, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, RESTART_MAX_MS);
    });
    work();
  }

  function finish(answer: (job: Job) => void): void {
    if (current) {
      clearTimeout(current.expiry);
      answer(current);
    }
    current = undefined;
  }

  function work(): void {
    if (current || !worker) return;
    current = next();
    if (current) worker.postMessage({ password: current.password, hash: current.hash } satisfies HashJob);
  }

  return {
    isIdle: () => worker !== null && current === undefined,
    work,
    async stop() {
      stopped = true;
      clearTimeout(restart);
      await worker?.terminate();
    },
  };
}

/** The reason, as a sentence, why a password is refused. @returns null: it is accepted */
export function passwordProblem(password: string, email: string): TranslatableText | null {
  const bytes = Buffer.byteLength(password);
  if (bytes < PASSWORD_MIN_BYTES)
    return sentence('Password must be at least {min} characters long', { min: PASSWORD_MIN_BYTES });
  if (bytes > PASSWORD_MAX_BYTES)
    return sentence('Password must be at most {max} bytes long', { max: PASSWORD_MAX_BYTES });
  if (common.has(password.toLowerCase()))
    return sentence('This password is among the most common ones. Please choose another');
  if (password.toLowerCase() === email.toLowerCase()) return sentence('Password must not be your email address');
  return null;
}

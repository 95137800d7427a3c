import { Worker } from 'node:worker_threads';
import { dictionary } from '@zxcvbn-ts/language-common';
import { unavailable } from '../http/errors.ts';
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_BYTES } from './contract.ts';
import type { HashJob, HashResult, HashSettings } from './hash-worker.ts';

const COMMON_PASSWORDS = 10_000;
const common = new Set((dictionary.passwords ?? []).slice(0, COMMON_PASSWORDS).map(String));

/** Of a random word nobody knows: compared with when the account does not exist, so that both take the same time. */
const NOBODY_HASH = '$2b$10$.VbpHxB082T7iBb/1tieMe442IWz4QxhcinQqPVPDtrePCWZSO5zy';

/** About 60 ms on a small machine. */
const COST = 10;

/** More than this many waiting are refused: a storm of log-ins must not queue for minutes. */
const QUEUE_MAX = 500;

/** Hashes and compares passwords (bcrypt) off the event loop. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether the password fits the hash; `null` takes as long and never fits. */
  fits(password: string, hash: string | null): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Starts the hashing thread.
 * @param workerUrl the built `hash-worker`
 * @param cost bcrypt's, of new hashes
 */
export function createPasswords(workerUrl: URL, cost = COST): Passwords {
  const waiting = new Map<number, { resolve: (result: string | boolean) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let stopped = false;
  let worker = start();

  function start(): Worker {
    const started = new Worker(workerUrl, { workerData: { cost } satisfies HashSettings });
    started.unref();
    started.on('message', ({ id, result }: HashResult) => {
      waiting.get(id)?.resolve(result);
      waiting.delete(id);
    });
    started.on('error', failAll);
    started.on('exit', () => {
      failAll(unavailable());
      if (!stopped) worker = start();
    });
    return started;
  }

  function failAll(error: Error): void {
    for (const job of waiting.values()) job.reject(error);
    waiting.clear();
  }

  function ask(password: string, hash: string | null): Promise<string | boolean> {
    if (waiting.size >= QUEUE_MAX) return Promise.reject(unavailable());
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, password, hash } satisfies HashJob);
    });
  }

  return {
    hash: async (password) => String(await ask(password, null)),
    fits: async (password, hash) => (await ask(password, hash ?? NOBODY_HASH)) === true && hash !== null,
    async stop() {
      stopped = true;
      await worker.terminate();
    },
  };
}

/** Why a password is refused, as a sentence; null: it is fine. */
export function passwordFault(password: string, email: string): string | null {
  const bytes = Buffer.byteLength(password);
  if (bytes < PASSWORD_MIN_BYTES) return `Password must be at least ${PASSWORD_MIN_BYTES} characters long`;
  if (bytes > PASSWORD_MAX_BYTES) return `Password must be at most ${PASSWORD_MAX_BYTES} bytes long`;
  if (common.has(password.toLowerCase())) return 'This password is among the most common ones. Please choose another';
  if (password.toLowerCase() === email.toLowerCase()) return 'Password must not be your email address';
  return null;
}

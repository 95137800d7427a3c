import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

/** What `createPasswords` asks of this thread: a hash, or a comparison with one. */
export interface HashJob {
  id: number;
  password: string;
  /** Compare with this hash; null: make a new one. */
  hash: string | null;
}

/** The job's outcome: a hash, or whether the password fits. */
export interface HashResult {
  id: number;
  result: string | boolean;
}

/** About 60 ms on a small machine. */
const COST = 10;

parentPort?.on('message', ({ id, password, hash }: HashJob) => {
  const result = hash === null ? bcrypt.hashSync(password, COST) : bcrypt.compareSync(password, hash);
  parentPort?.postMessage({ id, result } satisfies HashResult);
});

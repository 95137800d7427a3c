import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

/** What `createPasswords` asks of this thread: a hash, or a comparison with one. */
export interface HashJob {
  password: string;
  /** Compare with this hash; null: make a new one. */
  hash: string | null;
}

/** The job's outcome: a hash, or whether the password fits. */
export interface HashResult {
  result: string | boolean;
}

/** What the thread is started with. */
export interface HashSettings {
  /** bcrypt's: one more doubles the work of a new hash. */
  cost: number;
}

const { cost } = workerData as HashSettings;

// Messages go before log-ins. On Linux a priority is a thread's own; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', ({ password, hash }: HashJob) => {
  const result = hash === null ? bcrypt.hashSync(password, cost) : bcrypt.compareSync(password, hash);
  parentPort?.postMessage({ result } satisfies HashResult);
});

import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

/** What `createPasswords` asks of this thread: a hash, or a comparison with one. */
export interface HashJob {
  password: string;
  /** The hash to compare with; null: make a new one. */
  hash: string | null;
}

/** The job's outcome: a hash, or whether the password fits. */
export interface HashResult {
  result: string | boolean;
}

/** What the thread is started with. */
export interface HashSettings {
  /** bcrypt's cost: each step up doubles the work of a new hash. */
  cost: number;
}

const { cost } = workerData as HashSettings;

// Chat messages take priority over log-ins. Only on Linux does a priority apply to a single thread; elsewhere it would
// slow the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', ({ password, hash }: HashJob) => {
  const result = hash === null ? bcrypt.hashSync(password, cost) : bcrypt.compareSync(password, hash);
  parentPort?.postMessage({ result } satisfies HashResult);
});

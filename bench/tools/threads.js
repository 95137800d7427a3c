import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NS_PER_US = 1e3;
/** The scripts of the threads that are shown with their own figures. */
const SHOWN = { 'main.js': 'main', 'store-worker.js': 'store' };

/** Options of a Node process whose threads write their ids into the file that `PARLEY_THREADS` names. */
export const NAMES_THREADS = ['--import', fileURLToPath(new URL('./name-thread.js', import.meta.url))];

/** Reads the processor time in µs and the wake-ups (voluntary context switches) of the main thread, the store's, and all others. */
export function readThreads(pid, namesFile) {
  const names = new Map(
    readFileSync(namesFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  );
  const sums = { us: { main: 0, store: 0, others: 0 }, wakeUps: { main: 0, store: 0, others: 0 } };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const read = (name) => readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8');
    const whose = Number(thread) === pid ? 'main' : (SHOWN[names.get(thread)] ?? 'others');
    sums.us[whose] += Number(read('schedstat').split(' ')[0]) / NS_PER_US;
    sums.wakeUps[whose] += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(read('status'))[1]);
  }
  return sums;
}

const PAGE_BYTES = 4096;
/** In LMDB's two meta pages, the number of the transaction that wrote them is here. */
const TRANSACTION_AT = 152;

/** The number of transactions that the store of this data folder has ever committed. */
export function readTransactions(dataDir) {
  const file = openSync(join(dataDir, 'store', 'data.mdb'));
  const pages = Buffer.alloc(2 * PAGE_BYTES);
  try {
    readSync(file, pages, 0, pages.length, 0);
  } finally {
    closeSync(file);
  }
  return Math.max(...[0, PAGE_BYTES].map((page) => Number(pages.readBigUInt64LE(page + TRANSACTION_AT))));
}

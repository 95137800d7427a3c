// npm run bench -- idle-cpu: how much of a processor core Parley uses, and how often it wakes up, with no client at all (Linux).
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from './tools/cpu.js';
import { startParley } from './tools/parley.js';

/** By then the garbage of the start has been collected. */
const SETTLE_MS = 60_000;
const WATCH_S = Number(process.argv[3] ?? 120);
const CORE_PERCENT_MAX = 0.2;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const { pid, stop } = await startParley(dataDir);
await sleep(SETTLE_MS);
const before = { cpu: cpuMs(pid).all, wakeUps: wakeUps(pid) };
await sleep(WATCH_S * 1_000);
const percent = (cpuMs(pid).all - before.cpu) / (WATCH_S * 10);
const perSecond = (wakeUps(pid) - before.wakeUps) / WATCH_S;
const mark = percent <= CORE_PERCENT_MAX ? '✓' : '✗';
console.log(
  `${mark} no client: ${percent.toFixed(2)} % of a core (goal ≤ ${CORE_PERCENT_MAX} %), ${perSecond.toFixed(1)} wake-ups a second`,
);
await stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit();

/** The voluntary context switches of all its threads. */
function wakeUps(pid) {
  const ofThread = (thread) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1]);
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ofThread(thread), 0);
}

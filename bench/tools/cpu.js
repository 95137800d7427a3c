import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const NS_PER_MS = 1e6;
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The prefix of a command that pins it to one processor; empty if there is only one, or no taskset. */
export function onCore(core) {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

/** Pins a process's main thread to one processor; its other threads are not moved. */
export function pinMainThread(pid, core) {
  if (canPin) spawnSync('taskset', ['-cp', String(core), String(pid)]);
}

/** Pins this process, which generates the load, to a processor without a server's main thread. */
export function pinLoadGenerator() {
  if (canPin) spawnSync('taskset', ['-acp', '1', String(process.pid)]);
  else console.log('Server and load share the processors: taskset is not here, or there is one processor only.');
}

/** The processor time of a process in milliseconds, by thread (Linux); the first is the main thread. */
function threadMs(pid) {
  const used = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  const threads = readdirSync(`/proc/${pid}/task`).toSorted((a, b) => Number(a) - Number(b));
  return new Map(threads.map((thread) => [thread, used(thread) / NS_PER_MS]));
}

/** The processor time of a process in milliseconds: of all its threads, and of the main thread (Linux). */
export function cpuMs(pid) {
  const threads = threadMs(pid);
  const all = [...threads.values()].reduce((sum, ms) => sum + ms, 0);
  return { all, main: threads.get(String(pid)), threads };
}

/**
 * The processor time since `before`, in microseconds for each of `count` items: of all threads, of the main thread, and of
 * the busiest other one, which is Parley's store.
 */
export function cpuUsPerItem(pid, before, count) {
  const now = cpuMs(pid);
  const perItem = (ms) => (ms * 1_000) / count;
  const others = [...now.threads].filter(([thread]) => thread !== String(pid));
  const grown = others.map(([thread, ms]) => ms - (before.threads.get(thread) ?? 0));
  return {
    all: perItem(now.all - before.all),
    main: perItem(now.main - before.main),
    store: perItem(Math.max(0, ...grown)),
  };
}

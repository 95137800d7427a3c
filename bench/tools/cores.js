import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const NS_PER_MS = 1e6;
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** What a command is put behind to run on one processor; nothing where there is one only, or no taskset. */
export function onCore(core) {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

/** Moves a process's main thread to one processor; its other threads stay where they are. */
export function moveMain(pid, core) {
  if (canPin) spawnSync('taskset', ['-cp', String(core), String(pid)]);
}

/** Puts this process, which makes the load, on a processor that no server's main thread is on. */
export function moveLoad() {
  if (canPin) spawnSync('taskset', ['-acp', '1', String(process.pid)]);
  else console.log('Server and load share the processors: taskset is not here, or there is one processor only.');
}

/** Milliseconds of processor time that a process has used: of all its threads, and of the main one (Linux). */
export function cpuMs(pid) {
  const used = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  const threads = readdirSync(`/proc/${pid}/task`);
  return { all: threads.reduce((sum, thread) => sum + used(thread), 0) / NS_PER_MS, main: used(pid) / NS_PER_MS };
}

/** The same, used since an earlier look, in microseconds for each of so many things. */
export function cpuEachUs(pid, before, count) {
  const now = cpuMs(pid);
  return { all: ((now.all - before.all) * 1_000) / count, main: ((now.main - before.main) * 1_000) / count };
}

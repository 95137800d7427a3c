import { expect, test } from 'vitest';
import { until } from '#test/factories';
import { startJobs } from './jobs.ts';

const noFailure = (error: unknown) => {
  throw error;
};

test('jobs run one after the other, repeatedly, by the given clock', async () => {
  const seen: string[] = [];
  const job = (name: string) => async (now: number) => void seen.push(`${name}${now}`);
  let now = 0;
  const { stop } = startJobs([job('a'), job('b')], { everyMs: 1, now: () => ++now, failed: noFailure });
  await until(async () => seen.length >= 4);
  await stop();
  expect(seen.slice(0, 4)).toEqual(['a1', 'b2', 'a3', 'b4']);
});

test('a failed job is reported and does not stop the others', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const jobs = [() => Promise.reject(new Error('no')), async () => void runs++];
  const { stop } = startJobs(jobs, { everyMs: 1, now: Date.now, failed: (error) => errors.push(error) });
  await until(async () => runs >= 2);
  await stop();
  expect(errors.slice(0, 2)).toEqual([new Error('no'), new Error('no')]);
});

test('stopping waits for the current step and starts no other', async () => {
  const seen: string[] = [];
  let finish = () => {};
  const long = (_now: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      finish = () => {
        seen.push(`ended, aborted: ${signal.aborted}`);
        resolve();
      };
    });
  const { stop } = startJobs([long, async () => void seen.push('next')], {
    everyMs: 1,
    now: Date.now,
    failed: noFailure,
  });
  const stopped = stop().then(() => seen.push('stopped'));
  finish();
  await stopped;
  expect(seen).toEqual(['ended, aborted: true', 'stopped']);
});

test('jobs with nothing to do rest until they are woken', async () => {
  const runs = { busy: 0, resting: 0 };
  let isAwaited = false;
  const round = { everyMs: 20, now: Date.now, failed: noFailure };
  const busy = startJobs([async () => void runs.busy++], round);
  const resting = startJobs([async () => void runs.resting++], { ...round, hasUpcomingWork: async () => isAwaited });
  await until(async () => runs.busy >= 10);
  expect(runs.resting).toBeLessThan(runs.busy / 2);
  isAwaited = true;
  resting.wake();
  const [from, before] = [runs.resting, runs.busy];
  await until(async () => runs.resting >= from + 10);
  expect(runs.busy - before).toBeLessThan(100);
  await Promise.all([busy.stop(), resting.stop()]);
});

test('a job that is woken while it checks for work does not rest', async () => {
  const runs = { busy: 0, woken: 0 };
  const round = { everyMs: 20, now: Date.now, failed: noFailure };
  const woken: ReturnType<typeof startJobs> = startJobs([async () => void runs.woken++], {
    ...round,
    hasUpcomingWork: async () => {
      woken.wake();
      return false;
    },
  });
  const busy = startJobs([async () => void runs.busy++], round);
  await until(async () => runs.woken >= 10);
  expect(runs.busy).toBeLessThan(100);
  await Promise.all([busy.stop(), woken.stop()]);
});

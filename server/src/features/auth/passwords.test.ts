import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { builtWorker } from '#test/workers';
import { createPasswords, type Passwords } from './passwords.ts';

const QUEUE_MAX = 100;
const WAIT_MAX_MS = 8_000;
const THREADS_MAX = 2;
let passwords: Passwords | undefined;
let folder: string | undefined;

afterEach(async () => {
  vi.useRealTimers();
  await passwords?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** A thread that does this, written where it can be told how often it was started. */
async function thread(code: string): Promise<{ url: URL; starts: () => Promise<number> }> {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-thread-'));
  const [file, log] = [path.join(folder, 'worker.mjs'), path.join(folder, 'starts')];
  await writeFile(log, '');
  await writeFile(
    file,
    `import { appendFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     appendFileSync(${JSON.stringify(log)}, 'x');
     ${code}`,
  );
  return { url: pathToFileURL(file), starts: async () => (await readFile(log, 'utf8')).length };
}

test('a hundred logins may wait, further ones are refused', async () => {
  passwords = createPasswords(await builtWorker('features/auth/hash-worker'), 4);
  const hash = await passwords.hash('right');
  const asked = Array.from({ length: QUEUE_MAX + 50 }, (_, n) => passwords?.fits(n % 2 ? 'right' : 'wrong', hash));
  const answers = await Promise.allSettled(asked);
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(50 - THREADS_MAX);
  expect(refused[0]).toMatchObject({ reason: { status: 503 } });
  answers.forEach((answer, n) => {
    if (answer.status === 'fulfilled') expect(answer.value).toBe(n % 2 === 1);
  });
});

test('a thread that fails to start is restarted with growing delays, and waiting calls do not hang', async () => {
  const { url, starts } = await thread('process.exit(1)');
  passwords = createPasswords(url);
  const tries = 6;
  for (let n = 0; n < tries; n++) await expect(passwords.hash('whatever')).rejects.toMatchObject({ status: 503 });
  expect(await starts()).toBeLessThanOrEqual(THREADS_MAX * tries);
});

test('a call that crashes its thread is answered 503, and the next one uses a new thread', async () => {
  const { url } = await thread(
    `parentPort.on('message', ({ password }) => {
       if (password === 'bomb') throw new Error('out of memory');
       parentPort.postMessage({ result: true });
     });`,
  );
  passwords = createPasswords(url);
  await expect(passwords.hash('bomb')).rejects.toMatchObject({ status: 503 });
  expect(await passwords.fits('right', 'hash')).toBe(true);
});

test('a call that has waited for eight seconds is answered 503 and not computed any more', async () => {
  const worked = await mkdtemp(path.join(tmpdir(), 'parley-worked-'));
  const { url } = await thread(
    `import { writeFileSync } from 'node:fs';
     parentPort.on('message', ({ password }) => {
       writeFileSync(${JSON.stringify(worked)} + '/' + password, '');
       setTimeout(() => parentPort.postMessage({ result: true }), 200);
     });`,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = createPasswords(url);
  passwords = asked;
  const slow = Array.from({ length: THREADS_MAX }, (_, n) => asked.fits(`slow${n}`, 'hash').catch(() => false));
  const late = asked.fits('late', 'hash');
  vi.advanceTimersByTime(WAIT_MAX_MS);
  await expect(late).rejects.toMatchObject({ status: 503 });
  await Promise.all(slow);
  expect(await asked.fits('next', 'hash')).toBe(true);
  const done = await readdir(worked);
  await rm(worked, { recursive: true, force: true });
  expect([done.includes('next'), done.includes('late')]).toEqual([true, false]);
});

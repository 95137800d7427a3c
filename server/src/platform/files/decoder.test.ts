import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { until } from '#test/factories';
import { builtWorker } from '#test/workers';
import { events } from '../events/index.ts';
import { createDecoder, type Decoder } from './decoder.ts';

const workerUrl = await builtWorker('platform/files/picture-worker');
const plain = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#2d6cdf' } });
const small = await plain(9).png().toBuffer();
/** Takes a second: all of it has to be unpacked, though it weighs nothing. */
const long = await plain(7_000).png({ progressive: true }).toBuffer();

const MEMORY_MAX_BYTES = 512 * 1024 * 1024;
/** Far more than a busy machine takes. */
const PATIENCE_MS = 25_000;

const open: Decoder[] = [];
const decoder = (...given: Parameters<typeof createDecoder>) => {
  const made = createDecoder(...given);
  open.push(made);
  return made;
};
const decode = ({ decode }: Decoder, bytes: Buffer) =>
  decode({ size: bytes.length, isSquare: false }, Readable.from([bytes]));

afterEach(() => {
  for (const made of open.splice(0)) made.end();
});

test('a picture that takes too long ends the process, and the next picture is decoded', async () => {
  const hasty = decoder(workerUrl, 300);
  await expect(decode(hasty, long)).rejects.toMatchObject({ why: 'heavy' });
  // On a busy machine it takes more than one try.
  const next = await until(() => decode(hasty, small).catch(() => null));
  expect(next).toMatchObject({ width: 9, height: 9, format: 'png' });
});

test('ending the process rejects the current picture, and the next one starts a new process', async () => {
  const ended = decoder(workerUrl);
  await decode(ended, small);
  const working = decode(ended, long);
  ended.end();
  await expect(working).rejects.toMatchObject({ why: 'heavy' });
  expect(await decode(ended, small)).toMatchObject({ width: 9 });
});

test('a picture that takes too much memory ends the process, and the next picture is decoded', async () => {
  const kept = decoder(workerUrl, PATIENCE_MS);
  const piece = Buffer.alloc(4 * 1024 * 1024, 1);
  let given = 0;
  const endless = async function* () {
    for (; given < MEMORY_MAX_BYTES * 2; given += piece.length) yield piece;
  };
  const job = { size: Number.MAX_SAFE_INTEGER, isSquare: false };
  await expect(kept.decode(job, endless())).rejects.toMatchObject({ why: 'heavy' });
  expect(given).toBeLessThan(MEMORY_MAX_BYTES * 2);
  expect(await decode(kept, small)).toMatchObject({ width: 9 });
});

test('an error while reading the input rejects that picture only', async () => {
  const kept = decoder(workerUrl);
  const broken = async function* () {
    yield small.subarray(0, 10);
    throw new Error('the disk is gone');
  };
  await expect(kept.decode({ size: small.length, isSquare: false }, broken())).rejects.toThrow('the disk is gone');
  expect(await decode(kept, small)).toMatchObject({ width: 9 });
});

test('a process that does not start is reported once, and not started again for each picture', async () => {
  const told: unknown[] = [];
  events.reportTo((error) => told.push(error));
  const missing = decoder(new URL('./missing.mjs', workerUrl));
  for (let i = 0; i < 5; i++) await expect(decode(missing, small)).rejects.toMatchObject({ status: 503 });
  expect(told).toHaveLength(1);
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the process ends when the server is killed', async () => {
  const file = JSON.stringify(fileURLToPath(workerUrl));
  const code = `const child = require('node:child_process').spawn(process.execPath, [${file}], { stdio: ['pipe', 'pipe', 'ignore', 'ipc'] });
    child.once('message', () => console.log(child.pid))`;
  const server = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  server.kill('SIGKILL');
  await until(async () => !isAlive(pid));
});

test.runIf(process.platform === 'linux')(
  'the process has no environment variables of the server, and is the first to be killed when memory is low',
  async () => {
    process.env.SECRET_OF_THE_TEST = 'x';
    const kept = decoder(workerUrl);
    await decode(kept, small);
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const pid = children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('picture-worker'));
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('SECRET_OF_THE_TEST');
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  },
);

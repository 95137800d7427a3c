import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltCommand, buildCommand } from '#test/workers';

let built: BuiltCommand;
let dataDir: string;

beforeAll(async () => {
  built = await buildCommand('main');
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-main-'));
});
afterAll(() => Promise.all([built.remove(), rm(dataDir, { recursive: true, force: true })]));

/** Starts the server in a process of its own, as a service manager does. */
function start(env: Record<string, string>) {
  const options = { env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', ...env } };
  return new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, [built.file], options, (error, _out, err) => resolve({ code: error?.code, err }));
  });
}

test.each([
  ['mongodb://127.0.0.1:1/parley', 'Nothing listens at 127.0.0.1:1, where MONGODB_URI leads.'],
  ['mongodb://127.0.0.1/parley?colour=red', 'MONGODB_URI is not the address of a database: '],
])('with a wrong address of the database (%s) it ends with one sentence for the operator', async (uri, sentence) => {
  const { code, err } = await start({ MONGODB_URI: uri });
  expect([code, err]).toEqual([1, expect.stringContaining(`Parley cannot start. ${sentence}`)]);
  expect(err.trim().split('\n')).toHaveLength(1);
});

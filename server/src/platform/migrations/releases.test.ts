import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServer } from '#test/harness';
import { look, makeRelease, packRelease, readRelease, storedReleases, unpackRelease } from '#test/storedRelease';
import { DATA_VERSION, LAST_RELEASE } from './steps.ts';

/** Stores the data folder of this code under this name: at each release (see CONTRIBUTING.md). */
const { STORE_RELEASE } = process.env;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.each(storedReleases())('people see of the data of release %s what they saw then', async (name) => {
  const { at, seen } = readRelease(name);
  const dataDir = unpackRelease(name);
  folders.push(dataDir);
  const server = await startServer({ dataDir, mongodbUri: null });
  const now = await look(server, seen, at).finally(server.stop);
  for (const [i, one] of seen.entries()) expect(now[i]).toMatchObject(one);
});

test('the last release is stored', () => {
  expect(Math.max(...storedReleases().map((name) => readRelease(name).dataVersion))).toBe(LAST_RELEASE);
});

test.runIf(STORE_RELEASE)('the data folder of this release is stored', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-release-'));
  folders.push(dataDir);
  const env = { dataDir, mongodbUri: null };
  const server = await startServer(env);
  const looks = await makeRelease(server).finally(server.stop);
  // Stopping and starting do not change what people see.
  const again = await startServer(env);
  const at = Date.now();
  const seen = await look(again, looks, at).finally(again.stop);
  packRelease(STORE_RELEASE ?? '', dataDir, { dataVersion: DATA_VERSION, at, seen });
});

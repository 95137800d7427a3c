import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { builtWorker } from '#test/workers';
import { StoreError, startStore } from './index.ts';
import { freshFolder, openStore } from './testing.ts';

/** A process of its own that writes without end and says what was acknowledged. */
const WRITER = `
import mongoose from 'mongoose';
import { startStore } from './index.ts';
const [dataDir, worker, size] = process.argv.slice(2);
const store = await startStore({ dataDir, workerUrl: new URL(worker) });
const client = await new mongoose.mongo.MongoClient(store.uri).connect();
const items = client.db().collection('items');
await items.createIndex({ key: 1 }, { unique: true });
await items.createIndex({ group: 1, n: -1 });
const [newest] = await items.find().sort({ _id: -1 }).limit(1).toArray();
const first = newest ? newest.n + 1 : 0;
let next = first;
const write = async () => {
  for (;;) {
    const n = next++;
    const insert = items.insertOne({ _id: n, n, key: 'k' + n, group: n % 7, text: 'x'.repeat(Number(size)) });
    const bump = items.updateOne({ _id: n - first > 40 ? n - 40 : -1 }, { $inc: { group: 1 }, $set: { moved: true } });
    await Promise.all([insert, bump]);
    console.log('acked ' + n);
  }
};
const refused = (error) => console.log('refused ' + error.code + ' ' + error.message);
await Promise.all(Array.from({ length: 20 }, () => write().catch(refused)));
const docs = await items.find().toArray();
console.log('alive ' + docs.length + ' ' + (await items.countDocuments()));
await client.close();
await store.stop();
`;
/** Processes are started one after the other, on a machine that may be busy. */
const STORE_DIR = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/parley/', import.meta.url));

let script: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  script = join(CACHE, `writer-${process.pid}.mjs`);
  mkdirSync(CACHE, { recursive: true });
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile: script } as const;
  await build({ ...options, stdin: { contents: WRITER, resolveDir: STORE_DIR, loader: 'ts' } });
});
afterAll(() => rmSync(script, { force: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function writer(dataDir: string, size: number, limit = 'unlimited') {
  const command = `ulimit -f ${limit}; exec "${process.execPath}" "${script}" "${dataDir}" "${await builtWorker('store/worker')}" ${size}`;
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { child, ended, lines: createInterface({ input: child.stdout }) };
}

/** Opens the data, checks that documents, entries and counts agree, and gives the documents. */
async function checked(dataDir: string) {
  const open = await openStore(dataDir);
  try {
    const items = open.db.collection('items');
    const docs = await items.find().hint({ _id: 1 }).toArray();
    expect(await items.estimatedDocumentCount()).toBe(docs.length);
    for (const hint of [{ key: 1 }, { group: 1, n: -1 }] as const) {
      const entries = await items.find().hint(hint).toArray();
      expect(entries).toHaveLength(docs.length);
      const { executionStats } = await items.find().hint(hint).explain('executionStats');
      expect(executionStats.totalKeysExamined).toBe(docs.length);
    }
    return docs;
  } finally {
    await open.client.close();
    await open.store.stop();
  }
}

describe('acknowledged writes are kept', () => {
  test('after kill -9 in the middle of writes, repeatedly', async () => {
    const dataDir = freshFolder();
    const acked = new Set<number>();
    for (const stopAfter of [1, 150, 700]) {
      const { child, ended, lines } = await writer(dataDir, 50);
      let left = stopAfter;
      for await (const line of lines) {
        expect(line).toMatch(/^acked /);
        acked.add(Number(line.split(' ')[1]));
        if (--left === 0) child.kill('SIGKILL');
      }
      await ended;
      const docs = await checked(dataDir);
      const stored = new Set(docs.map(({ n }) => n));
      expect([...acked].filter((n) => !stored.has(n))).toEqual([]);
    }
    expect(acked.size).toBeGreaterThanOrEqual(851);
  });

  test('when the disk is full: new writes are refused, reading works, and the data is intact', async () => {
    const dataDir = freshFolder();
    const { ended, lines } = await writer(dataDir, 60_000, '16384');
    const said: string[] = [];
    for await (const line of lines) said.push(line);
    await ended;
    const count = (word: string) => said.filter((line) => line.startsWith(word)).length;
    expect(count('acked')).toBeGreaterThan(50);
    expect(count('refused')).toBe(20);
    expect(said.find((line) => line.startsWith('refused'))).toContain('refused 14031 The disk is full');
    const docs = await checked(dataDir);
    expect(said.at(-1)).toBe(`alive ${docs.length} ${docs.length}`);
    const stored = new Set(docs.map(({ n }) => n));
    const lost = said.filter((line) => line.startsWith('acked') && !stored.has(Number(line.split(' ')[1])));
    expect(lost).toEqual([]);
  });
});

describe('one process owns the folder', () => {
  const start = async (dataDir: string) => startStore({ dataDir, workerUrl: await builtWorker('store/worker') });

  test('a second start is refused and names the owner', async () => {
    const dataDir = freshFolder();
    const store = await start(dataDir);
    const second = start(dataDir);
    await expect(second).rejects.toThrow(StoreError);
    await expect(second).rejects.toThrow(`is in use by process ${process.pid} (started 20`);
    await expect(second).rejects.toThrow('Stop it first, or set DATA_DIR to another folder.');
    await store.stop();
    await (await start(dataDir)).stop();
  });

  test('of several concurrent starts exactly one succeeds', async () => {
    const dataDir = freshFolder();
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => start(dataDir)));
    const won = starts.filter((one) => one.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const one of won) await one.value.stop();
  });

  test('a lock of a dead process is ignored, although another process has its number now', async () => {
    const dataDir = freshFolder();
    mkdirSync(join(dataDir, 'store'), { recursive: true });
    const dead = { token: 'dead', pid: process.pid, startedAt: 'once', guard: join(dataDir, 'store', 'dead.own') };
    for (const content of [JSON.stringify(dead), '', '{"tok']) {
      writeFileSync(join(dataDir, 'store', 'owner.json'), content);
      await (await start(dataDir)).stop();
    }
    expect(readdirSync(join(dataDir, 'store')).sort()).toEqual(['data.mdb', 'lock.mdb']);
  });

  test('a data folder that is a file or not writable is refused with a clear message', async () => {
    const dataDir = freshFolder();
    writeFileSync(join(dataDir, 'file'), '');
    await expect(start(join(dataDir, 'file'))).rejects.toThrow(/is not a folder/);
    if (process.getuid?.() === 0) return; // root may write everywhere
    chmodSync(dataDir, 0o555);
    await expect(start(join(dataDir, 'data'))).rejects.toThrow(/cannot write to the data folder/);
    chmodSync(dataDir, 0o755);
  });

  test('the data is not readable for other users, also in an existing folder', async () => {
    if (process.platform === 'win32') return;
    const dataDir = freshFolder();
    const folder = join(dataDir, 'store');
    const mode = (path: string) => statSync(path).mode & 0o777;
    mkdirSync(folder, { mode: 0o755 });
    const open = await openStore(dataDir);
    await open.db.collection('x').insertOne({ a: 1 });
    await open.close();
    const again = await openStore(dataDir);
    expect([mode(folder), mode(join(folder, 'data.mdb'))]).toEqual([0o700, 0o600]);
    await again.close();
  });

  test('a path too long for a socket works', async () => {
    const dataDir = join(freshFolder(), 'a'.repeat(120));
    const open = await openStore(dataDir);
    await open.db.collection('x').insertOne({ a: 1 });
    expect(await open.db.collection('x').countDocuments()).toBe(1);
    await open.close();
  });

  test('an unexpected end of the thread is reported, a requested one is not', async () => {
    const dataDir = freshFolder();
    const store = await start(dataDir);
    let told: Error | undefined;
    store.failed.then((reason) => {
      told = reason;
    });
    await store.stop();
    expect(told).toBeUndefined();
    const early = `throw new Error('out of order')`;
    const broken = startStore({ dataDir, workerUrl: new URL(`data:text/javascript,${early}`) });
    await expect(broken).rejects.toThrow(/cannot be opened: out of order/);
    const sign = join(dataDir, 'break');
    const late = `import { existsSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      parentPort.postMessage({ state: 'ready' });
      setInterval(() => { if (existsSync(${JSON.stringify(sign)})) throw new Error('broke down'); }, 5);`;
    const breaking = await startStore({
      dataDir,
      workerUrl: new URL(`data:text/javascript,${encodeURIComponent(late)}`),
    });
    writeFileSync(sign, '');
    expect((await breaking.failed).message).toBe('broke down');
    await breaking.stop();
    await (await start(dataDir)).stop();
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { builtWorker, IN_ONE_FILE } from '#test/workers';
import { invertKey, valueKey } from './bson/keys.ts';
import { type Doc, encode } from './bson/values.ts';
import { openFile } from './storage/trees.ts';
import { freshFolder, openStore } from './testing.ts';

/** A process of its own that does one long piece of work, and says when it begins and ends. */
const WORK = `
import mongoose from 'mongoose';
import { compactStore, startStore } from './index.ts';
const [what, dataDir, worker] = process.argv.slice(2);
const begun = () => console.log('begun');
if (what === 'compaction') {
  begun();
  await compactStore(dataDir);
} else {
  const tell = what === 'upgrade' ? begun : () => {};
  const store = await startStore({ dataDir, workerUrl: new URL(worker), tell });
  if (what === 'index') {
    const client = await new mongoose.mongo.MongoClient(store.uri).connect();
    const items = client.db().collection('items');
    if (await items.indexExists('words_1')) await items.dropIndex('words_1');
    begun();
    await items.createIndex({ words: 1 });
    await client.close();
  }
  await store.stop();
}
console.log('ended');
process.exit();
`;
/** How often each is killed: `npm run test:store -- --kills 100` asks for more. */
const KILLS = Number(process.env.STORE_KILLS ?? 2);
const DOCUMENTS = 4_000;
/** Processes are started one after the other, on a machine that may be busy. */
const KILL_MS = 60_000;
const STORE_DIR = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/parley/', import.meta.url));

let script: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  script = join(CACHE, `work-${process.pid}.mjs`);
  mkdirSync(CACHE, { recursive: true });
  const stdin = { contents: WORK, resolveDir: STORE_DIR, loader: 'ts' } as const;
  await build({ ...IN_ONE_FILE, stdin, outfile: script, logLevel: 'error' });
});
afterAll(() => rmSync(script, { force: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const item = (n: number) => ({ _id: n, key: `k${n}`, group: n % 7, words: [`w${n % 100}`, `v${n}`] });

/**
 * A folder as an older format had it. In both, all was in one tree, and `_id`s that run down were turned around; in the first, spaces
 * took five bytes, and every entry ended with the document's key and two bytes of its length.
 */
async function oldFolder(format: 1 | 2): Promise<string> {
  const dataDir = freshFolder();
  const file = openFile(join(dataDir, 'store'));
  const space = (kind: number, id: number) => Buffer.from(format === 1 ? [kind, 0, 0, 0, id] : [kind, 0, id]);
  const index = (id: number, key: Doc, options: Doc) => ({
    id,
    multikey: false,
    cut: false,
    spec: { v: 2, key, ...options },
  });
  const indexes = [
    index(2, { key: 1 }, { name: 'key_1', unique: true }),
    index(3, { group: 1, _id: -1 }, { name: 'groups' }),
  ];
  const put = (parts: Buffer[], value: Buffer = Buffer.alloc(0)) => file.putSync(Buffer.concat(parts), value);
  file.transactionSync(() => {
    put([Buffer.from('\0format')], encode({ format }));
    put([Buffer.from('\x01parley.items')], encode({ id: 1, count: DOCUMENTS, cutIds: false, indexes }));
    for (let n = 0; n < DOCUMENTS; n++) {
      const id = valueKey(n);
      const key = [space(3, 2), valueKey(`k${n}`)];
      const group = [space(3, 3), valueKey(n % 7), invertKey(id)];
      put([space(2, 1), id], encode(item(n)));
      if (format === 1) for (const fields of [key, group]) put([...fields, id, Buffer.from([0, id.length])]);
      else {
        put(key, id);
        put([...group, Buffer.from([id.length])]);
      }
    }
  });
  await file.close();
  return dataDir;
}

/** Starts the work, and kills it so long after it has begun; without that it ends. Gives how long it took from its beginning on. */
async function work(what: string, dataDir: string, killAfterMs?: number): Promise<number> {
  const worker = await builtWorker('store/worker');
  const child = spawn(process.execPath, [script, what, dataDir, worker.href], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let began = performance.now();
  let tookMs = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    tookMs = performance.now() - began;
    if (line !== 'begun') continue;
    began = performance.now();
    if (killAfterMs !== undefined) sleep(killAfterMs).then(() => child.kill('SIGKILL'));
  }
  await ended;
  return tookMs;
}

async function checked(dataDir: string): Promise<void> {
  const { db, close } = await openStore(dataDir);
  const items = db.collection<Doc>('items');
  expect(await items.find().toArray()).toEqual(Array.from({ length: DOCUMENTS }, (_, n) => item(n)));
  expect(await db.command({ validate: 'items' })).toMatchObject({ errors: [], valid: true });
  expect(await items.countDocuments({ key: `k${DOCUMENTS - 1}` })).toBe(1);
  const newest = await items.find({ group: 3 }).hint('groups').limit(2).toArray();
  expect(newest.map(({ _id }) => _id)).toEqual([3_993, 3_986]);
  await close();
}

/** Kills at moments that lie evenly over the time that the work takes, and a little beyond. */
async function killed(what: string, dataDir: string, prepare: () => void): Promise<void> {
  const wholeMs = await work(what, dataDir);
  for (let i = 0; i < KILLS; i++) {
    prepare();
    // what a killed process left is found by the next one
    await work(what, dataDir, (wholeMs * 1.1 * i) / KILLS);
    await work(what, dataDir, (wholeMs * 1.1 * ((i * 7) % KILLS)) / KILLS);
    await checked(dataDir);
  }
}

test.each(['compaction', 'index'])(
  'kill -9 in the middle of the work loses no data: %s',
  async (what) => {
    const dataDir = await oldFolder(2);
    await work('upgrade', dataDir);
    await killed(what, dataDir, () => {});
  },
  KILL_MS * (KILLS + 1),
);

test.each([1, 2] as const)(
  'kill -9 during the upgrade of a folder of format %i loses no data',
  async (format) => {
    const dataDir = await oldFolder(format);
    const file = join(dataDir, 'store/data.mdb');
    const old = join(freshFolder(), 'data.mdb');
    copyFileSync(file, old);
    await killed('upgrade', dataDir, () => copyFileSync(old, file));
  },
  KILL_MS * (KILLS + 1),
);

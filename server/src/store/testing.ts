import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'bson';
import mongoose from 'mongoose';
import { builtWorker } from '#test/workers';
import { createEngine, type Engine } from './engine.ts';
import { type Store, startStore } from './index.ts';
import { Queue } from './queue.ts';
import { jobOf } from './server.ts';
import { openLmdb } from './storage/lmdb.ts';
import { type Storage, StorageError } from './storage/storage.ts';

export type Client = InstanceType<typeof mongoose.mongo.MongoClient>;
export type Db = ReturnType<Client['db']>;

export interface OpenStore {
  store: Store;
  client: Client;
  db: Db;
  dataDir: string;
  /** Closes the client and stops the store. */
  close(): Promise<void>;
}

/** With STORE_SLICE_WORK=0 the same tests run with the shortest slices, so that every command gives way wherever it may. */
export const SLICE_WORK = process.env.STORE_SLICE_WORK === undefined ? undefined : Number(process.env.STORE_SLICE_WORK);

const folders: string[] = [];

/** Removes the folders of `freshFolder`. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A new data folder, removed after the tests of the file (by `server/test/setup.ts`). */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(folder);
  return folder;
}

/** Starts a store on a folder and connects a driver to it. */
export async function openStore(dataDir = freshFolder()): Promise<OpenStore> {
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker'), sliceWork: SLICE_WORK });
  const client = await new mongoose.mongo.MongoClient(store.uri).connect();
  const close = async () => {
    await client.close();
    await store.stop();
  };
  return { store, client, db: client.db(), dataDir, close };
}

type Doc = Record<string, unknown>;

/** A store without thread and socket. Tests can make commands arrive in the same turn and count transactions. */
export interface BareStore {
  engine: Engine;
  queue: Queue;
  /** Sends a command, which begins in the next turn. Commands sent in one turn arrive together. */
  ask(body: Doc): Promise<Doc>;
  /** How many transactions there were so far. */
  transactions(): number;
  /** Makes the next write of the storage fail, as if the disk had failed. */
  breakNextWrite(): void;
  /** Makes each read take this long from now on, as on a busy processor. */
  slowDown(ms: number): void;
  close(): Promise<void>;
}

/** Opens a store without thread and socket on a folder. With `sliceWork` 0, every command gives way after each step. */
export function openBare(sliceWork?: number, folder = freshFolder(), now?: () => Date): BareStore {
  const lmdb = openLmdb(folder);
  let transactions = 0;
  let breaks = false;
  let slowness = 0;
  const storage: Storage = Object.assign(Object.create(lmdb), {
    transact<T>(work: () => T): T {
      transactions++;
      return lmdb.transact(work);
    },
    get(key: Buffer) {
      for (const end = performance.now() + slowness; performance.now() < end; );
      return lmdb.get(key);
    },
    put(key: Buffer, value: Buffer) {
      if (breaks) {
        breaks = false;
        throw new StorageError('input/output error');
      }
      lmdb.put(key, value);
    },
  });
  const engine = createEngine(storage, { ...(now && { now }), ...(sliceWork !== undefined && { sliceWork }) });
  const queue = new Queue(engine);
  const ask = (body: Doc) =>
    new Promise<Doc>((resolve, reject) => {
      const request = { id: 1, legacy: false, silent: false, body: Buffer.from(serialize({ ...body, $db: 'db' })) };
      const answer = (bytes: Buffer) => {
        const doc = deserialize(bytes);
        if (doc.ok === 1) resolve(doc);
        else reject(Object.assign(new Error(doc.errmsg), doc));
      };
      queue.add(jobOf(engine, { ...request, sequences: [] }, answer, () => false));
    });
  return {
    engine,
    queue,
    ask,
    transactions: () => transactions,
    breakNextWrite() {
      breaks = true;
    },
    slowDown(ms) {
      slowness = ms;
    },
    async close() {
      await queue.close();
      await lmdb.close();
    },
  };
}

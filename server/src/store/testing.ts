import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll } from 'vitest';
import { builtWorker } from '../../test/workers.ts';
import { type Store, startStore } from './index.ts';

export type Client = InstanceType<typeof mongoose.mongo.MongoClient>;
export type Db = ReturnType<Client['db']>;

export interface OpenStore {
  store: Store;
  client: Client;
  db: Db;
  dataDir: string;
  /** Ends client and store. */
  close(): Promise<void>;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder for data, removed when the tests of the file are over. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(folder);
  return folder;
}

/** Starts a store on a folder and connects a driver to it. */
export async function openStore(dataDir = freshFolder()): Promise<OpenStore> {
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  const client = await new mongoose.mongo.MongoClient(store.uri).connect();
  const close = async () => {
    await client.close();
    await store.stop();
  };
  return { store, client, db: client.db(), dataDir, close };
}

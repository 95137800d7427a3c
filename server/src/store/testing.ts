import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { storeWorker } from '../../test/storeWorker.ts';
import { type Store, startStore } from './index.ts';

export type Client = InstanceType<typeof mongoose.mongo.MongoClient>;
export type Db = ReturnType<Client['db']>;

export interface OpenStore {
  store: Store;
  client: Client;
  db: Db;
  dataDir: string;
  /** Ends client and store and removes the data. */
  close(): Promise<void>;
}

/** A fresh folder for data. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'store-'));
}

/** Starts a store on a folder and connects a driver to it. */
export async function openStore(dataDir = freshFolder()): Promise<OpenStore> {
  const store = await startStore({ dataDir, workerUrl: await storeWorker() });
  const client = await new mongoose.mongo.MongoClient(store.uri).connect();
  const close = async () => {
    await client.close();
    await store.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { store, client, db: client.db(), dataDir, close };
}

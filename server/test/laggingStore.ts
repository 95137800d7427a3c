import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { startStore } from '../src/store/index.ts';
import type { Document } from './wireMessages.ts';
import { builtWorker } from './workers.ts';

const { MongoClient } = mongoose.mongo;
type Db = mongoose.mongo.Db;

const NAME = 'parley';
/** Documents as they are, whatever JavaScript makes of their types. */
const AS_STORED = { promoteValues: false };

/** What the secondaries of a replica set have, in a store of their own. */
export interface LaggingStore {
  /** Takes over all that the primary has now. */
  catchUp(): Promise<void>;
  /** Makes the primary what this store is: all that was written there since is undone. */
  rollBack(): Promise<void>;
  /** Answers a command that reads. */
  read(command: Document): Promise<Document>;
  stop(): Promise<void>;
}

/** Starts one, empty. @param primaryUri the address of the primary's store */
export async function startLaggingStore(primaryUri: string): Promise<LaggingStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-lagging-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  const clients = await Promise.all([primaryUri, store.uri].map((uri) => MongoClient.connect(uri)));
  const [primary, own] = clients.map((client) => client.db(NAME)) as [Db, Db];
  return {
    catchUp: () => copy(primary, own),
    rollBack: () => copy(own, primary),
    read: ({ lsid, $db, txnNumber, readConcern, ...command }) => own.command(command, AS_STORED),
    async stop() {
      for (const client of clients) await client.close();
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes a database the same as another: what only it has is deleted. */
async function copy(from: Db, to: Db): Promise<void> {
  const collections = [...(await from.collections()), ...(await to.collections())];
  for (const name of new Set(collections.map(({ collectionName }) => collectionName))) {
    const documents = await from.collection(name).find({}, AS_STORED).toArray();
    const indexes = await from
      .collection(name)
      .indexes()
      .catch(() => []);
    await to.collection(name).deleteMany({});
    // The same names and options, so that a hint finds its index here, too.
    if (indexes.length > 0) await to.command({ createIndexes: name, indexes });
    if (documents.length > 0) await to.collection(name).insertMany(documents);
  }
}

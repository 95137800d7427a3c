import mongoose, { type mongo } from 'mongoose';
import type { Env } from '../env.ts';
import { borrowStore } from '../store/index.ts';
import { MaintenanceError } from './faults.ts';

/** How long a database may be silent before a command gives up looking for it. */
const SELECTION_MAX_MS = 8_000;

/** A database for one command. */
export interface OpenDatabase {
  db: mongo.Db;
  /** The embedded store of a server that runs: others write in it. */
  shared: boolean;
  close(): Promise<void>;
}

/**
 * The database of the settings: the operator's MongoDB, or the embedded store, of a server that runs or opened for the time being.
 * @param make an embedded store is made where there is none
 * @throws StoreError with a sentence
 */
export async function openOwn(env: Env, workerUrl: URL, { make = false } = {}): Promise<OpenDatabase> {
  if (env.mongodbUri !== null) return openAt(env.mongodbUri);
  const { uri, stop, shared } = await borrowStore({ dataDir: env.dataDir, workerUrl, make });
  try {
    const { db, close } = await openAt(uri);
    return { db, shared, close: () => close().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The database at an address.
 * @throws UpkeepError for an address that is none
 */
export async function openAt(uri: string): Promise<OpenDatabase> {
  if (!/^mongodb(\+srv)?:\/\//.test(uri))
    throw new MaintenanceError('The address must begin with mongodb:// or mongodb+srv://.');
  const isPatient = /[?&]serverSelectionTimeoutMS=/i.test(uri);
  const client = new mongoose.mongo.MongoClient(uri, {
    ...(isPatient ? {} : { serverSelectionTimeoutMS: SELECTION_MAX_MS }),
    writeConcern: { w: 'majority', journal: true },
  });
  await client.connect();
  return { db: client.db(), shared: false, close: () => client.close() };
}

import mongoose, { type mongo } from 'mongoose';
import type { Env } from '#platform/env';
import { openStoreForCommand } from '#store';
import { MaintenanceError } from './errors.ts';

/** How long a command waits for a database that does not answer, in milliseconds. */
const SELECTION_MAX_MS = 8_000;

/** A database that is open for one command. */
export interface OpenDatabase {
  db: mongo.Db;
  /** It is the embedded store of a running server, so others may write to it meanwhile. */
  shared: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database of the settings: the operator's MongoDB, or the embedded store. If a server runs the store, the command
 * connects to that one; otherwise it starts the store until it ends.
 * @param make creates an embedded store if there is none
 * @throws StoreError with a sentence
 */
export async function openConfiguredDatabase(env: Env, workerUrl: URL, { make = false } = {}): Promise<OpenDatabase> {
  if (env.mongodbUri !== null) return openAt(env.mongodbUri);
  const { uri, stop, shared } = await openStoreForCommand({ dataDir: env.dataDir, workerUrl, make });
  try {
    const { db, close } = await openAt(uri);
    return { db, shared, close: () => close().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Opens the database at a MongoDB address.
 * @throws MaintenanceError for an invalid address
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

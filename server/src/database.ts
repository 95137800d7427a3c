import type { Collection, mongo, Schema } from 'mongoose';
import { connection, openConnection, sendCommandsTo } from './connection.ts';
import type { Env } from './env.ts';
import { openStoreForCommand, startStore } from './store/index.ts';
import { connectToStore } from './storeConnection.ts';
import type { Disk } from './usage/watch.ts';

/** What a feature stores in the database. */
export interface Collections {
  /** Their indexes are created on start. */
  models: { collection: Collection; schema: Pick<Schema, 'indexes'> }[];
  /**
   * What is still inserted when the disk is nearly full, by collection name: all documents, or those with these fields.
   * These are log-ins, deletions, and their audit entries and mails, so that people can free space from inside the product.
   * Updates and deletes are always allowed.
   */
  inReserve: Record<string, object>;
  /** Indexes of older versions that no query uses any more, by collection name: they are dropped. */
  droppedIndexes: Record<string, string[]>;
}

/** After this long without an answer from the store, a call fails with `UNAVAILABLE`. */
const STORE_SILENT_MAX_MS = 8_000;
/** No timeout: an index that an upgrade adds is built over all existing data, and the store sends nothing meanwhile. */
const FOR_EVER = 0;

const POOL_CHECK_EVERY_MS = 60_000;

/** The connected database: the embedded one or the operator's. */
export interface Database {
  /** Resolves with the reason if the embedded store dies unexpectedly. */
  failed: Promise<Error>;
  /** Whether the database answers a ping. */
  answers(): Promise<boolean>;
  /** The storage engine, its size in bytes, and the disk it is on (null: the database does not report it). */
  storage: { engine: 'embedded' | 'mongodb'; bytes(): Promise<number>; disk(): Promise<Disk | null> };
  stop(): Promise<void>;
}

/** What a connection takes besides the settings. */
interface DatabaseOptions {
  workerUrl: URL;
  features: Partial<Collections>[];
  tell: (sentence: string) => void;
  /** After this long without an answer, a call fails with `UNAVAILABLE`. */
  silentMaxMs?: number | undefined;
}

const NO_SUCH_INDEX = 27;

/**
 * Connects to the operator's MongoDB, or starts the embedded store and connects to it; then creates the indexes of all
 * features.
 * @param tell receives a progress sentence when a step takes long
 * @throws StoreError with a sentence for the operator
 */
export async function connectDatabase(
  env: Env,
  { workerUrl, features, tell, silentMaxMs = STORE_SILENT_MAX_MS }: DatabaseOptions,
): Promise<Database> {
  const embedded =
    env.mongodbUri === null
      ? await startStore({
          dataDir: env.dataDir,
          workerUrl,
          tell,
          reserve: {
            bytes: env.diskReserve,
            inserts: Object.assign({}, ...features.map(({ inReserve }) => inReserve)),
          },
        })
      : null;
  const direct = embedded && connectToStore(embedded.socketPath, silentMaxMs);
  const stop = async () => {
    sendCommandsTo(null);
    direct?.close();
    await connection().close();
    await embedded?.stop();
  };
  try {
    const uri = env.mongodbUri ?? embedded?.uri ?? '';
    await connect(uri, FOR_EVER);
    for (const feature of features) await makeIndexes(feature);
    await connection().close();
    await connect(uri, silentMaxMs);
    if (direct) sendCommandsTo(direct);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    failed: embedded?.failed ?? new Promise(() => {}),
    answers,
    storage: embedded
      ? { engine: 'embedded', bytes: () => embedded.bytes(), disk }
      : { engine: 'mongodb', bytes: mongodbBytes, disk },
    stop,
  };
}

/**
 * Connects for one short command: to the store of a running server, or to one opened for the command. It creates no indexes
 * and repairs nothing.
 * @returns a disposer
 * @throws StoreError with a sentence for the operator
 */
export async function openDatabaseForCommand(env: Env, workerUrl: URL): Promise<() => Promise<void>> {
  const embedded = env.mongodbUri === null ? await openStoreForCommand({ dataDir: env.dataDir, workerUrl }) : null;
  const leave = async () => {
    await connection().close();
    await embedded?.stop();
  };
  try {
    await connect(env.mongodbUri ?? embedded?.uri ?? '');
    return leave;
  } catch (error) {
    await leave();
    throw error;
  }
}

async function makeIndexes({ models = [], droppedIndexes = {} }: Partial<Collections>): Promise<void> {
  for (const { schema, collection } of models) {
    // One command per collection: a start sends a third as many commands, and an upgrade scans the collection only once.
    const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
    if (indexes.length > 0) await collection.createIndexes(indexes);
  }
  for (const [name, indexes] of Object.entries(droppedIndexes)) {
    for (const index of indexes) await dropIndex(connection().collection(name), index);
  }
}

async function dropIndex(collection: Collection, index: string): Promise<void> {
  await collection.dropIndex(index).catch((error) => {
    if (error.code !== NO_SUCH_INDEX) throw error;
  });
}

async function connect(uri: string, silentMaxMs = STORE_SILENT_MAX_MS): Promise<void> {
  await openConnection(uri, {
    serverSelectionTimeoutMS: STORE_SILENT_MAX_MS,
    socketTimeoutMS: silentMaxMs,
    writeConcern: { w: 'majority', journal: true },
    // Whatever the address says: a secondary may not have yet what was just acknowledged.
    readPreference: 'primary',
  });
  calmPools();
}

/** Private fields of the driver. */
interface DriverInside {
  topology?: { s: { servers: Map<string, { pool: { options: object } }> } };
}

/**
 * Slows down the driver's pool check. It runs ten times a second to keep a minimum of connections, which is zero here; the
 * driver does not pass the option for its interval on.
 */
function calmPools(): void {
  const { topology } = connection().getClient() as DriverInside;
  for (const { pool } of topology?.s.servers.values() ?? [])
    pool.options = { ...pool.options, minPoolSizeCheckFrequencyMS: POOL_CHECK_EVERY_MS };
}

async function disk(): Promise<Disk | null> {
  const stats = await connection().db?.command({ dbStats: 1 });
  const [used, total] = [Number(stats?.fsUsedSize), Number(stats?.fsTotalSize)];
  return total > 0 ? { used, total } : null;
}

async function mongodbBytes(): Promise<number> {
  const stats = await connection().db?.command({ dbStats: 1 });
  return Number(stats?.totalSize ?? 0);
}

async function answers(): Promise<boolean> {
  const ping = connection().db?.command({ ping: 1 });
  return (await ping?.then(() => true).catch(() => false)) ?? false;
}

import type { Collection, mongo, Schema } from 'mongoose';
import { connection, openConnection } from './connection.ts';
import type { Env } from './env.ts';
import { borrowStore, startStore } from './store/index.ts';
import type { Disk } from './usage/watch.ts';

/** What a feature keeps in the database. */
export interface Collections {
  /** Their indexes are made at the start. */
  models: { collection: Collection; schema: Pick<Schema, 'indexes'> }[];
  /**
   * What is still added to a disk that is nearly full, so that it can be undone from inside, by the names of collections: all
   * documents, or those with these fields. Log-ins, deletions, what is noted down and mailed about them. Changes and removals
   * pass anyway.
   */
  inReserve: Record<string, object>;
  /** Indexes of older versions that nothing asks any more, by the names of collections. */
  droppedIndexes: Record<string, string[]>;
}

/** How long a store may be silent before a call is answered `UNAVAILABLE`. */
const STORE_SILENT_MAX_MS = 8_000;
/** An index that an upgrade adds is built over all that there is, which the store does in silence. */
const FOR_EVER = 0;

const POOL_CHECK_EVERY_MS = 60_000;

/** The connected database, embedded or the operator's. */
export interface Database {
  /** Resolves with the reason if the embedded store dies by itself. */
  failed: Promise<Error>;
  /** Whether it answers a ping. */
  answers(): Promise<boolean>;
  /** What keeps the data, how much room it takes, and the disk it is on (null: the database does not say). */
  storage: { engine: 'embedded' | 'mongodb'; bytes(): Promise<number>; disk(): Promise<Disk | null> };
  stop(): Promise<void>;
}

const NO_SUCH_INDEX = 27;

/**
 * Connects to the operator's MongoDB, or to the embedded store, which it starts; makes the indexes of all features.
 * @param tell is given a sentence when something takes a while
 * @throws StoreError with a sentence
 */
export async function connectDatabase(
  env: Env,
  { workerUrl, features, tell }: { workerUrl: URL; features: Partial<Collections>[]; tell: (sentence: string) => void },
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
  const stop = async () => {
    await connection().close();
    await embedded?.stop();
  };
  try {
    const uri = env.mongodbUri ?? embedded?.uri ?? '';
    await connect(uri, FOR_EVER);
    for (const feature of features) await makeIndexes(feature);
    await connection().close();
    await connect(uri);
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
 * Connects for one short command, to the store of a server that runs or to one opened for it. Makes and repairs nothing.
 * @returns a disposer
 * @throws StoreError with a sentence
 */
export async function borrowDatabase(env: Env, workerUrl: URL): Promise<() => Promise<void>> {
  const embedded = env.mongodbUri === null ? await borrowStore({ dataDir: env.dataDir, workerUrl }) : null;
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
    // All of a collection's in one command: a start asks a third as often, and an upgrade reads what there is once.
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
  });
  calmPools();
}

/** What the driver keeps to itself. */
interface DriverInside {
  topology?: { s: { servers: Map<string, { pool: { options: object } }> } };
}

/**
 * The driver looks ten times a second whether a pool has fewer connections than it is to have at least, which is none here.
 * How often is an option that it does not let through.
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

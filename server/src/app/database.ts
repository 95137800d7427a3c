import { randomUUID } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import type { Disk } from '#features/usage';
import { createLeases, type Lease, singleNodeLeases } from '#platform/cluster';
import { bypassDriver, connection, connectToStore, patchDriver, probeDatabase } from '#platform/database';
import type { Env } from '#platform/env';
import {
  readSchema,
  requireReadable,
  requireSchema,
  type StepContext,
  upgradeData,
  upgradeLater,
} from '#platform/migrations';
import { openReader, openStoreForCommand, startStore } from '#store';

/** What a feature stores in the database. */
export interface Collections {
  /**
   * What is still inserted when the disk is nearly full, by collection name: all documents, or those with these fields.
   * These are log-ins, deletions, and their audit entries and mails, so that people can free space from inside the product.
   * Updates and deletes are always allowed.
   */
  inReserve: Record<string, object>;
}

/** After this long without an answer from the store, a call fails with `UNAVAILABLE`. */
const STORE_SILENT_MAX_MS = 8_000;
const OPTIONS = {
  serverSelectionTimeoutMS: STORE_SILENT_MAX_MS,
  writeConcern: { w: 'majority', journal: true },
  // A primary that is cut off takes writes that no majority has, and that are rolled back: nobody reads them.
  readConcern: { level: 'majority' },
  // Overrides the address: a secondary may lag behind a write that was acknowledged.
  readPreference: 'primary',
} satisfies mongo.MongoClientOptions;
/** No timeout: an index that an upgrade adds is built over all existing data, and the store sends nothing meanwhile. */
const NO_TIMEOUT = 0;
/** The right to change the form of the stored data. */
const LEASE = 'migrations';

/** The connected database: the embedded one or the operator's. */
export interface Database {
  /** Resolves with the reason if the embedded store dies unexpectedly. */
  failed: Promise<Error>;
  /** Whether the database answers a ping. */
  answers(): Promise<boolean>;
  /** The storage engine, its size in bytes, and the disk it is on (null: the database does not report it). */
  storage: { engine: 'embedded' | 'mongodb'; bytes(): Promise<number>; disk(): Promise<Disk | null> };
  /**
   * Changes of the stored data wait until nodes of earlier versions have ended: starts looking for that, and ends it.
   * Null: there are none.
   */
  upgradeLater: ((lease: Lease, failed: (error: unknown) => void) => () => Promise<void>) | null;
  stop(): Promise<void>;
}

/** What a connection takes besides the settings. */
interface DatabaseOptions {
  workerUrl: URL;
  features: Partial<Collections>[];
  log: (sentence: string) => void;
  seal: StepContext['seal'];
  /** After this long without an answer, a call fails with `UNAVAILABLE`. */
  silentMaxMs?: number | undefined;
  /** The interval at which other nodes say that they are there. */
  beatEveryMs?: number | undefined;
}

/**
 * Connects to the operator's MongoDB, or starts the embedded store and connects to it; then brings the stored data and the
 * indexes to what this version needs.
 * @param log receives a progress sentence when a step takes long
 * @throws StoreError with a sentence for the operator
 */
export async function connectDatabase(
  env: Env,
  { workerUrl, features, log, seal, silentMaxMs = STORE_SILENT_MAX_MS, beatEveryMs }: DatabaseOptions,
): Promise<Database> {
  const embedded =
    env.mongodbUri === null
      ? await startStore({
          dataDir: env.dataDir,
          workerUrl,
          log,
          reserve: {
            bytes: env.diskReserve,
            inserts: Object.assign({ schema: {} }, ...features.map(({ inReserve }) => inReserve)),
          },
        })
      : null;
  const direct = embedded && {
    commands: connectToStore(embedded.socketPath, silentMaxMs),
    reader: openReader(embedded.path),
  };
  const stop = async () => {
    bypassDriver(null);
    direct?.commands.close();
    await direct?.reader.close();
    await connection.close();
    await embedded?.stop();
  };
  const uri = env.mongodbUri ?? embedded?.uri ?? '';
  let isUpToDate: boolean;
  try {
    if (!embedded) await probe(uri, silentMaxMs, log);
    await connect(uri, NO_TIMEOUT);
    isUpToDate = await upgradeAtStart(embedded === null, { beatEveryMs, log, seal });
    await connection.close();
    await connect(uri, silentMaxMs);
    if (direct) bypassDriver(direct);
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
    upgradeLater: isUpToDate
      ? null
      : (lease, failed) =>
          upgradeLater(
            {
              models: models(),
              log,
              seal,
              failed,
              takeLease: () => lease.take(),
              open: () => new mongoose.mongo.MongoClient(uri, { ...OPTIONS, socketTimeoutMS: NO_TIMEOUT }).connect(),
            },
            beatEveryMs,
          ),
    stop,
  };
}

/** Brings up the data before anything else reads it. @returns whether nothing is left for later */
async function upgradeAtStart(
  isShared: boolean,
  { beatEveryMs, ...steps }: Pick<DatabaseOptions, 'beatEveryMs' | 'log' | 'seal'>,
): Promise<boolean> {
  const leases = isShared ? createLeases(randomUUID()) : singleNodeLeases;
  const takeLease = () => leases.lease(LEASE).take();
  try {
    return await upgradeData({ db: database(), models: models(), ...steps, takeLease }, isShared ? beatEveryMs : null);
  } finally {
    await leases.stop();
  }
}

/** All that were made by `defineModel`, so that none can lack its indexes. */
const models = () => Object.values(connection.models);

/** Looks once more whether this version may use the data. @throws StoreError if another version has changed it meanwhile */
export async function requireReadableData(): Promise<void> {
  const schema = await readSchema(database());
  if (schema) requireReadable(schema);
}

function database(): mongo.Db {
  const { db } = connection;
  if (!db) throw new mongoose.mongo.MongoNotConnectedError('There is no connection to the database.');
  return db;
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
    await connection.close();
    await embedded?.stop();
  };
  try {
    await connect(env.mongodbUri ?? embedded?.uri ?? '');
    await requireSchema(database());
    return leave;
  } catch (error) {
    await leave();
    throw error;
  }
}

async function connect(uri: string, silentMaxMs = STORE_SILENT_MAX_MS): Promise<void> {
  await connection.openUri(uri, { ...OPTIONS, socketTimeoutMS: silentMaxMs });
  patchDriver(connection.getClient());
}

/** Looks whether the operator's database has what Parley needs. @throws StoreError with a sentence for the operator */
function probe(uri: string, silentMaxMs: number, log: (sentence: string) => void): Promise<void> {
  const serverSelectionTimeoutMS = Math.min(silentMaxMs, STORE_SILENT_MAX_MS);
  return probeDatabase(uri, { ...OPTIONS, serverSelectionTimeoutMS, socketTimeoutMS: silentMaxMs }, log);
}

async function disk(): Promise<Disk | null> {
  const stats = await connection.db?.command({ dbStats: 1 });
  const [used, total] = [Number(stats?.fsUsedSize), Number(stats?.fsTotalSize)];
  return total > 0 ? { used, total } : null;
}

async function mongodbBytes(): Promise<number> {
  const stats = await connection.db?.command({ dbStats: 1 });
  return Number(stats?.totalSize ?? 0);
}

async function answers(): Promise<boolean> {
  const ping = connection.db?.command({ ping: 1 });
  return (await ping?.then(() => true).catch(() => false)) ?? false;
}

import { createHash, randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { connection } from '../src/platform/database/index.ts';

/** A MongoDB of the tests' own. */
interface TestMongodb {
  uri: string;
  stop(): Promise<void>;
}

/** The databases of servers that a test starts again, to be dropped after the file. */
const kept = new Set<string>();

/**
 * A real MongoDB where the environment names one (`TEST_MONGODB_URI`, or the `mongod` of `MONGOMS_SYSTEM_BINARY`), with a
 * database of this server's own; null: the embedded store does.
 * @param dataDir a folder of the test's own: a server that is started again on it finds its database again
 */
export async function realMongodb(dataDir: string = randomUUID()): Promise<TestMongodb | null> {
  const database = `parley_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const { TEST_MONGODB_URI, MONGOMS_SYSTEM_BINARY } = process.env;
  if (TEST_MONGODB_URI) {
    const uri = inDatabase(TEST_MONGODB_URI, database);
    kept.add(uri);
    return { uri, stop: async () => {} };
  }
  if (!MONGOMS_SYSTEM_BINARY) return null;
  const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
  const set = await MongoMemoryReplSet.create({ replSet: { count: 1 } });
  return { uri: set.getUri(database), stop: async () => void (await set.stop()) };
}

/** Drops the databases of a test file. */
export async function dropDatabases(): Promise<void> {
  for (const uri of kept) {
    const client = await new mongoose.mongo.MongoClient(uri).connect();
    await client.db().dropDatabase();
    await client.close();
  }
  kept.clear();
}

/** The same address with another database. Not by `URL`, which knows no address with several hosts. */
function inDatabase(address: string, database: string): string {
  const [, servers = '', given, query] = address.match(/^([^/]+:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/) ?? [];
  const options = new URLSearchParams(query);
  // Otherwise the password would be looked up in the new database.
  if (servers.includes('@') && !options.has('authSource')) options.set('authSource', given || 'admin');
  return `${servers}/${database}?${options}`;
}

/**
 * Skips a test of how queries are carried out on a database whose indexes have no order: it sorts every list, and that it does is
 * not for Parley to mend. The embedded store and MongoDB read in the order of the ids.
 */
export async function needPlans(skip: (note: string) => void): Promise<void> {
  const byId = connection.db?.collection('users').find().sort({ _id: 1 });
  if (JSON.stringify(await byId?.explain('queryPlanner')).includes('"SORT"'))
    skip('the indexes of this database have no order');
}

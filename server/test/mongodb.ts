import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

/** A MongoDB of the tests' own. */
interface TestMongodb {
  uri: string;
  stop(): Promise<void>;
}

/**
 * A real MongoDB where the environment names one (`TEST_MONGODB_URI`, or the `mongod` of `MONGOMS_SYSTEM_BINARY`), with a
 * database of this test file's own; null: the embedded store does.
 */
export async function realMongodb(): Promise<TestMongodb | null> {
  const database = `parley_${randomUUID().slice(0, 8)}`;
  const { TEST_MONGODB_URI, MONGOMS_SYSTEM_BINARY } = process.env;
  if (TEST_MONGODB_URI) {
    const uri = inDatabase(TEST_MONGODB_URI, database);
    return { uri, stop: () => drop(uri) };
  }
  if (!MONGOMS_SYSTEM_BINARY) return null;
  const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
  const set = await MongoMemoryReplSet.create({ replSet: { count: 1 } });
  return { uri: set.getUri(database), stop: async () => void (await set.stop()) };
}

async function drop(uri: string): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  await client.db().dropDatabase();
  await client.close();
}

/** The same address with another database. Not by `URL`, which knows no address with several hosts. */
function inDatabase(address: string, database: string): string {
  const [, servers = '', given, query] = address.match(/^([^/]+:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/) ?? [];
  const options = new URLSearchParams(query);
  // Otherwise the password would be looked up in the new database.
  if (servers.includes('@') && !options.has('authSource')) options.set('authSource', given || 'admin');
  return `${servers}/${database}?${options}`;
}

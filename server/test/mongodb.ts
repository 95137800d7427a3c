import { randomUUID } from 'node:crypto';

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
    const uri = new URL(TEST_MONGODB_URI);
    uri.pathname = `/${database}`;
    return { uri: uri.href, stop: async () => {} };
  }
  if (!MONGOMS_SYSTEM_BINARY) return null;
  const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
  const set = await MongoMemoryReplSet.create({ replSet: { count: 1 } });
  return { uri: set.getUri(database), stop: async () => void (await set.stop()) };
}

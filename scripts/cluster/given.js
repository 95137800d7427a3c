// Servers that the caller names by address: the tests use a database of their own on them, and delete it afterwards.
import { createClient } from '@redis/client';
import { startRelay } from './relay.js';

const REDIS_PORT = 6379;
/** Redis has 16 databases unless it is set up otherwise. The first one is left to others. */
const DATABASES = Array.from({ length: 15 }, (_, i) => i + 1);
/** Which of them are taken stands in the first one, so that a test finds no key but the product's in its own. */
const MARK = 'parley:tests';
const TAKEN_S = 3_600;

/**
 * Takes an empty database of a running Redis. Connections go through a relay, which can be cut as if Redis were gone.
 * @param {string} address
 * @throws Error with a sentence if every database has data
 */
export async function takeRedis(address) {
  const { hostname, port } = new URL(address);
  const database = await emptyDatabase(address);
  const relay = await startRelay(() => ({ host: hostname, port: Number(port || REDIS_PORT) }));
  const near = new URL(inDatabase(address, database));
  near.host = `127.0.0.1:${relay.port}`;
  return {
    url: near.href,
    down: async () => relay.cut(true),
    up: async () => relay.cut(false),
    async stop() {
      await relay.stop();
      await asking(inDatabase(address, database), (redis) => redis.flushDb());
      await asking(inDatabase(address, 0), (redis) => redis.del(`${MARK}:${database}`));
    },
  };
}

/** @param {string} address @returns {Promise<number>} */
async function emptyDatabase(address) {
  for (const database of DATABASES) {
    const isEmpty = await asking(inDatabase(address, database), async (redis) => (await redis.dbSize()) === 0);
    // Tests in other processes look for one, too.
    const taken = {
      expiration: { type: /** @type {const} */ ('EX'), value: TAKEN_S },
      condition: /** @type {const} */ ('NX'),
    };
    const isOurs = () => asking(inDatabase(address, 0), (redis) => redis.set(`${MARK}:${database}`, 'taken', taken));
    if (isEmpty && (await isOurs())) return database;
  }
  throw new Error('The tests need an empty database of Redis, and all of 1 to 15 have data.');
}

/** @param {string} address @param {number} database */
function inDatabase(address, database) {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * @template Result
 * @param {string} url @param {(redis: ReturnType<typeof createClient>) => Promise<Result>} work
 */
async function asking(url, work) {
  const redis = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  await redis.connect();
  try {
    return await work(redis);
  } finally {
    redis.destroy();
  }
}

// What it costs to sign the entries that nodes write into Redis, and to check them, measured on entries that they have written.
import { createClient } from '@redis/client';
import { build } from 'esbuild';

const SAMPLE = 1_000;
const ROUNDS = 50;

/** Loads the product's own code for entries. */
async function loadEntries() {
  const entryPoints = ['server/src/platform/cluster/entries.ts'];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', platform: 'node' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/**
 * Counts the entries written into the stream of the nodes on a Redis.
 * @param {string} url
 */
export async function watchEntries(url) {
  const redis = createClient({ url, RESP: 2 });
  await redis.connect();
  const [key] = await redis.keys('parley:*:events');
  const added = async () => (await redis.xInfoStream(key))['entries-added'];
  const before = await added();
  return {
    /** @returns how many were written since, and the newest of them */
    async end() {
      const count = (await added()) - before;
      const newest = await redis.xRevRange(key, '+', '-', { COUNT: SAMPLE });
      redis.destroy();
      return { count, sample: newest.map(({ message }) => message) };
    },
  };
}

/**
 * Compares signed entries with those without a signature.
 * @param {Record<string, string>[]} sample of Redis @returns in µs for an entry: to write it, and to read it, with and without
 */
export async function signingCost(sample) {
  const { plainEntries, signedEntries } = await loadEntries();
  const decoded = sample.map((sent) => plainEntries.decode(sent));
  const costOf = (entries) => {
    const sent = decoded.map((entry) => entries.encode(entry));
    return { write: usEach(decoded, entries.encode), read: usEach(sent, entries.decode) };
  };
  return { signed: costOf(signedEntries('a secret', 'bench')), plain: costOf(plainEntries) };
}

/** @param {unknown[]} all @param {(one: any) => unknown} work */
function usEach(all, work) {
  const round = () => all.forEach((one) => void work(one));
  round();
  const from = process.cpuUsage();
  for (let i = 0; i < ROUNDS; i++) round();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / (ROUNDS * all.length);
}

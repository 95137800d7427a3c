// npm run test:cluster [-- --mongodb-uri mongodb://… --redis-url redis://…]: the tests of several nodes, with the embedded store and
// a Redis of their own, or on servers given by address, where they create databases and drop them again.
// With `-- --from REF`: a rolling update from that commit or tag to the present code, while people write.
import { parseArgs } from 'node:util';
import { fail } from './setup.js';

const options = { 'mongodb-uri': { type: 'string' }, 'redis-url': { type: 'string' }, from: { type: 'string' } };
const { 'mongodb-uri': mongodbUri, 'redis-url': redisUrl, from } = parseArgs({ options }).values;
const isWrong =
  (mongodbUri !== undefined && !/^mongodb(\+srv)?:\/\//.test(mongodbUri)) ||
  (redisUrl !== undefined && !/^redis:\/\//.test(redisUrl));
if (isWrong) fail('npm run test:cluster -- --mongodb-uri mongodb://… --redis-url redis://…');
if (mongodbUri !== undefined) process.env.TEST_MONGODB_URI = mongodbUri;
if (redisUrl !== undefined) process.env.TEST_REDIS_URL = redisUrl;
// The tests in a browser kill the store and cut its wires, so they always have a store of their own.
const isOwn = mongodbUri === undefined && redisUrl === undefined;
const which = ['server/src/platform/cluster', ...(isOwn ? ['e2e/cluster.test.ts'] : [])];
const update = ['--config', 'e2e/chaos/vitest.config.ts', 'e2e/chaos/update.chaos.ts'];
if (from !== undefined) process.env.UPDATE_FROM = from;
const args = from === undefined ? ['--project', 'server', '--project', 'e2e', ...which] : update;
process.argv.splice(2, process.argv.length, ...args);
await import('./test.js');

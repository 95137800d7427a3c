// npm run test:cluster [-- --mongodb-uri mongodb://… --redis-url redis://…]: the tests of several nodes, with the embedded store and
// a Redis of their own, or on servers given by address, where they create databases and drop them again.
import { parseArgs } from 'node:util';
import { fail } from './setup.js';

const options = { 'mongodb-uri': { type: 'string' }, 'redis-url': { type: 'string' } };
const { 'mongodb-uri': mongodbUri, 'redis-url': redisUrl } = parseArgs({ options }).values;
const isWrong =
  (mongodbUri !== undefined && !/^mongodb(\+srv)?:\/\//.test(mongodbUri)) ||
  (redisUrl !== undefined && !/^redis:\/\//.test(redisUrl));
if (isWrong) fail('npm run test:cluster -- --mongodb-uri mongodb://… --redis-url redis://…');
if (mongodbUri !== undefined) process.env.TEST_MONGODB_URI = mongodbUri;
if (redisUrl !== undefined) process.env.TEST_REDIS_URL = redisUrl;
// The tests in a browser kill the store and cut its wires, so they always have a store of their own.
const isOwn = mongodbUri === undefined && redisUrl === undefined;
const which = ['server/src/cluster', ...(isOwn ? ['e2e/cluster.test.ts'] : [])];
process.argv.splice(2, process.argv.length, '--project', 'server', '--project', 'e2e', ...which);
await import('./test.js');

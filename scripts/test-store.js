// npm run test:store [-- --uri mongodb://…]: tests the semantics that the app relies on, with the embedded store or with another
// server, on which it creates a database and drops it again. With --kills N: kill -9, N times each, during an upgrade of the
// store, while it is compacted, and while an index is built.
import { parseArgs } from 'node:util';
import { fail } from './setup.js';

const options = { uri: { type: 'string' }, kills: { type: 'string' } };
const { uri, kills } = parseArgs({ options }).values;
if (uri !== undefined && !/^mongodb(\+srv)?:\/\//.test(uri)) fail('npm run test:store -- --uri mongodb://…');
if (uri !== undefined) process.env.STORE_URI = uri;
if (kills !== undefined) process.env.STORE_KILLS = kills;
const which = kills === undefined ? 'server/test/semantics' : 'server/src/store/kills.test.ts';
process.argv.splice(2, process.argv.length, '--project', 'server', which);
await import('./test.js');

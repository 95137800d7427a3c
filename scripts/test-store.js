// npm run test:store [-- --uri mongodb://…]: what the driver's users may rely on, asked of the embedded store or of another
// database, in which a database of its own is made and dropped again. With --kills N: kill -9 so often in the middle of
// an upgrade of the store, of compacting it, and of building an index.
import { parseArgs } from 'node:util';
import { fail } from './ready.js';

const options = { uri: { type: 'string' }, kills: { type: 'string' } };
const { uri, kills } = parseArgs({ options }).values;
if (uri !== undefined && !/^mongodb(\+srv)?:\/\//.test(uri)) fail('npm run test:store -- --uri mongodb://…');
if (uri !== undefined) process.env.STORE_URI = uri;
if (kills !== undefined) process.env.STORE_KILLS = kills;
const which = kills === undefined ? 'server/test/semantics' : 'server/src/store/kills.test.ts';
process.argv.splice(2, process.argv.length, '--project', 'server', which);
await import('./test.js');

// npm run test:store [-- --uri mongodb://…]: what the driver's users may rely on, asked of the embedded store or of another
// database, in which a database of its own is made and dropped again.
import { parseArgs } from 'node:util';
import { fail } from './ready.js';

const options = { uri: { type: 'string' } };
const { uri } = parseArgs({ options }).values;
if (uri !== undefined && !/^mongodb(\+srv)?:\/\//.test(uri)) fail('npm run test:store -- --uri mongodb://…');
if (uri !== undefined) process.env.STORE_URI = uri;
process.argv.splice(2, process.argv.length, '--project', 'server', 'server/test/semantics');
await import('./test.js');

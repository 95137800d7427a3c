// npm run test:engine -- mongodb://…: all tests of the server on a database given by address (MongoDB, or another engine with its protocol),
// where they create databases and drop them again. Only the tests of the embedded store are left out.
import { fail } from './setup.js';

const [uri = '', ...files] = process.argv.slice(2);
if (!/^mongodb(\+srv)?:\/\//.test(uri)) fail('npm run test:engine -- mongodb://… [server/src/features/search]');
process.env.TEST_MONGODB_URI = uri;
process.argv.splice(2, process.argv.length, '--project', 'server', '--exclude', 'server/src/store/**', ...files);
await import('./test.js');

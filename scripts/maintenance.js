// npm run db:NAME and npm run store:uri: commands for the data, for the person who runs the server; server/src/maintenance.ts says which.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, loadSettings, ROOT, requireNode } from './setup.js';

requireNode();
process.chdir(ROOT);
// No build here: it would replace the files of a server that is running.
if (!existsSync(join(ROOT, 'server/dist/maintenance.js')))
  fail('Parley is not built yet: npm start, or npm run build.');
loadSettings();
process.setSourceMapsEnabled(true);
await import('../server/dist/maintenance.js');

// npm run db:NAME and npm run store:uri: what whoever runs the server does with its data; server/src/upkeep.ts says which.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, loadSettings, ROOT, requireNode } from './ready.js';

requireNode();
process.chdir(ROOT);
// Nothing is built here: a server that runs would lose its files below its feet.
if (!existsSync(join(ROOT, 'server/dist/upkeep.js'))) fail('Parley is not built yet: npm start, or npm run build.');
loadSettings();
process.setSourceMapsEnabled(true);
await import('../server/dist/upkeep.js');

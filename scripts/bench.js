// npm run bench -- NAME: runs bench/NAME.js on the current build.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, fail, ROOT, requireNode } from './setup.js';

const name = process.argv[2] ?? '';
const known = readdirSync(join(ROOT, 'bench'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -3));

requireNode();
process.chdir(ROOT);
if (!known.includes(name)) fail(`Name a benchmark: npm run bench -- ${known.join(' | ')}`);
ensureInstalled();
ensureBuilt();
await import(`../bench/${name}.js`);

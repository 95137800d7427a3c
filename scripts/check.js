// npm run check: all checks that do not run the product. Each gate is one file in scripts/check/ and returns a list of
// problems. All gates run, and their problems are printed.
import { bytes } from './check/bytes.js';
import { cycles } from './check/cycles.js';
import { docs } from './check/docs.js';
import { house } from './check/house.js';
import { imports } from './check/imports.js';
import { length } from './check/length.js';
import { lock } from './check/lock.js';
import { regexps } from './check/regexps.js';
import { size } from './check/size.js';
import { texts } from './check/texts.js';
import { biome, knip, types } from './check/tools.js';
import { ensureBuilt, ensureInstalled, ROOT, requireNode } from './setup.js';

const GATES = { types, biome, knip, imports, cycles, docs, house, length, size, regexps, texts, lock, bytes };

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();

const only = process.argv.slice(2);
const outcomes = [];
for (const [name, gate] of Object.entries(GATES)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const started = performance.now();
  const { problems, notes = [] } = await gate();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const note of notes) console.log(`    ${note}`);
  for (const problem of problems) console.log(`  ✗ ${problem}`);
  outcomes.push(problems.length);
}

const failed = outcomes.filter((problems) => problems > 0).length;
console.log(
  failed === 0 ? `check: all ${outcomes.length} gates pass` : `check: ${failed} of ${outcomes.length} gates fail`,
);
process.exitCode = failed === 0 ? 0 : 1;

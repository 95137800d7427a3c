// npm run chaos [-- NAME | --seed N --steps N]: tests the delivery of messages under faults. Without a name: thousands of random
// steps; the printed seed repeats them. With a name: the fault in e2e/chaos/NAME.chaos.ts. `all`: each of them. `late`: the browser
// tests, on a server whose answers are late at random.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, ROOT } from './setup.js';

const ENDING = '.chaos.ts';
const LATE_MS = 1_000;
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, steps: { type: 'string', default: '2000' } },
  allowPositionals: true,
});
const known = readdirSync(join(ROOT, 'e2e/chaos'))
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));
const [name = 'history'] = positionals;
if (![...known, 'all', 'late'].includes(name))
  fail(`Name a fault: npm run chaos -- ${[...known, 'all', 'late'].join(' | ')}`);

if (values.seed !== undefined) process.env.CHAOS_SEED = values.seed;
process.env.CHAOS_STEPS = values.steps;
process.env.LATE_MS = name === 'late' ? `${LATE_MS}` : '';
const files = name === 'all' ? [] : [`e2e/chaos/${name}${ENDING}`];
const which = name === 'late' ? ['--project=e2e'] : ['--config', 'e2e/chaos/vitest.config.ts', ...files];
process.argv.splice(2, process.argv.length, ...which);
await import('./test.js');

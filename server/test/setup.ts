// Runs before each test file, also of files that share a process.
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { removeFolders } from '../src/store/testing.ts';
import { dropDatabases } from './mongodb.ts';

const SEED = 2_026;

// The same inputs in every run: what fails is the change at hand. `npm run fuzz` looks elsewhere each time.
if (process.env.FUZZ_RUNS === undefined) fc.configureGlobal({ seed: SEED });
afterAll(removeFolders);
afterAll(dropDatabases);

// What Node only warns of is a fault: a timer of a negative time, listeners that nobody removes, a call that Node will lose.
const warnings: string[] = [];
const note = ({ name, stack }: Error) => void (name !== 'ExperimentalWarning' && warnings.push(stack ?? name));
process.on('warning', note);
afterAll(() => {
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

// Runs before each test file, also of files that share a process.
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { removeFolders } from '../src/store/testing.ts';

const SEED = 2_026;

// The same inputs in every run: what fails is the change at hand. `npm run fuzz` looks elsewhere each time.
if (process.env.FUZZ_RUNS === undefined) fc.configureGlobal({ seed: SEED });
afterAll(removeFolders);

import fc from 'fast-check';

const SEED = 2_026;

// The same inputs in every run: what fails is the change at hand. `npm run fuzz` looks elsewhere each time.
if (process.env.FUZZ_RUNS === undefined) fc.configureGlobal({ seed: SEED });

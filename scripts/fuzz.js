// npm run fuzz [-- RUNS]: hostile input for every call and event, RUNS times each; a failure prints its seed.
process.env.FUZZ_RUNS = process.argv[2] ?? '300';
process.argv.splice(2, process.argv.length, '--project', 'server', 'server/test/fuzz');
await import('./test.js');

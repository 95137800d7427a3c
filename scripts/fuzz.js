// npm run fuzz [-- RUNS [MINUTES]]: hostile input for every call and event, RUNS times each; a failure prints its seed. It
// also measures what every slow kind of input costs, at every door, for MINUTES for each kind of door at the most.
const [runs = '300', minutes = '2'] = process.argv.slice(2);
process.env.FUZZ_RUNS = runs;
process.env.FUZZ_MINUTES = minutes;
process.argv.splice(2, process.argv.length, '--project', 'server', 'server/test/fuzz');
await import('./test.js');

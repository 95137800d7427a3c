// npm run fuzz [-- RUNS [MINUTES]]: random and hostile input for every call and event, RUNS times each; a failure prints its seed.
// It also measures input that may be slow to handle, for at most MINUTES each for HTTP and for sockets.
const [runs = '300', minutes = '2'] = process.argv.slice(2);
process.env.FUZZ_RUNS = runs;
process.env.FUZZ_MINUTES = minutes;
process.argv.splice(2, process.argv.length, '--project', 'server', 'server/test/fuzz');
await import('./test.js');

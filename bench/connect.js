// npm run bench -- connect [CLIENTS]: everybody comes back at once (2,000 unless told), as after a restart: how long until the last
// one is in and has caught up, against a bare relay.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuEachUs, cpuMs, moveLoad } from './tools/cores.js';
import { median, percentile, report } from './tools/figures.js';
import { startSides } from './tools/sides.js';

const CLIENTS = Number(process.argv[3] ?? 2_000);
const ROUNDS = 5;
/** Until the connections of the round before are gone. */
const PAUSE_MS = 2_000;

moveLoad();
const { sides, stop } = await startSides();
try {
  const rights = [];
  for (const side of sides) rights.push(await side.visitors(CLIENTS));
  const rounds = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, side] of sides.entries()) rounds[at].push(await comeBack(side, rights[at]));
  const [bare, parley] = rounds.map((of) => (name) => median(of.map((round) => round[name])));
  report(`${CLIENTS} clients at once, half of them back`, parley('half'), bare('half'), 'ms');
  report(`${CLIENTS} clients at once, the last one back`, parley('last'), bare('last'), 'ms');
  report('processor time of one coming back, all threads', parley('all'), bare('all'), 'µs');
} finally {
  await stop();
}
process.exit();

async function comeBack(side, rights) {
  const before = cpuMs(side.pid);
  const began = performance.now();
  const back = await Promise.all(
    rights.map(async (right) => ({ ...(await side.come(right)), ms: performance.now() - began })),
  );
  const times = back.map(({ ms }) => ms);
  const used = cpuEachUs(side.pid, before, rights.length);
  for (const { line } of back) line.close();
  await sleep(PAUSE_MS);
  return { half: percentile(times, 0.5), last: Math.max(...times), ...used };
}

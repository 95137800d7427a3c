// npm run bench -- latency [PER_SECOND]: how long a visitor's message takes to the agent at a fixed rate (1,000 a second unless
// told), durable before anybody hears of it, against a bare relay.
import { cpuEachUs, cpuMs, moveLoad } from './tools/cores.js';
import { median, report } from './tools/figures.js';
import { atRate, gather } from './tools/load.js';
import { startSides } from './tools/sides.js';

const RATE = Number(process.argv[3] ?? 1_000);
const VISITORS = 300;
const ROUNDS = 5;
const ROUND_MS = 5_000;
const WARM_UP_MS = 2_000;

moveLoad();
const { sides, stop } = await startSides();
try {
  const crowds = [];
  for (const side of sides) crowds.push(await gather(side, VISITORS));
  for (const crowd of crowds) await atRate(crowd, RATE, WARM_UP_MS);
  const rounds = crowds.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, crowd] of crowds.entries()) {
      const before = cpuMs(crowd.side.pid);
      const times = await atRate(crowd, RATE, ROUND_MS);
      rounds[at].push({ ...times, ...cpuEachUs(crowd.side.pid, before, times.sent) });
    }
  const [bare, parley] = rounds.map((of) => (name) => median(of.map((round) => round[name])));
  report(`visitor to agent at ${RATE}/s, p50`, parley('p50'), bare('p50'), 'ms', { atMost: 6 });
  report(`visitor to agent at ${RATE}/s, p99`, parley('p99'), bare('p99'), 'ms', { atMost: 10 });
  report('processor time of a message, all threads', parley('all'), bare('all'), 'µs');
} finally {
  await stop();
}
process.exit();

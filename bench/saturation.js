// npm run bench -- saturation [VISITORS]: messages a second when every visitor sends as soon as the message before is
// acknowledged, which is when it is durable, against a bare relay. The server's main thread has one processor; the other is
// shared by the load and, with Parley, the store's thread. What a message takes of processors is the steadiest figure.
import { cpuEachUs, cpuMs, moveLoad } from './tools/cores.js';
import { median, report } from './tools/figures.js';
import { gather, saturate } from './tools/load.js';
import { startSides } from './tools/sides.js';

const VISITORS = Number(process.argv[3] ?? 300);
const ROUNDS = 5;
const ROUND_MS = 4_000;
const WARM_UP_MS = 2_000;

moveLoad();
const { sides, stop } = await startSides();
try {
  const crowds = [];
  for (const side of sides) crowds.push(await gather(side, VISITORS));
  for (const crowd of crowds) await saturate(crowd, WARM_UP_MS);
  const rounds = crowds.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, crowd] of crowds.entries()) {
      const before = cpuMs(crowd.side.pid);
      const { count, seconds } = await saturate(crowd, ROUND_MS);
      rounds[at].push({ rate: count / seconds, ...cpuEachUs(crowd.side.pid, before, count) });
    }
  const [bare, parley] = rounds.map((of) => (name) => median(of.map((round) => round[name])));
  report('messages acknowledged', parley('rate'), bare('rate'), '/s', { atLeast: 0.3 });
  report('processor time of a message, main thread', parley('main'), bare('main'), 'µs');
  report('processor time of a message, all threads', parley('all'), bare('all'), 'µs');
} finally {
  await stop();
}
process.exit();

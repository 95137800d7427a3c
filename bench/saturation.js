// npm run bench -- saturation [VISITORS] [plain]: messages a second when every visitor sends as soon as the message before is
// acknowledged (which is when it is durable), against a relay that stores nothing. The texts vary, and an agent reads and
// answers some chats; `plain` is one constant text without answers. The server's main thread has one processor; the load and,
// with Parley, the store's thread share the other. The processor time of a message varies least between runs.
import { cpuMs, cpuUsPerItem, pinLoadGenerator } from './tools/cpu.js';
import { connectVisitors, saturate } from './tools/load.js';
import { median, report } from './tools/statistics.js';
import { startTargets } from './tools/targets.js';

const VISITORS = Number(process.argv[3] ?? 300);
const plain = process.argv[4] === 'plain';
const ROUNDS = 5;
const ROUND_MS = 4_000;
const WARM_UP_MS = 2_000;

pinLoadGenerator();
const { targets, stop } = await startTargets();
try {
  const crowds = [];
  for (const target of targets) crowds.push(await connectVisitors(target, VISITORS, { plain }));
  for (const crowd of crowds) await saturate(crowd, WARM_UP_MS);
  const rounds = crowds.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, crowd] of crowds.entries()) {
      const before = cpuMs(crowd.target.pid);
      const { count, seconds } = await saturate(crowd, ROUND_MS);
      rounds[at].push({ rate: count / seconds, ...cpuUsPerItem(crowd.target.pid, before, count) });
    }
  const [relay, parley] = rounds.map((of) => (name) => median(of.map((round) => round[name])));
  report('messages acknowledged', parley('rate'), relay('rate'), '/s', { atLeast: 0.3 });
  report('processor time of a message, main thread', parley('main'), relay('main'), 'µs', { atMost: 3.5 });
  report('processor time of a message, all threads', parley('all'), relay('all'), 'µs');
  console.log(`  of it the store's thread: ${Math.round(parley('store'))} µs`);
} finally {
  await stop();
}
process.exit();

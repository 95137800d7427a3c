// npm run bench -- latency [PER_SECOND] [plain]: how long a visitor's message takes to reach the agent at a fixed rate (default
// 1,000 a second), durable before anybody gets it, against a relay that stores nothing. The texts vary, and an agent reads and
// answers some chats; `plain` is one constant text without answers.
import { cpuMs, cpuUsPerItem, pinLoadGenerator } from './tools/cpu.js';
import { connectVisitors, sendAtRate } from './tools/load.js';
import { median, report } from './tools/statistics.js';
import { startTargets } from './tools/targets.js';

const RATE = Number(process.argv[3] ?? 1_000);
const plain = process.argv[4] === 'plain';
const VISITORS = 300;
const ROUNDS = 5;
const ROUND_MS = 5_000;
const WARM_UP_MS = 2_000;

pinLoadGenerator();
const { targets, stop } = await startTargets();
try {
  const crowds = [];
  for (const target of targets) crowds.push(await connectVisitors(target, VISITORS, { plain }));
  for (const crowd of crowds) await sendAtRate(crowd, RATE, WARM_UP_MS);
  const rounds = crowds.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, crowd] of crowds.entries()) {
      const before = cpuMs(crowd.target.pid);
      const times = await sendAtRate(crowd, RATE, ROUND_MS);
      rounds[at].push({ ...times, ...cpuUsPerItem(crowd.target.pid, before, times.messages) });
    }
  const [relay, parley] = rounds.map((of) => (name) => median(of.map((round) => round[name])));
  report(`visitor to agent at ${RATE}/s, p50`, parley('p50'), relay('p50'), 'ms', { atMost: 6 });
  report(`visitor to agent at ${RATE}/s, p99`, parley('p99'), relay('p99'), 'ms', { atMost: 10 });
  report('processor time of a message, main thread', parley('main'), relay('main'), 'µs');
  report('processor time of a message, all threads', parley('all'), relay('all'), 'µs');
  console.log(`  of it the store's thread: ${Math.round(parley('store'))} µs`);
} finally {
  await stop();
}
process.exit();

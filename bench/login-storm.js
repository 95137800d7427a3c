// npm run bench -- login-storm [PER_SECOND]: how long messages take to reach the agent during twenty log-ins a second, each of
// which hashes a password, against the same messages without. Nothing is pinned, so that the hashing thread finds a free processor.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectVisitors, sendAtRate } from './tools/load.js';
import { median, report } from './tools/statistics.js';
import { MEMBER, startTargets } from './tools/targets.js';

const RATE = Number(process.argv[3] ?? 200);
const LOG_INS_PER_SECOND = 20;
const VISITORS = 100;
const ROUNDS = 5;
const ROUND_MS = 5_000;
const WARM_UP_MS = 2_000;

const { parley, stop } = await startTargets({ pinned: false });
try {
  const crowd = await connectVisitors(parley, VISITORS);
  await sendAtRate(crowd, RATE, WARM_UP_MS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const calm = await sendAtRate(crowd, RATE, ROUND_MS);
    const logIns = startLogIns();
    const storm = await sendAtRate(crowd, RATE, ROUND_MS);
    rounds.push({ calm: calm.p99, storm: storm.p99, logIns: await logIns.stop() });
  }
  const of = (name) => median(rounds.map((round) => round[name]));
  report(`visitor to agent at ${RATE}/s, p99, amid log-ins`, of('storm'), of('calm'), 'ms', { atMost: 2 }, 'without');
  console.log(
    `  log-ins requested ${LOG_INS_PER_SECOND}/s; answered during the messages: ${Math.round(of('logIns'))}/s`,
  );
} finally {
  await stop();
}
process.exit();

function startLogIns() {
  const began = performance.now();
  const asked = new Set();
  let done = 0;
  let isOver = false;
  const timer = setInterval(() => {
    const logIn = parley
      .call('POST /auth/login', { body: MEMBER })
      .then(() => {
        done += isOver ? 0 : 1;
      })
      .catch(() => {})
      .finally(() => asked.delete(logIn));
    asked.add(logIn);
  }, 1_000 / LOG_INS_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      isOver = true;
      const rate = (done * 1_000) / (performance.now() - began);
      while (asked.size > 0) await sleep(10);
      return rate;
    },
  };
}

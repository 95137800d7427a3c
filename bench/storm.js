// npm run bench -- storm [PER_SECOND]: how long messages take to the agent while people log in twenty times a second, which is a
// password hashed each, against the same messages without. Nothing is pinned: the passwords' thread is to go where there is room.
import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from './tools/figures.js';
import { atRate, gather } from './tools/load.js';
import { MEMBER, startSides } from './tools/sides.js';

const RATE = Number(process.argv[3] ?? 200);
const LOG_INS_PER_SECOND = 20;
const VISITORS = 100;
const ROUNDS = 5;
const ROUND_MS = 5_000;
const WARM_UP_MS = 2_000;

const { parley, stop } = await startSides({ pinned: false });
try {
  const crowd = await gather(parley, VISITORS);
  await atRate(crowd, RATE, WARM_UP_MS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const calm = await atRate(crowd, RATE, ROUND_MS);
    const logIns = startLogIns();
    const storm = await atRate(crowd, RATE, ROUND_MS);
    rounds.push({ calm: calm.p99, storm: storm.p99, logIns: await logIns.stop() });
  }
  const of = (name) => median(rounds.map((round) => round[name]));
  report(`visitor to agent at ${RATE}/s, p99, amid log-ins`, of('storm'), of('calm'), 'ms', { atMost: 2 }, 'without');
  console.log(
    `  log-ins asked for ${LOG_INS_PER_SECOND}/s; let in while the messages went: ${Math.round(of('logIns'))}/s`,
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

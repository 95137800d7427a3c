// npm run bench -- reconnect [CLIENTS]: all clients (default 2,000) connect at the same time, as after a restart: how long until
// the last one is connected and has caught up, against a relay that stores nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, cpuUsPerItem, pinLoadGenerator } from './tools/cpu.js';
import { median, percentile, report } from './tools/statistics.js';
import { startTargets } from './tools/targets.js';

const CLIENTS = Number(process.argv[3] ?? 2_000);
const ROUNDS = 5;
/** Long enough for the connections of the round before to close. */
const PAUSE_MS = 2_000;

pinLoadGenerator();
const { targets, stop } = await startTargets();
try {
  const credentials = [];
  for (const target of targets) credentials.push(await target.visitors(CLIENTS));
  const rounds = targets.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, target] of targets.entries()) rounds[at].push(await reconnect(target, credentials[at]));
  const [relay, parley] = rounds.map((of) => (name) => median(of.map((round) => round[name])));
  report(`${CLIENTS} clients at once, half of them back`, parley('half'), relay('half'), 'ms');
  report(`${CLIENTS} clients at once, the last one back`, parley('last'), relay('last'), 'ms');
  report('processor time of one reconnection, all threads', parley('all'), relay('all'), 'µs');
} finally {
  await stop();
}
process.exit();

async function reconnect(target, credentials) {
  const before = cpuMs(target.pid);
  const began = performance.now();
  const back = await Promise.all(
    credentials.map(async (each) => ({ ...(await target.connect(each)), ms: performance.now() - began })),
  );
  const times = back.map(({ ms }) => ms);
  const used = cpuUsPerItem(target.pid, before, credentials.length);
  for (const { client } of back) client.close();
  await sleep(PAUSE_MS);
  return { half: percentile(times, 0.5), last: Math.max(...times), ...used };
}

// npm run bench -- idle-memory [FROM] [TO]: the server's memory for a connected visitor who sends nothing, against a relay that
// stores nothing: the growth from FROM to TO visitors (Linux). Each round restarts both.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pinLoadGenerator } from './tools/cpu.js';
import { anonymousMemory } from './tools/parley.js';
import { median, report } from './tools/statistics.js';
import { startTargets } from './tools/targets.js';

const FROM = Number(process.argv[3] ?? 500);
const TO = Number(process.argv[4] ?? 2_500);
const ROUNDS = 3;
const CONCURRENCY = 50;
/** By then HTTP connections are closed, and the memory for connecting can be collected. */
const SETTLE_MS = 7_000;
const COLLECTIONS = 3;
const COLLECTION_MS = 500;
const KIB_PER_MIB = 1_024;
const NODE = ['--expose-gc', '--import', fileURLToPath(new URL('./tools/gc.js', import.meta.url))];

pinLoadGenerator();
const slopes = { relay: [], Parley: [] };
for (let round = 0; round < ROUNDS; round++) {
  const { targets, stop } = await startTargets({ node: NODE });
  try {
    for (const target of targets) slopes[target.name].push(await slopeOf(target));
  } finally {
    await stop();
  }
}
report('memory of an idle visitor', median(slopes.Parley), median(slopes.relay), 'KiB', { atMost: 1.25 });
process.exit();

async function slopeOf(target) {
  await arrive(target, FROM);
  const before = await settledMemory(target);
  await arrive(target, TO - FROM);
  return ((await settledMemory(target)) - before) / (TO - FROM);
}

async function arrive(target, count) {
  const rights = await target.visitors(count);
  for (let at = 0; at < count; at += CONCURRENCY)
    await Promise.all(rights.slice(at, at + CONCURRENCY).map(target.connect));
}

/** In KiB, after garbage collection. */
async function settledMemory({ pid }) {
  await sleep(SETTLE_MS);
  for (let i = 0; i < COLLECTIONS; i++) {
    process.kill(pid, 'SIGUSR2');
    await sleep(COLLECTION_MS);
  }
  return anonymousMemory(pid) * KIB_PER_MIB;
}

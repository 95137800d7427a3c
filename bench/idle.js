// npm run bench -- idle [FROM] [TO]: what a visitor takes of the server's memory who is there and says nothing, against a bare
// relay: how far it grows from so many visitors to so many (Linux). Each round starts both anew.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { moveLoad } from './tools/cores.js';
import { median, report } from './tools/figures.js';
import { anonymousMemory } from './tools/parley.js';
import { startSides } from './tools/sides.js';

const FROM = Number(process.argv[3] ?? 500);
const TO = Number(process.argv[4] ?? 2_500);
const ROUNDS = 3;
const AT_ONCE = 50;
/** By then HTTP connections are closed, and what was needed to let visitors in is garbage. */
const SETTLE_MS = 7_000;
const COLLECTIONS = 3;
const COLLECTION_MS = 500;
const KIB_PER_MIB = 1_024;
const NODE = ['--expose-gc', '--import', fileURLToPath(new URL('./tools/gc.js', import.meta.url))];

moveLoad();
const slopes = { bare: [], Parley: [] };
for (let round = 0; round < ROUNDS; round++) {
  const { sides, stop } = await startSides({ node: NODE });
  try {
    for (const side of sides) slopes[side.name].push(await slopeOf(side));
  } finally {
    await stop();
  }
}
report('memory of an idle visitor', median(slopes.Parley), median(slopes.bare), 'KiB', { atMost: 1.25 });
process.exit();

async function slopeOf(side) {
  await arrive(side, FROM);
  const before = await settledMemory(side);
  await arrive(side, TO - FROM);
  return ((await settledMemory(side)) - before) / (TO - FROM);
}

async function arrive(side, count) {
  const rights = await side.visitors(count);
  for (let at = 0; at < count; at += AT_ONCE) await Promise.all(rights.slice(at, at + AT_ONCE).map(side.come));
}

/** In KiB, without garbage. */
async function settledMemory({ pid }) {
  await sleep(SETTLE_MS);
  for (let i = 0; i < COLLECTIONS; i++) {
    process.kill(pid, 'SIGUSR2');
    await sleep(COLLECTION_MS);
  }
  return anonymousMemory(pid) * KIB_PER_MIB;
}

// npm run bench -- ordinary [--rates 1,10,100] [--seconds 60] [--warm-up 20]: what a visitor's message costs in ordinary life: few
// messages a second over 40 chats, which one agent has open. The reference is a relay that writes each message to a file and
// syncs it before anybody gets it; both get the same messages at the same moments (Linux).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './tools/statistics.js';
import { startTargets } from './tools/targets.js';
import { createTexts } from './tools/texts.js';
import { NAMES_THREADS, readThreads } from './tools/threads.js';

const CHATS = 40;
/** By then the chats are assigned to the agent. */
const ASSIGNED_MS = 2_000;
const GOALS = 'goals: 4, 4 and 3 × the processor time at 1, 10 and 100/s; answers within 1.8 × at p50';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rates: { type: 'string', default: '1,10,100' },
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '20' },
  },
});
const [seconds, warmUp] = [Number(values.seconds), Number(values['warm-up'])];

const folder = mkdtempSync(join(tmpdir(), 'parley-ordinary-'));
process.env.PARLEY_THREADS = join(folder, 'threads');
const { relay, parley, stop } = await startTargets({ node: NAMES_THREADS, pinned: false, durable: true });
const texts = createTexts();
const table = {};
try {
  const sides = await Promise.all([relay, parley].map(connect));
  for (const rate of values.rates.split(',').map(Number)) {
    await send(sides, rate, warmUp);
    const before = sides.map(({ target }) => usOf(target));
    const times = await send(sides, rate, seconds);
    const ms = sides.map(({ target }, at) => perMessage(before[at], usOf(target), rate * seconds));
    table[`${rate}/s`] = row(ms, times.map(median));
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true });
}
console.table(table);
console.log(GOALS);
process.exit();

async function connect(target) {
  const agent = await target.agent();
  const visitors = await Promise.all((await target.visitors(CHATS)).map(target.connect));
  for (const visitor of visitors) await target.send(visitor, texts());
  await sleep(ASSIGNED_MS);
  for (const visitor of visitors) await target.open(agent, visitor);
  return { target, visitors };
}

/** Sends each message to all sides at the same moment. @returns for each side, the milliseconds until the answers */
async function send(sides, rate, forSeconds) {
  const began = performance.now();
  const sent = [];
  for (let n = 0; n < rate * forSeconds; n++) {
    await sleep(began + (n * 1_000) / rate - performance.now());
    const content = texts();
    sent.push(sides.map(({ target, visitors }) => timed(target.send(visitors[n % CHATS], content))));
  }
  await sleep(began + forSeconds * 1_000 - performance.now());
  return Promise.all(sides.map((_, at) => Promise.all(sent.map((times) => times[at]))));
}

async function timed(answer) {
  const began = performance.now();
  await answer;
  return performance.now() - began;
}

function usOf({ pid }) {
  return readThreads(pid, process.env.PARLEY_THREADS).us;
}

/** The processor time of a message in milliseconds: of all threads, and of each. */
function perMessage(before, after, messages) {
  const each = Object.fromEntries(
    Object.keys(after).map((name) => [name, (after[name] - before[name]) / messages / 1e3]),
  );
  return { ...each, all: each.main + each.store + each.others };
}

function row([ofRelay, ofParley], [relayP50, parleyP50]) {
  return {
    'Parley ms': rounded(ofParley.all),
    main: rounded(ofParley.main),
    store: rounded(ofParley.store),
    others: rounded(ofParley.others),
    'relay ms': rounded(ofRelay.all),
    ratio: rounded(ofParley.all / ofRelay.all),
    'Parley p50': rounded(parleyP50),
    'relay p50': rounded(relayP50),
    'p50 ratio': rounded(parleyP50 / relayP50),
  };
}

function rounded(value) {
  return Number(value.toFixed(2));
}

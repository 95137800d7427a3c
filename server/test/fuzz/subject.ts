/**
 * The product as a process of its own, whose costs are watched from within: `cost.test.ts` forks it, so that what the test
 * itself takes is not counted.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { boot } from '../../src/app/boot.ts';
import { catalogue } from '../../src/platform/http/endpoint/catalogue.ts';
import { JSON_SCHEMA } from '../../src/platform/http/endpoint/jsonSchema.ts';
import type { InputSchema } from '../../src/platform/http/endpoint/validate.ts';
import { PASSWORD_COST, quietEnv } from '../settings.ts';
import type { Asked, Cost, JsonSchemas, Told, Wired } from './measured.ts';

const BEAT_MS = 5;
/** It rests when it has done next to nothing for so many beats; it is waited for no longer than that. */
const RESTING_BEATS = 6;
const RESTING_MS = 2;
const WAIT_MAX_MS = 15_000;

const [, , dataDir = '', workers = '{}'] = process.argv;

/** The processor time that this thread has taken so far, in milliseconds: a busy machine makes it no longer. */
function threadMs(): number {
  try {
    const [ns] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ns) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** Memory of the process's own, without the store's file that is mapped into it. */
function ownBytes(): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024;
  } catch {
    return process.memoryUsage.rss();
  }
}

/** What the data folder takes on the disk. */
function storedBytes(): number {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).blocks * 512, 0);
}

const schemasOf = (rules: InputSchema = {}): JsonSchemas =>
  Object.fromEntries(Object.entries(rules).map(([name, field]) => [name, field[JSON_SCHEMA]]));

const running = await boot(
  quietEnv(dataDir),
  Object.fromEntries(Object.entries(JSON.parse(workers)).map(asUrl)) as never,
  {
    passwordCost: PASSWORD_COST,
  },
);

function asUrl([name, url]: [string, unknown]): [string, URL] {
  return [name, new URL(String(url))];
}

let last = threadMs();
let resting = 0;
let cost: Cost = { standstillMs: 0, threadMs: 0, grownBytes: 0, storedBytes: 0 };
let ownAtStart = ownBytes();

function beat(): void {
  const now = threadMs();
  const spent = now - last;
  last = now;
  resting = spent < RESTING_MS ? resting + 1 : 0;
  cost.threadMs += spent;
  cost.standstillMs = Math.max(cost.standstillMs, spent);
  if (spent >= RESTING_MS) cost.grownBytes = Math.max(cost.grownBytes, ownBytes() - ownAtStart);
}
setInterval(beat, BEAT_MS);

async function rest(): Promise<void> {
  resting = 0;
  const since = Date.now();
  while (resting < RESTING_BEATS && Date.now() - since < WAIT_MAX_MS)
    await new Promise((done) => setTimeout(done, BEAT_MS));
}

async function take(): Promise<Cost> {
  await rest();
  const taken = { ...cost, storedBytes: storedBytes() };
  globalThis.gc?.();
  await rest();
  ownAtStart = ownBytes();
  cost = { standstillMs: 0, threadMs: 0, grownBytes: 0, storedBytes: 0 };
  return taken;
}

const PACE_TEXT = JSON.stringify(
  Array.from({ length: 1_000 }, (_, i) => ({ id: i, name: `order ${i}`, tags: ['a', 'b'] })),
);
const PACE_ROUNDS = 100;

function paceMs(): number {
  const before = threadMs();
  for (let round = 0; round < PACE_ROUNDS; round++) JSON.parse(PACE_TEXT);
  const spent = threadMs() - before;
  // What comes next is not to blame for it.
  globalThis.gc?.();
  [last, ownAtStart] = [threadMs(), ownBytes()];
  return spent;
}

const tell = (told: Told) => void process.send?.(told);
const schemasOfAll = (wired: Map<string, InputSchema>) =>
  Object.fromEntries([...wired].map(([name, rules]) => [name, schemasOf(rules)]));

/** What is wired; the events of sockets are, once one of each kind has come. */
function wired(): Wired {
  const calls = [...catalogue.calls].map(([name, { audience, body, query, upload = false }]) => [
    name,
    { audience, body: schemasOf(body), query: schemasOf(query), upload },
  ]);
  return {
    calls: Object.fromEntries(calls),
    staffEvents: schemasOfAll(catalogue.staffEvents),
    visitorEvents: schemasOfAll(catalogue.visitorEvents),
  };
}

process.on('message', async (asked: Asked) => {
  if (asked === 'take') tell({ cost: await take() });
  if (asked === 'pace') tell({ paceMs: paceMs() });
  if (asked === 'wired') tell({ wired: wired() });
  if (asked !== 'stop') return;
  await running.stop();
  process.exit(0);
});
// Whoever forked it may be gone without a word.
process.on('disconnect', () => process.exit());
tell({ url: running.url });

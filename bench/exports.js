// npm run bench -- exports: what exports and reports cost others. How much memory grows while 100,000 chats are exported as text,
// and 5,000 as a PDF (Linux only: it is read from /proc), and how long a message takes to be acknowledged during an export or a
// report, against the same without, in turns.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startParley } from './tools/parley.js';
import { CHAT_EVERY_MS, seedChats } from './tools/seed-chats.js';

const CHATS = 100_000;
const PDF_CHATS = 5_000;
const ROUNDS = 5;
const ROUND_MS = 5_000;
const MESSAGE_EVERY_MS = 10;
/** The goal: how much later a message may be acknowledged because of them. */
const DELAY_MAX_MS = 20;
const IDLE_MS = 5_000;
const DAY_MS = 86_400_000;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
/** The last chat began before this day, so the start date chooses how many chats are exported. */
const end = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
const firstDay = new Date(end - PDF_CHATS * CHAT_EVERY_MS).toISOString().slice(0, 10);
const asked = { txt: 'format=txt', pdf: `format=pdf&startDate=${firstDay}` };
let parley = await startParley(dataDir);
try {
  const form = {
    name: 'Ana Ruiz',
    email: 'ana@example.com',
    password: 'quiet-otter-paddles',
    confirmPassword: 'quiet-otter-paddles',
  };
  const { token, user } = await parley.call('POST /auth/register', { body: form });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  await seedChats(dataDir, { site: site._id, user: user._id, chats: CHATS, lastAt: end - CHAT_EVERY_MS });

  for (const format of ['txt', 'pdf']) {
    parley = await again();
    await memoryOf(format, token);
  }
  parley = await again();
  await latency(token, site);
} finally {
  await parley.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function again() {
  await parley.stop();
  const fresh = await startParley(dataDir);
  await sleep(IDLE_MS);
  return fresh;
}

async function memoryOf(format, token) {
  const idle = parley.memory();
  const began = performance.now();
  const peakOf = parley.watchMemory();
  const { firstMs, bytes } = await read(format, token);
  const peak = peakOf();
  const seconds = (performance.now() - began) / 1000;
  await sleep(IDLE_MS);
  const after = parley.memory();
  console.log(
    `${format}: ${mb(bytes / 2 ** 20)} in ${seconds.toFixed(1)} s, first byte after ${firstMs.toFixed(0)} ms; memory ${mb(idle)} idle, ` +
      `+${mb(peak - idle)} at most (${ratio(peak, idle)}), ${mb(after - idle)} left ${IDLE_MS / 1000} s later (${ratio(after, idle)})`,
  );
}

async function read(format, token, signal) {
  const began = performance.now();
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${parley.url}/api/chats/export?${asked[format]}`, { headers, signal });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const firstMs = performance.now() - began;
  let bytes = 0;
  for await (const part of answer.body) bytes += part.length;
  return { firstMs, bytes };
}

async function latency(token, site) {
  const { visitorToken } = await parley.call(`POST /widget/${site.widgetCode}/session`, { body: {} });
  const send = () =>
    parley.call(`POST /widget/${site.widgetCode}/messages`, {
      token: visitorToken,
      body: { clientId: randomUUID(), content: 'Are you there?' },
    });
  await timesOf(send);
  for (const [name, disturb] of Object.entries(disturbances(token))) {
    const rounds = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await compare(send, disturb));
    const of = (when, what) => median(rounds.map((round) => round[when][what]));
    const delay = of('during', 'p99') - of('without', 'p99');
    console.log(
      `${delay <= DELAY_MAX_MS ? '✓' : '✗'} message acknowledged with ${name} under way: p50 ${of('during', 'p50').toFixed(1)} ms, ` +
        `p99 ${of('during', 'p99').toFixed(1)} ms, longest ${of('during', 'longest').toFixed(1)} ms; without ` +
        `${of('without', 'p50').toFixed(1)}, ${of('without', 'p99').toFixed(1)}, ${of('without', 'longest').toFixed(1)} ms`,
    );
  }
}

/** What runs during the messages, again and again until it is stopped. */
function disturbances(token) {
  return {
    'a text export': (signal) => read('txt', token, signal),
    'a PDF': (signal) => read('pdf', token, signal),
    reports: () => parley.call('GET /overview?tz=Europe%2FBerlin', { token }),
  };
}

async function compare(send, disturb) {
  const without = await timesOf(send);
  const stop = new AbortController();
  const disturbing = (async () => {
    while (!stop.signal.aborted) await disturb(stop.signal).catch(() => {});
  })();
  const during = await timesOf(send);
  stop.abort();
  await disturbing;
  await sleep(IDLE_MS / 5);
  return { without, during };
}

/** Messages at a steady pace for one round. */
async function timesOf(send) {
  const times = [];
  const until = performance.now() + ROUND_MS;
  while (performance.now() < until) {
    const began = performance.now();
    await send();
    times.push(performance.now() - began);
    await sleep(MESSAGE_EVERY_MS);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { p50: at(0.5), p99: at(0.99), longest: times.at(-1) };
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function ratio(value, reference) {
  return `${(value / reference).toFixed(2)} ×`;
}

function mb(mib) {
  return `${mib.toFixed(1)} MiB`;
}

// What exports take from others: how far memory grows while 100,000 chats are written as text, and 5,000 as a PDF (Linux
// only: it is read from /proc), and the 99th percentile of the time until a message is acknowledged, without and with a PDF
// under way, in turns.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT_EVERY_MS, fillChats } from './tools/fill.js';
import { startParley } from './tools/parley.js';

const CHATS = 100_000;
const PDF_CHATS = 5_000;
const ROUNDS = 5;
const ROUND_MS = 5_000;
const MESSAGE_EVERY_MS = 10;
const IDLE_MS = 5_000;
const DAY_MS = 86_400_000;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
/** The last chat began before this day did; a first day then chooses how many there are. */
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
  await fillChats(dataDir, { site: site._id, user: user._id, chats: CHATS, lastAt: end - CHAT_EVERY_MS });

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
  await p99(send);
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    const without = await p99(send);
    const stop = new AbortController();
    const pdf = read('pdf', token, stop.signal).catch(() => {});
    const during = await p99(send);
    stop.abort();
    await pdf;
    await sleep(IDLE_MS / 5);
    rounds.push({ without, during });
  }
  const [without, during] = ['without', 'during'].map((name) => median(rounds.map((round) => round[name])));
  console.log(
    `message acknowledged, p99: ${without.toFixed(1)} ms, with a PDF under way ${during.toFixed(1)} ms (${ratio(during, without)})`,
  );
}

/** Messages at a steady pace for one round. */
async function p99(send) {
  const times = [];
  const until = performance.now() + ROUND_MS;
  while (performance.now() < until) {
    const began = performance.now();
    await send();
    times.push(performance.now() - began);
    await sleep(MESSAGE_EVERY_MS);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
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

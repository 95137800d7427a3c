// npm run bench -- lone [SECONDS]: what a visitor's message costs when few come at a time, with an agent online: transactions of
// the store, wake-ups and processor time of each thread. For one message and then nothing, for one and ten a second, and for
// bursts of 100, and for one sender who waits for each answer; over the socket and over HTTP; against a bare Socket.IO and Express
// relay that stores nothing (Linux).
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTargets } from './tools/targets.js';
import { createTexts } from './tools/texts.js';
import { NAMES_THREADS, readThreads, readTransactions } from './tools/threads.js';

const WATCH_S = Number(process.argv[3] ?? 20);
const VISITORS = 10;
const WARM_UP_MESSAGES = 300;
/** By then everything that a message sets off is done, such as the reconciler's checkpoint. */
const SETTLE_MS = 25_000;
/** By then the chats are assigned to the agent: opening one before would leave it to be looked at a minute later. */
const ASSIGNED_MS = 2_000;
const BURST = 100;
const BURSTS = 10;
const BURST_EVERY_MS = 1_000;
const IN_A_ROW = 1_000;

const texts = createTexts();
const folder = mkdtempSync(join(tmpdir(), 'parley-lone-'));
process.env.PARLEY_THREADS = join(folder, 'threads');
const { relay, parley, stop } = await startTargets({ node: NAMES_THREADS, pinned: false });
try {
  const ways = [];
  for (const over of ['socket', 'HTTP']) {
    const senders = [];
    for (const target of [relay, parley]) senders.push(await connect(target, over));
    for (const { send } of senders) for (let n = 0; n < WARM_UP_MESSAGES; n++) await send(n);
    ways.push({ over, senders });
  }
  for (const { over, senders } of ways) {
    await sleep(SETTLE_MS);
    const [, ofParley] = senders;
    show(`${over}, one message`, await watch([ofParley], 1, ({ send }) => send(0).then(() => sleep(SETTLE_MS))));
    for (const rate of [1, 10]) {
      const paced = ({ send }) => sendPaced(send, rate);
      show(`${over}, ${rate}/s`, await watch(senders, rate * WATCH_S, paced));
    }
    for (const [name, messages, work] of [
      [`bursts of ${BURST}`, BURST * BURSTS, sendBursts],
      ['one after the other', IN_A_ROW, sendInARow],
    ]) {
      const costs = [];
      for (const sender of senders) costs.push(...(await watch([sender], messages, work)));
      show(`${over}, ${name}`, costs);
    }
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true });
}
process.exit();

/** Connects an agent who has the chats open, and visitors who write over the socket or over HTTP. */
async function connect(target, over) {
  const agent = await target.agent();
  const visitors = await Promise.all((await target.visitors(VISITORS)).map(target.connect));
  for (const visitor of visitors) await target.send(visitor, texts());
  await sleep(ASSIGNED_MS);
  for (const visitor of visitors) {
    await target.open(agent, visitor);
    if (over === 'HTTP') visitor.client.close();
  }
  const connections = new Agent({ keepAlive: true });
  const send = over === 'HTTP' ? post : ({ target }, visitor) => target.send(visitor, texts());
  return { target, send: (n) => send({ target, connections }, visitors[n % VISITORS]) };
}

/** Sends a message over a connection that is kept open. */
function post({ target, connections }, visitor) {
  const { path, headers, body } = target.request(visitor, texts());
  const bytes = Buffer.from(JSON.stringify(body));
  const own = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
  const options = { agent: connections, method: 'POST', headers: { ...headers, ...own } };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, target.url), options, (answer) => {
      answer.resume().on('end', () => (answer.statusCode === 201 ? resolve() : reject(new Error(answer.statusCode))));
    });
    sent.on('error', reject).end(bytes);
  });
}

async function sendPaced(send, rate) {
  const began = performance.now();
  for (let n = 0; n < rate * WATCH_S; n++) {
    await sleep(began + (n * 1_000) / rate - performance.now());
    await send(n);
  }
  await sleep(began + WATCH_S * 1_000 - performance.now());
}

async function sendInARow({ send }) {
  for (let n = 0; n < IN_A_ROW; n++) await send(n);
}

async function sendBursts({ send }) {
  for (let burst = 0; burst < BURSTS; burst++) {
    await Promise.all(Array.from({ length: BURST }, (_, n) => send(n)));
    await sleep(BURST_EVERY_MS);
  }
}

/** Does this with all senders at the same time. @returns what a message cost each of them */
async function watch(senders, messages, work) {
  const read = ({ target: { pid, dataDir } }) => ({
    ...readThreads(pid, process.env.PARLEY_THREADS),
    transactions: dataDir === undefined ? 0 : readTransactions(dataDir),
  });
  const before = senders.map(read);
  await Promise.all(senders.map(work));
  return senders.map((sender, at) => perMessage(before[at], read(sender), messages));
}

function perMessage(before, after, messages) {
  const growth = (now, then) =>
    typeof now === 'number'
      ? (now - then) / messages
      : Object.fromEntries(Object.keys(now).map((name) => [name, growth(now[name], then[name])]));
  return growth(after, before);
}

function show(what, costs) {
  const { us, wakeUps, transactions } = costs.at(-1);
  const sum = (threads) => threads.main + threads.store + threads.others;
  const each = (threads, unit) =>
    `${Math.round(sum(threads))} ${unit} (main ${Math.round(threads.main)}, store ${Math.round(threads.store)})`;
  const [relay] = costs.map((cost) => sum(cost.us));
  const reference = costs.length > 1 ? `; relay ${Math.round(relay)} µs: ${(sum(us) / relay).toFixed(1)} ×` : '';
  console.log(
    `${what}: ${transactions.toFixed(2)} transactions, ${each(wakeUps, 'wake-ups')}, ${each(us, 'µs')}${reference}`,
  );
}

// npm run bench -- mailin [--mails 300] [--seconds 20]: what a mail that answers one of ours costs, taken over HTTP; the reference is a
// message that a visitor sends over HTTP. And how long others wait for their messages while mails of 10 MB come in without a pause;
// the reference is the same without mails (Linux).
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { freePort } from '../scripts/cluster/processes.js';
import { cpuMs } from './tools/cpu.js';
import { connectStore, startParley } from './tools/parley.js';
import { median, percentile, report } from './tools/statistics.js';
import { createTexts } from './tools/texts.js';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { mails: { type: 'string', default: '300' }, seconds: { type: 'string', default: '20' } },
});
const [mails, seconds] = [Number(values.mails), Number(values.seconds)];
const VISITORS = 40;
const WARM_UP = 100;
/** Messages of others in a second. */
const RATE = 20;
/** Programs that hand over large mails at the same time: as many as Parley takes. */
const FLOODS = 4;
const LARGE_BYTES = 10 * 1024 * 1024;
const SECRET = 'sixteen-characters-or-more';
const QUOTED_LINES = 40;

const port = await freePort();
const settings = {
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'chat@example.com',
  MAIL_IN_SECRET: SECRET,
};
const folder = mkdtempSync(join(tmpdir(), 'parley-mailin-'));
const parley = await startParley(folder, { settings });
const texts = createTexts();
try {
  const visitors = await settle();
  const ways = { message: write, mail: answer };
  const costs = { message: [], mail: [] };
  for (const way of Object.values(ways)) for (let n = 0; n < WARM_UP; n++) await way(visitors[n % VISITORS]);
  for (const [name, way] of Object.entries(ways)) {
    const before = cpuMs(parley.pid);
    for (let n = 0; n < mails; n++) costs[name].push(await timed(way(visitors[n % VISITORS])));
    const after = cpuMs(parley.pid);
    costs[`${name}Cpu`] = { all: (after.all - before.all) / mails, main: (after.main - before.main) / mails };
  }
  report('a mail, p50', median(costs.mail), median(costs.message), 'ms', {}, 'a message');
  report('a mail, all threads', costs.mailCpu.all, costs.messageCpu.all, 'ms of processor', {}, 'a message');
  report('a mail, main thread', costs.mailCpu.main, costs.messageCpu.main, 'ms of processor', {}, 'a message');

  const quiet = await paced(visitors);
  let isOver = false;
  let taken = 0;
  const file = randomBytes(LARGE_BYTES).toString('base64').replace(/.{76}/g, '$&\r\n');
  // As bytes: a text would be encoded again for each mail, here, where the times of others are taken.
  const large = Buffer.from(rawMail(visitors[0], 'a large file', file));
  const floods = Array.from({ length: FLOODS }, async () => {
    while (!isOver) if ((await handOver(large)).ok) taken++;
  });
  const flooded = await paced(visitors);
  isOver = true;
  await Promise.all(floods);
  console.log(`${(taken / seconds).toFixed(1)} mails of 10 MB a second`);
  for (const part of [0.5, 0.95])
    report(`messages of others, p${part * 100}`, percentile(flooded, part), percentile(quiet, part), 'ms', {}, 'quiet');
} finally {
  await parley.stop();
  rmSync(folder, { recursive: true });
}
process.exit();

/** A site, and visitors who have been mailed. */
async function settle() {
  const password = 'quiet-otter-paddles';
  const account = { name: 'Olga', email: 'olga@example.com', password, confirmPassword: password };
  const { token } = await parley.call('POST /auth/register', { body: account });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  const store = await connectStore(folder);
  const visitors = [];
  for (let n = 0; n < VISITORS; n++) {
    const email = `vera-${n}@example.net`;
    const path = `/widget/${site.widgetCode}`;
    const session = await parley.call(`POST ${path}/session`, { body: { visitor: { name: 'Vera', email } } });
    const visitor = { path, token: session.visitorToken, email, replyTo: tokenOf(n) };
    const { chat } = await write(visitor);
    const ids = { site: site._id, chat: chat._id, visitor: session.visitor._id };
    const about = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, new mongoose.mongo.ObjectId(id)]));
    const expiresAt = new Date(Date.now() + 86_400_000);
    const address = { _id: visitor.replyTo, ...about, user: null, to: email, sentIds: [], words: [], expiresAt };
    await store.db('parley').collection('replyaddresses').insertOne(address);
    visitors.push(visitor);
  }
  await store.close();
  return visitors;
}

/** 26 letters, as in addresses for answers. */
function tokenOf(n) {
  return String(n)
    .padStart(26, 'a')
    .replace(/\d/g, (digit) => 'bcdefghijk'[digit]);
}

function write({ path, token }) {
  const body = { clientId: randomUUID(), content: texts() };
  return parley.call(`POST ${path}/messages`, { token, body });
}

async function answer(visitor) {
  const response = await handOver(rawMail(visitor, texts()));
  const { data } = await response.json();
  if (data?.outcome.end !== 'added')
    throw new Error(`A mail was not taken: ${response.status} ${JSON.stringify(data)}`);
}

function handOver(body) {
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'message/rfc822' };
  return fetch(`${parley.url}/api/mail/in`, { method: 'POST', headers, body });
}

/** An answer above a quote, as Gmail writes it; a file makes it large. */
function rawMail({ email, replyTo }, text, file) {
  const quote = Array.from({ length: QUOTED_LINES }, () => `> ${texts()}`).join('\r\n');
  const written = `${text}\r\n\r\nOn Fri, 27 Nov 2026 at 10:31, Shop <chat@example.com> wrote:\r\n\r\n${quote}\r\n`;
  const headers = `From: Vera <${email}>\r\nTo: chat+${replyTo}@example.com\r\nSubject: Re: Shop replied to you\r\nMessage-ID: <${randomUUID()}@example.net>\r\nMIME-Version: 1.0\r\n`;
  if (file === undefined) return `${headers}Content-Type: text/plain; charset=utf-8\r\n\r\n${written}`;
  const parts = [
    `Content-Type: text/plain; charset=utf-8\r\n\r\n${written}`,
    `Content-Type: application/octet-stream; name="large.bin"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}`,
  ];
  const body = parts.map((part) => `--b\r\n${part}\r\n`).join('');
  return `${headers}Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`;
}

/** Sends messages at a steady pace. @returns the milliseconds until their answers */
async function paced(visitors) {
  const began = performance.now();
  const sent = [];
  for (let n = 0; n < RATE * seconds; n++) {
    await sleep(began + (n * 1_000) / RATE - performance.now());
    sent.push(timed(write(visitors[n % VISITORS])));
  }
  return Promise.all(sent);
}

async function timed(work) {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

// npm run bench -- busy-store [CHATS]: how long a visitor's message takes while the store does long work: a backup, building an
// index over all messages, deleting a site with 100,000 chats. Each against the time just before and after it.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { ROOT } from '../scripts/setup.js';
import { connectStore, startParley } from './tools/parley.js';
import { seedChats } from './tools/seed-chats.js';

const CHATS = Number(process.argv[3] ?? 100_000);
const MESSAGES_EACH = 5;
const SEND_EVERY_MS = 20;
/** They send in turns, because the messages of one chat are stored one after the other. */
const VISITORS = 20;
const QUIET_MS = 10_000;
const POLL_MS = 200;
const DELAY_MAX_MS = 20;
/** One after the other, because one alone is built before enough messages have been sent. */
const INDEXED = ['site', 'author', 'authorName', 'sender', 'event'];

const folder = mkdtempSync(join(tmpdir(), 'parley-busy-store-'));
const dataDir = join(folder, 'data');
let parley = await startParley(dataDir);
try {
  const password = 'quiet-otter-paddles';
  const form = { name: 'Ana Ruiz', email: 'ana@example.com', password, confirmPassword: password };
  const { token, user } = await parley.call('POST /auth/register', { body: form });
  const site = async (name) => {
    const made = await parley.call('POST /sites', { token, body: { name, domain: `${name}.example.com` } });
    return made.site;
  };
  const [lively, closing] = [await site('lively'), await site('closing')];
  await seedChats(dataDir, {
    site: closing._id,
    user: user._id,
    chats: CHATS,
    lastAt: Date.now(),
    messagesEach: MESSAGES_EACH,
  });
  await indexed();
  const tokens = [];
  for (let i = 0; i < VISITORS; i++)
    tokens.push((await parley.call(`POST /widget/${lively.widgetCode}/session`, { body: {} })).visitorToken);
  let turn = 0;
  const send = () =>
    parley.call(`POST /widget/${lively.widgetCode}/messages`, {
      token: tokens[turn++ % VISITORS],
      body: { clientId: randomUUID(), content: 'Are you there?' },
    });
  await during(send, sleep(QUIET_MS));
  for (const [name, work] of Object.entries(works(token, closing))) await compare(name, work, send);
} finally {
  await parley.stop();
  rmSync(folder, { recursive: true, force: true });
}

function works(token, closing) {
  const maintenance = join(ROOT, 'server/dist/maintenance.js');
  const env = { ...process.env, DATA_DIR: dataDir };
  return {
    'a backup': () => promisify(execFile)(process.execPath, [maintenance, 'backup', join(folder, 'backup')], { env }),
    'indexes are built': () =>
      withStore(async (db) => {
        for (const field of INDEXED) await db.collection('messages').createIndex({ [field]: 1, createdAt: 1 });
      }),
    'a site is deleted': async () => {
      await parley.call(`DELETE /sites/${closing._id}`, { token });
      const _id = new mongoose.Types.ObjectId(closing._id);
      await withStore(async (db) => {
        while (!(await db.collection('sites').findOne({ _id, purgedAt: { $exists: true } }))) await sleep(POLL_MS);
      });
    },
  };
}

async function withStore(work) {
  const client = await connectStore(dataDir);
  return work(client.db()).finally(() => client.close());
}

/** Without the indexer's checkpoint, a start indexes everything. A normal stop would write it again, so Parley is killed. */
async function indexed() {
  await withStore((db) => db.collection('marks').deleteMany({}));
  await parley.kill();
  parley = await startParley(dataDir);
  await withStore(async (db) => {
    while ((await db.collection('chatWords').estimatedDocumentCount()) < CHATS) await sleep(POLL_MS);
  });
}

async function compare(name, work, send) {
  const quiet = await during(send, sleep(QUIET_MS / 2));
  const began = performance.now();
  const busy = await during(send, work());
  const seconds = (performance.now() - began) / 1000;
  quiet.push(...(await during(send, sleep(QUIET_MS / 2))));
  const [before, meanwhile] = [p99(quiet), p99(busy)];
  const verdict = meanwhile - before <= DELAY_MAX_MS ? '✓' : '✗';
  console.log(
    `${verdict} while ${name} (${seconds.toFixed(1)} s, ${busy.length} messages): p99 ${meanwhile.toFixed(1)} ms, without ${before.toFixed(1)} ms (${(meanwhile - before).toFixed(1)} ms more)`,
  );
}

/** Sends at a steady pace until the work is done, without waiting for answers. @returns how long each answer took */
async function during(send, work) {
  const times = [];
  const sent = [];
  let isOver = false;
  const ended = Promise.resolve(work).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    sent.push(send().then(() => times.push(performance.now() - began)));
    await sleep(SEND_EVERY_MS);
  }
  await Promise.all([ended, ...sent]);
  return times;
}

function p99(times) {
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}

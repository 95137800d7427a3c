// npm run bench -- suggestions: how long suggested answers take on a site with 100,000 answered questions, and what their index takes,
// against reading the thread of the same chat; and what a site pays that has not switched them on. One request after the other.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startParley } from './tools/parley.js';
import { seedChats } from './tools/seed-chats.js';
import { percentile, report } from './tools/statistics.js';
import { MEMBER } from './tools/targets.js';
import { createTexts } from './tools/texts.js';

const PAIRS = 100_000;
const REQUESTS = 300;
const LOOK_EVERY_MS = 500;

const say = createTexts();
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const parley = await startParley(dataDir);
try {
  const form = { name: 'Ana Ruiz', ...MEMBER, confirmPassword: MEMBER.password };
  const { token, user } = await parley.call('POST /auth/register', { body: form });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  await seedChats(dataDir, { site: site._id, user: user._id, chats: PAIRS, lastAt: Date.now(), messagesEach: 2, say });
  const chats = [];
  for (let i = 0; i < 10; i++) chats.push(await ask(site, say()));
  const get = (path) => (i) => parley.call(`GET /chats/${chats[i % chats.length]}/${path}`, { token });

  const thread = await timesOf(get('messages'));
  const off = await timesOf(get('suggestions'));
  const before = parley.memory();
  await parley.call(`PATCH /sites/${site._id}/assistant`, { token, body: { step: 'suggest', rev: 0 } });
  const began = performance.now();
  while ((await get('suggestions')(0)).suggestions.length === 0)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  console.log(
    `  index of ${PAIRS.toLocaleString('en')} pairs: made in ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  );
  const on = await timesOf(get('suggestions'));
  console.log(`  memory of the process: ${before.toFixed(0)} MiB before, ${parley.memory().toFixed(0)} MiB after`);
  const reference = percentile(thread, 0.95);
  report('suggestions, median', percentile(on, 0.5), percentile(thread, 0.5), 'ms', {}, 'a thread');
  report('suggestions, p95', percentile(on, 0.95), reference, 'ms', { atMost: 10 }, 'a thread');
  report('switched off, p95', percentile(off, 0.95), reference, 'ms', { atMost: 1.5 }, 'a thread');
} finally {
  await parley.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** A new visitor's question; gives the chat. */
async function ask({ widgetCode }, content) {
  const { visitorToken } = await parley.call(`POST /widget/${widgetCode}/session`, { body: {} });
  const body = { clientId: randomUUID(), content };
  return (await parley.call(`POST /widget/${widgetCode}/messages`, { token: visitorToken, body })).chat._id;
}

/** The milliseconds of each request, once as many were made before. */
async function timesOf(request) {
  const times = [];
  for (let i = 0; i < 2 * REQUESTS; i++) {
    const began = performance.now();
    await request(i);
    if (i >= REQUESTS) times.push(performance.now() - began);
  }
  return times;
}

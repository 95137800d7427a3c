// npm run bench -- growth [MESSAGES]: the answer times of a Parley with 1,000,000 messages (ten in each chat) against one with
// 1,000. Both run at the same time and are called in turns, so that other load on the machine affects both. Also the disk space
// of the large one, as it is and after db:compact.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../scripts/setup.js';
import { connectStore, startParley } from './tools/parley.js';
import { seedChats } from './tools/seed-chats.js';

const LARGE = Number(process.argv[3] ?? 1_000_000);
const SMALL = 1_000;
const MESSAGES_EACH = 10;
const SAMPLES = 150;
const STARTS = 5;
const RATIO_MAX = 1.5;
const START_MAX_MS = 2_000;
const IDLE_EVERY_MS = 1_000;
/** The goals for a million messages, in bytes: as they are written, and after db:compact. */
const LIVE_MAX = 1.5e9;
const PACKED_MAX = 1.2e9;

const folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
const running = [];
try {
  const sides = [];
  for (const messages of [SMALL, LARGE]) sides.push(await grown(join(folder, String(messages)), messages));
  const rows = [];
  for (const [name, act] of Object.entries(acts())) rows.push(await compare(name, act, sides));
  rows.push(await compareStarts(sides));
  for (const { name, small, large, isFit } of rows)
    console.log(
      `${isFit ? '✓' : '✗'} ${name}: ${small.toFixed(1)} ms, ${large.toFixed(1)} ms (${(large / small).toFixed(2)} ×)`,
    );
  await measureRoom(sides[1]);
} finally {
  for (const parley of running) await parley.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** What is measured. Each function prepares, and returns the function that is timed. */
function acts() {
  const get = (path) => (side) => async () => side.parley.call(`GET ${path}`, side);
  const search = (q) => get(`/search?q=${encodeURIComponent(q)}`);
  return {
    'inbox page': get('/chats'),
    'chat page': (side) => async () => side.parley.call(`GET /chats/${side.pick()}`, side),
    history: get('/chats/history'),
    'search: one letter': search('w'),
    'search: two letters': search('or'),
    'search: a word': search('carrier'),
    'search: two words': search('parcel order'),
    'search: a person': (side) => search(side.person)(side),
    overview: get('/overview?tz=Europe%2FBerlin'),
    claim: async (side) => {
      const { chat } = await visit(side);
      return () => side.parley.call(`POST /chats/${chat._id}/claim`, side);
    },
    send: async (side) => {
      side.visitor ??= (await visit(side)).visitorToken;
      return () => say(side, side.visitor);
    },
  };
}

async function visit(side) {
  const { visitorToken } = await side.parley.call(`POST /widget/${side.site.widgetCode}/session`, { body: {} });
  return { visitorToken, ...(await say(side, visitorToken)) };
}

function say({ parley, site }, token) {
  const body = { clientId: randomUUID(), content: 'Are you there?' };
  return parley.call(`POST /widget/${site.widgetCode}/messages`, { token, body });
}

/** A Parley with this many messages, indexed and counted. */
async function grown(dataDir, messages) {
  let parley = await startParley(dataDir);
  running.push(parley);
  const password = 'quiet-otter-paddles';
  const form = { name: 'Ana Ruiz', email: 'ana@example.com', password, confirmPassword: password };
  const { token, user } = await parley.call('POST /auth/register', { body: form });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  const chats = messages / MESSAGES_EACH;
  await seedChats(dataDir, { site: site._id, user: user._id, chats, lastAt: Date.now(), messagesEach: MESSAGES_EACH });
  const before = await connectStore(dataDir);
  const known = await before
    .db()
    .collection('chats')
    .find({}, { projection: { visitorInfo: 1 } })
    .limit(1_000)
    .toArray();
  // Without the indexers' checkpoints, a start indexes and counts everything. A normal stop would write them again, so it is killed.
  await before.db().collection('marks').deleteMany({});
  await before.close();
  await parley.kill();
  parley = await startParley(dataDir);
  running.push(parley);
  const side = { dataDir, parley, token, site, person: known[0].visitorInfo.name.split(' ')[1], asked: 0 };
  side.pick = () => known[side.asked++ % known.length]._id.toHexString();
  await caughtUp(dataDir, messages);
  return side;
}

/** Waits until the background readers have read everything. */
async function caughtUp(dataDir, messages) {
  const client = await connectStore(dataDir);
  const began = performance.now();
  const marks = async () => (await client.db().collection('marks').find({}).toArray()).map(({ _id }) => _id);
  const hasCounted = async () => (await marks()).some((id) => id.startsWith('figures:'));
  const indexed = () => client.db().collection('chatWords').estimatedDocumentCount();
  const isDone = (chats) => chats === messages / MESSAGES_EACH;
  let held = await indexed();
  for (; !isDone(held) || !(await hasCounted()); held = await indexed()) await sleep(IDLE_EVERY_MS);
  await client.close();
  console.log(`${messages} messages: ${held} chats indexed in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

async function compare(name, act, sides) {
  const times = sides.map(() => []);
  for (let i = 0; i < SAMPLES; i++) {
    for (const [at, side] of sides.entries()) {
      const run = await act(side);
      const began = performance.now();
      await run();
      times[at].push(performance.now() - began);
    }
  }
  const [small, large] = times.map(median);
  return { name, small, large, isFit: large / small <= RATIO_MAX };
}

async function compareStarts(sides) {
  const times = sides.map(() => []);
  for (let i = 0; i < STARTS; i++) {
    for (const [at, side] of sides.entries()) {
      await side.parley.stop();
      const began = performance.now();
      side.parley = await startParley(side.dataDir);
      times[at].push(performance.now() - began);
      running.push(side.parley);
    }
  }
  const [small, large] = times.map(median);
  return { name: 'start', small, large, isFit: large / small <= RATIO_MAX && large < START_MAX_MS };
}

/** The size of the store's file before and after `db:compact`, scaled to a million messages. */
async function measureRoom({ dataDir, parley }) {
  await parley.stop();
  const bytes = () => (statSync(join(dataDir, 'store/data.mdb')).size * 1_000_000) / LARGE;
  const live = bytes();
  execFileSync(process.execPath, [join(ROOT, 'server/dist/maintenance.js'), 'compact'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const packed = bytes();
  const gb = (n) => `${(n / 1e9).toFixed(2)} GB`;
  console.log(`${live <= LIVE_MAX ? '✓' : '✗'} a million messages: ${gb(live)} live`);
  console.log(`${packed <= PACKED_MAX ? '✓' : '✗'} a million messages: ${gb(packed)} after db:compact`);
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { derivedProblems } from '../delivery/derived.ts';
import { welcomeNewcomers } from '../delivery/newcomers.ts';
import { apiOf } from '../harness/api.ts';
import { inDatabase } from '../harness/database.ts';
import { startParley } from '../harness/parley.ts';
import { register } from '../harness/shop.ts';
import { startSlowStore } from './slow-store.ts';

const ROUNDS = 50;
const VISITORS = 6;
const BEFORE_KILL_MS = [300, 2_000] as const;
const STALLED_MS = 15_000;
/** Two rounds of the reconciler, and what a busy machine needs besides. */
const REPAIRED_TIMEOUT_MS = 60_000;
const POLL_MS = 250;
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'http://localhost' };

async function openShop(origin: string) {
  const api = apiOf(origin);
  const { token } = await register(api, 'Ana Oliveira');
  const body = { name: 'Shop', domain: 'shop.example.com', settings: { autoAssign: false } };
  return { api, token, site: (await api('POST /sites', { token, body })).site };
}

/** Waits until everything agrees with the messages. @returns after how many seconds it did */
async function repaired(dataDir: string): Promise<number> {
  const from = performance.now();
  const problems = () => inDatabase({ parley: { dataDir } }, (db) => derivedProblems(db, { hasMail: true }));
  await vi.waitFor(async () => expect(await problems()).toEqual([]), {
    timeout: REPAIRED_TIMEOUT_MS,
    interval: POLL_MS,
  });
  return (performance.now() - from) / 1000;
}

const count = (dataDir: string, name: string) =>
  inDatabase({ parley: { dataDir } }, (db) => db.collection(name).countDocuments());

test(`killed with -9 while chats begin, ${ROUNDS} times: rows, search, figures and notices agree with the messages`, async () => {
  const parley = await startParley({ env: MAIL });
  const shop = await openShop(parley.origin);
  const seconds: number[] = [];
  let left = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const visitors = Array.from({ length: VISITORS }, (_, i) => welcomeNewcomers(shop, round + i));
    await sleep(randomInt(...BEFORE_KILL_MS));
    await parley.kill9();
    await Promise.all(visitors);
    await parley.restart();
    left += (await inDatabase({ parley }, (db) => derivedProblems(db, { hasMail: true }))).length;
    seconds.push(await repaired(parley.dataDir));
  }
  const [messages, chats] = [await count(parley.dataDir, 'messages'), await count(parley.dataDir, 'countedChats')];
  await parley.stop();
  seconds.sort((a, b) => a - b);
  const times = `median ${seconds[ROUNDS / 2]?.toFixed(1)} s, at most ${seconds.at(-1)?.toFixed(1)} s after the start`;
  console.log(
    `${ROUNDS} × kill -9: ${messages} messages, ${chats} chats; ${left} differences at the starts, all right ${times}`,
  );
});

test('the store stalled for 15 s while chats begin: the same', async () => {
  const store = await startSlowStore();
  const parley = await startParley({ env: { ...MAIL, MONGODB_URI: store.uri } });
  const shop = await openShop(parley.origin);
  let isOver = false;
  const visitors = Array.from({ length: VISITORS }, (_, i) => welcomeNewcomers(shop, i, () => isOver));
  await sleep(BEFORE_KILL_MS[1]);
  store.stall(true);
  await sleep(STALLED_MS);
  store.stall(false);
  isOver = true;
  await Promise.all(visitors);
  const seconds = await repaired(store.dataDir);
  console.log(`store stalled 15 s: all right ${seconds.toFixed(1)} s afterwards`);
  await parley.stop();
  await store.stop();
});

import { randomUUID } from 'node:crypto';
import type { Overview, Site } from 'server/contract';
import { expect, test, vi } from 'vitest';
import { derivedProblems } from '../delivery/derived.ts';
import { apiOf, type CallApi } from '../harness/api.ts';
import { inDatabase } from '../harness/database.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { register } from '../harness/shop.ts';

const CHATS_AT_ONCE = 300;
const SITES = 3;
const SATURATED_MS = 60_000;
/** Two rounds of the reconciler, and what a busy machine needs besides. */
const REPAIRED_TIMEOUT_MS = 120_000;
const POLL_MS = 500;
/** A median is exact to 9 %, and rounded to a tenth of a minute. */
const MEDIAN_EXACT_TO = 0.09;
const ROUNDED_TO = 0.05;

/** A whole chat: opened by a visitor, with a name or without, then answered, closed and rated; some are not, or are deleted. */
async function converse(api: CallApi, { widgetCode }: Site, token: string, number: number): Promise<number> {
  const params = { widgetCode };
  const visitor = { name: `Visitor ${number}` };
  const body = number % 3 === 0 ? {} : { visitor };
  const { visitorToken } = await api('POST /widget/:widgetCode/session', { params, body });
  const say = (content: string) =>
    api('POST /widget/:widgetCode/messages', {
      token: visitorToken,
      params,
      body: { clientId: randomUUID(), content },
    });
  const { chat } = await say(`Question ${number}`);
  if (number % 4 === 3) return 1;
  const its = { token, params: { id: chat._id } };
  await api('POST /chats/:id/messages', { ...its, body: { content: `Answer ${number}` } });
  await say(`Thanks ${number}`);
  if (number % 6 === 0) await api('POST /widget/:widgetCode/session', { params, body: { visitorToken, visitor } });
  if (number % 5 === 4) return 3;
  await api('POST /chats/:id/close', its);
  const rating = { chatId: chat._id, score: 1 + (number % 5) };
  await api('POST /widget/:widgetCode/rating', { token: visitorToken, params, body: rating });
  if (number % 11 === 0) await api('DELETE /chats/:id', its);
  return 4;
}

type Counted = Pick<Overview, 'totalChats' | 'activeChats' | 'visitors'> & { today: number };

interface Recounted {
  minutes: number | null;
  /** How many ratings there are with one star, with two, … */
  stars: number[];
}

/** The same figures, counted from the chats and messages in the store. @param siteId null: of all sites */
async function recount(parley: Parley, siteId: string | null): Promise<Counted & Recounted> {
  const [chats, messages] = await inDatabase({ parley }, async (db) => [
    await db.collection('chats').find().toArray(),
    await db.collection('messages').find({ sender: 'agent' }).sort({ seq: -1 }).toArray(),
  ]);
  const its = chats.filter(
    (chat) => !chat.bot && chat.lastSeq > 0 && (siteId === null || String(chat.site) === siteId),
  );
  const firstAnswers = new Map(messages.map(({ chat, createdAt }) => [String(chat), createdAt]));
  const waits = its
    .flatMap(({ _id, createdAt }) => firstAnswers.get(String(_id)) - createdAt || [])
    .sort((a, b) => a - b);
  const median: number | undefined = waits[Math.ceil(waits.length / 2) - 1];
  return {
    totalChats: its.length,
    activeChats: its.filter(({ status }) => status === 'active').length,
    visitors: its.filter(({ visitorInfo }) => visitorInfo.name !== null).length,
    today: its.length,
    minutes: median === undefined ? null : median / 60_000,
    stars: [1, 2, 3, 4, 5].map((stars) => its.filter(({ rating }) => rating?.score === stars).length),
  };
}

test(`${CHATS_AT_ONCE} chats at once for a minute, as fast as they go: the figures of the Overview equal a recount`, async () => {
  const parley = await startParley();
  const api = apiOf(parley.origin);
  const { token } = await register(api, 'Ana Oliveira');
  const sites: Site[] = [];
  for (let number = 0; number < SITES; number++) {
    const body = { name: `Shop ${number}`, domain: 'shop.example.com', settings: { autoAssign: false } };
    sites.push((await api('POST /sites', { token, body })).site);
  }

  const end = performance.now() + SATURATED_MS;
  let [begun, messages] = [0, 0];
  const visitor = async () => {
    while (performance.now() < end) {
      const number = begun++;
      const more = await converse(api, sites[number % SITES] as Site, token, number);
      messages += more;
    }
  };
  await Promise.all(Array.from({ length: CHATS_AT_ONCE }, visitor));

  const from = performance.now();
  const problems = () => inDatabase({ parley }, (db) => derivedProblems(db));
  await vi.waitFor(async () => expect(await problems()).toEqual([]), {
    timeout: REPAIRED_TIMEOUT_MS,
    interval: POLL_MS,
  });
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  const shown: string[] = [];
  for (const siteId of [null, ...sites.map(({ _id }) => _id)]) {
    const now = await api('GET /overview', { token, query: siteId === null ? {} : { siteId } });
    const { totalChats, activeChats, visitors, avgResponseMinutes, perDay } = now;
    const today = perDay.reduce((sum, { chats }) => sum + chats, 0);
    const { minutes, stars, ...counted } = await recount(parley, siteId);
    expect((await api('GET /reports', { token, query: siteId === null ? {} : { siteId } })).stars).toEqual(stars);
    expect({ totalChats, activeChats, visitors, today }).toEqual(counted);
    const isExact =
      Math.abs((avgResponseMinutes ?? 0) - (minutes ?? 0)) <= MEDIAN_EXACT_TO * (minutes ?? 0) + ROUNDED_TO;
    expect({ avgResponseMinutes, minutes, isExact }).toMatchObject({ isExact: true });
    shown.push(`${totalChats} chats, ${activeChats} active, ${visitors} named`);
  }
  await parley.stop();
  console.log(`${begun} chats begun, ${messages} messages and closes in a minute; all right ${seconds} s afterwards`);
  console.log(`Overview and recount, of all and of each site: ${shown.join('; ')}`);
});

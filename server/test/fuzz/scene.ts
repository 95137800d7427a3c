import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, BROWSER, signUp } from '../factories.ts';
import { callsTo } from '../harness.ts';
import { makeWorld, type World } from '../matrix/world.ts';
import { connectStaff, connectVisitor, type Ear } from '../sockets.ts';
import { type Cost, type Subject, send, startSubject, type Wired } from './measured.ts';

/** What one input may cost. */
const STANDSTILL_MAX_MS = 50;
/** What `paceMs` is on a quiet machine: on one that is slower now, everything may take longer by as much. */
const PACE_MS = 40;
export const GROWTH_MAX_BYTES = 16 * 1024 * 1024;
/** Room that the store takes for itself, whatever is stored. */
export const STORE_PAGES_BYTES = 512 * 1024;
/** Longer than anything that is put off. */
const SETTLED_MS = 1_000;
/** What looks too dear is tried so often alone, and counts by its cheapest: collecting garbage is nobody's fault. */
const TRIES = 3;
/** So many are done one after the other before it is asked what they cost. */
const TOGETHER = 40;

/** `npm run fuzz` tries every kind of run at every door; the suite tries one at each. */
export const IS_LONG = Number(process.env.FUZZ_RUNS ?? 0) > 6;
/** How long one list of inputs is tried, all in all; `npm run fuzz -- RUNS MINUTES` gives more. */
const BUDGET_MS = Number(process.env.FUZZ_MINUTES ?? 10) * 60_000;
export const LONG_MS = IS_LONG ? 3_600_000 : 120_000;

/** Something that is done to the server, and what to call it when it turns out to be too dear. */
export interface Act {
  what: string;
  act: () => Promise<unknown>;
  /** What the server may hold meanwhile, where that is not in the input: the answer is a file of all that is stored. */
  growthMaxBytes?: number;
}

/** A server under watch, with a site, its people and its visitor. */
export interface Scene {
  subject: Subject;
  wired: Wired;
  owner: Account;
  world: World;
  /** Ids that this call or event may be about. */
  idsFor(name: string): string[];
  /** Makes a call as somebody who may, about `id` where that is given; gives the status. */
  call(name: string, sent: { body?: string | Buffer; query?: string; id?: string }): Promise<number>;
  /** The dashboard's socket; a new one where an input has ended it. */
  staffEar(): Promise<Ear>;
  /** The widget's socket. */
  visitorEar(): Promise<Ear>;
  /** What is on the disk when nothing is being indexed, counted or removed any more, in bytes. */
  stored(): Promise<number>;
  /** Does all this; where that was too dear, each alone. Gives those that were too dear each time, as sentences. */
  tooDear(acts: Act[]): Promise<string[]>;
}

export async function startScene(): Promise<Scene> {
  const subject = await startSubject();
  const api = callsTo(subject.url);
  const admin = await signUp(api);
  const owner = await signUp(api);
  const world = await makeWorld(api, owner);
  const ears: { staff?: Ear; visitor?: Ear } = {};
  const token = world.session.visitorToken;
  const staffEar = async () => {
    if (!ears.staff?.socket.connected) ears.staff = await connectStaff(subject.url, owner.token);
    return ears.staff;
  };
  const visitorEar = async () => {
    if (!ears.visitor?.socket.connected) ears.visitor = await connectVisitor(subject.url, token);
    return ears.visitor;
  };
  await staffEar();
  await visitorEar();
  const wired = await subject.wired();

  function headersOf(name: string): Record<string, string> {
    const audience = wired.calls[name]?.audience;
    if (audience === 'anyone') return BROWSER;
    const person = name.includes('/admin/') ? admin : owner;
    return { ...BROWSER, Authorization: `Bearer ${audience === 'visitor' ? token : person.token}` };
  }

  return {
    subject,
    wired,
    owner,
    world,
    staffEar,
    visitorEar,
    idsFor: (name) => [takesAway(name) ? NOTHINGS : world.ids.chat],
    call(name, { body, query, id }) {
      const [method = ''] = name.split(' ');
      const path = pathOf(name, world, id) + (query === undefined ? '' : `?${query}`);
      return send(subject.url, { method, path, headers: headersOf(name), ...(body === undefined ? {} : { body }) });
    },
    stored: () => storedIn(subject),
    tooDear: (acts) => tooDear(subject, acts),
  };
}

/** The id of nothing. */
const NOTHINGS = 'a'.repeat(24);
/** Beside all that deletes, they would take away what the others are about. */
const TAKE_AWAY = ['POST /visitors/:id/block', 'POST /chats/bulk', 'POST /chats/:id/close', 'close_chat'];
const takesAway = (name: string) => name.startsWith('DELETE') || TAKE_AWAY.includes(name);

/** The address of a call, about things that are there unless it would take them away. */
function pathOf(call: string, { ids, site }: World, given?: string): string {
  const [, route = ''] = call.split(' ');
  const known = { '/chats': ids.chat, '/visitors': ids.visitor, '/articles': ids.article };
  const id = given ?? Object.entries(known).find(([start]) => route.startsWith(start))?.[1] ?? ids.site;
  const kept: Record<string, string> = {
    ':widgetCode': site.widgetCode,
    ':siteId': ids.site,
    ':id': id,
    ':lang': 'en',
  };
  return `/api${route.replace(/:\w+/g, (name) => (takesAway(call) ? NOTHINGS : (kept[name] ?? 'unknown')))}`;
}

async function storedIn(subject: Subject): Promise<number> {
  const { storedBytes } = await subject.take();
  await wait(SETTLED_MS);
  return (await subject.take()).storedBytes === storedBytes ? storedBytes : storedIn(subject);
}

/** An input anew each time: the same `clientId` again is the same message again. */
export const fresh = (input: unknown) =>
  typeof input === 'object' && input !== null && 'clientId' in input ? { ...input, clientId: randomUUID() } : input;

const isTooDear = ({ standstillMs, grownBytes }: Cost, growthMaxBytes = GROWTH_MAX_BYTES) =>
  standstillMs > STANDSTILL_MAX_MS || grownBytes > growthMaxBytes;

/** What it would have cost on a quiet machine. @param paceMs what the fixed amount of work took beside it */
const atQuietPace = (cost: Cost, paceMs: number): Cost => ({
  ...cost,
  standstillMs: cost.standstillMs / Math.max(1, paceMs / PACE_MS),
});

async function tooDear(subject: Subject, acts: Act[]): Promise<string[]> {
  const found: string[] = [];
  const until = Date.now() + BUDGET_MS;
  for (const some of inTurns(acts)) {
    if (Date.now() > until) break;
    found.push(...(await tooDearOf(subject, some)));
  }
  return found;
}

/** So many at a time, from all over the list: what the time does not suffice for is missing everywhere alike. */
function inTurns(acts: Act[]): Act[][] {
  const turns = Math.ceil(acts.length / TOGETHER);
  return Array.from({ length: turns }, (_, turn) => acts.filter((_, i) => i % turns === turn));
}

async function tooDearOf(subject: Subject, acts: Act[]): Promise<string[]> {
  await subject.take();
  for (const { act } of acts) await act();
  if (!isTooDear(await subject.take())) return [];
  const found: string[] = [];
  for (const { what, act, growthMaxBytes } of acts) {
    const cost = await cheapestOf(subject, act, growthMaxBytes);
    if (!isTooDear(cost, growthMaxBytes)) continue;
    found.push(`${what}: ${cost.standstillMs.toFixed(0)} ms, ${(cost.grownBytes / 2 ** 20).toFixed(1)} MiB`);
  }
  return found;
}

async function cheapestOf(subject: Subject, act: Act['act'], growthMaxBytes?: number): Promise<Cost> {
  const costs: Cost[] = [];
  while (costs.length < TRIES) {
    await act();
    const cost = atQuietPace(await subject.take(), await subject.paceMs());
    if (!isTooDear(cost, growthMaxBytes)) return cost;
    costs.push(cost);
  }
  return costs.reduce((least, cost) => (cost.standstillMs < least.standstillMs ? cost : least));
}

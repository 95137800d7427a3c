import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER } from '../factories.ts';
import { callsTo } from '../harness.ts';
import { endedImport, PLAN, uploadHistory } from '../pastChats.ts';
import { connectStaff, hangUp } from '../sockets.ts';
import { historiesIn, historyGrowthOf } from './files.ts';
import { send } from './measured.ts';
import { type Act, fresh, IS_LONG, LONG_MS, type Scene, startScene } from './scene.ts';
import {
  addressesBelow,
  CJK,
  HEADER_UNITS,
  HEADERS,
  type Hostile,
  MARKS,
  run,
  runsIn,
  structuresIn,
  UNITS,
} from './slow.ts';

/** A larger packet ends its connection. */
const PACKET_MAX_BYTES = 60_000;
/** Node takes no more than 16 kB of headers, the address among them. */
const QUERY_MAX_LENGTH = 14_000;
/** They would end the session or the token that the others are made with, or change what they are about. */
const LEFT_OUT = [
  'POST /auth/logout',
  'POST /auth/refresh',
  'POST /sites/:id/widget-code',
  'DELETE /widget/:widgetCode/me',
];

let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
}, LONG_MS);
afterAll(async () => {
  hangUp();
  await scene.subject.stop();
}, LONG_MS);

/** What a call is asked, with this as its body or query. */
function asking(call: string, { what, input }: Hostile, place: 'body' | 'query'): Act {
  const sent = () => (place === 'body' ? { body: JSON.stringify(fresh(input)) } : { query: queryText(input) });
  return { what: `${call}, ${place}: ${what}`, act: () => scene.call(call, sent()) };
}

function asksOf(call: string, place: 'body' | 'query', unit: string): Act[] {
  const schemas = scene.wired.calls[call]?.[place] ?? {};
  if (Object.keys(schemas).length === 0) return [];
  return [...runsIn(schemas, scene.idsFor(call), unit)].map((hostile) => asking(call, hostile, place));
}

function queryText(input: unknown): string {
  const pairs = Object.entries(input as object).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`;
  });
  return pairs.join('&').slice(0, QUERY_MAX_LENGTH);
}

/** The kinds of runs that are tried at the door of this number. */
const unitsFor = (number: number) => (IS_LONG ? UNITS : [UNITS[(number * 7) % UNITS.length] as string]);
const callsWired = () =>
  Object.keys(scene.wired.calls).filter((call) => !LEFT_OUT.includes(call) && !scene.wired.calls[call]?.upload);
/** All of them, or about so many for a taste. */
const some = <Item>(items: Item[], taste: number) =>
  IS_LONG ? items : items.filter((_, i) => i % Math.ceil(items.length / taste) === 0);

describe('no input blocks the server or exhausts its memory', () => {
  test('inputs that once did', { timeout: LONG_MS }, async () => {
    const site = { name: 'Shop', domain: 'shop.example.com' };
    const marks = run(MARKS, 48_000);
    const bodies: [string, object][] = [
      ['POST /sites', { ...site, domain: run(CJK, 33_000) }],
      ['POST /sites', { ...site, settings: { allowedDomains: Array(50).fill(run(CJK, 600)) } }],
      ['PUT /chats/:id/tags', { tags: [marks] }],
      ['POST /canned-replies', { siteId: scene.world.ids.site, shortcut: marks, content: 'order' }],
    ];
    const slashes = { method: 'GET', path: `/${run('/', 15_000)}x`, headers: { Accept: 'text/html' } };
    const acts = [
      ...bodies.map(([call, input]) => asking(call, { what: 'huge texts', input }, 'body')),
      { what: 'a path of slashes', act: () => send(scene.subject.url, slashes) },
      {
        what: 'sync of a long list',
        act: async () => (await scene.staffEar()).ask('sync', { chats: Array(16_000).fill(0) }),
      },
    ];
    expect(await scene.tooDear(acts)).toEqual([]);
  });

  test('long runs in every field of every call', { timeout: LONG_MS }, async () => {
    const acts = callsWired().flatMap((call, i) =>
      unitsFor(i).flatMap((unit) => [...asksOf(call, 'body', unit), ...asksOf(call, 'query', unit)]),
    );
    expect(await scene.tooDear(some(acts, 120))).toEqual([]);
  });

  test('odd structures in the body of every call', { timeout: LONG_MS }, async () => {
    const writes = callsWired().filter((name) => !name.startsWith('GET'));
    const acts = writes.flatMap((call) =>
      [...structuresIn(scene.wired.calls[call]?.body ?? {}, scene.idsFor(call))].map((each) =>
        asking(call, each, 'body'),
      ),
    );
    const deep = [`${'['.repeat(49_000)}${']'.repeat(49_000)}`, `${'{"a":'.repeat(16_000)}0${'}'.repeat(16_000)}`];
    const bodies = deep.map((body) => ({
      what: `a deep body of ${body.slice(0, 5)}`,
      act: () => scene.call('POST /auth/login', { body }),
    }));
    expect(await scene.tooDear([...bodies, ...some(acts, 80)])).toEqual([]);
  });

  test('every event of every socket', { timeout: LONG_MS }, async () => {
    const events = [
      ...Object.entries(scene.wired.staffEvents).map(([event, schemas]) => ({ ear: scene.staffEar, event, schemas })),
      ...Object.entries(scene.wired.visitorEvents).map(([event, schemas]) => ({
        ear: scene.visitorEar,
        event,
        schemas,
      })),
    ];
    expect(events.length).toBeGreaterThan(14);
    const acts = events.flatMap(({ ear, event, schemas }, i) => {
      const runs = unitsFor(i).flatMap((unit) => [...runsIn(schemas, scene.idsFor(event), unit)]);
      const hostile = [...runs, ...structuresIn(schemas, scene.idsFor(event))];
      const sendable = hostile.filter(({ input }) => Buffer.byteLength(JSON.stringify(input)) < PACKET_MAX_BYTES);
      return sendable.map(({ what, input }) => ({
        what: `${event}: ${what}`,
        act: async () => (await ear()).ask(event, fresh(input)),
      }));
    });
    expect(await scene.tooDear(some(acts, 120))).toEqual([]);
  });

  test('frames that are not events', { timeout: LONG_MS }, async () => {
    const inner = (text: string) => `2["sync",${text}]`;
    const frames = [
      inner(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
      inner(`${'{"a":'.repeat(9_000)}0${'}'.repeat(9_000)}`),
      inner(JSON.stringify(run('\u0301', 30_000))),
      ...['2', '2[', '2["', '5', '51-', '2/', '2/a,', '0{', '0{"token":"', '42', '3'].flatMap((head) =>
        ['1', '9', 'a', '[', '/', ',', '-', '\\u0301'].map((unit) => head + run(unit, 60_000)),
      ),
    ];
    const act = (frame: string) => async () => {
      const { socket } = await connectStaff(scene.subject.url, scene.owner.token);
      socket.io.engine.write(frame);
      await (await scene.staffEar()).ask('sync', { chats: [] });
      socket.disconnect();
    };
    expect(
      await scene.tooDear(some(frames, 20).map((frame) => ({ what: frame.slice(0, 20), act: act(frame) }))),
    ).toEqual([]);
  });

  test('addresses and headers', { timeout: LONG_MS }, async () => {
    const code = scene.world.site.widgetCode;
    const paths = [
      '/',
      `/api/widget/${code}`,
      '/socket.io/?EIO=4&transport=polling',
      '/api/chats/export',
      '/widget.js',
    ];
    const below = ['/', '/api/', '/api/chats/', '/widget/', '/assets/', '/c/', '/socket.io/', '/api/files/'];
    const browser = { Accept: 'text/html' };
    const addresses = below.flatMap((base) => [...addressesBelow(base)]);
    const headed = paths.flatMap((path) =>
      HEADERS.flatMap((header) =>
        HEADER_UNITS.map((unit) => ({ path, headers: { ...BROWSER, [header]: run(unit, 15_000).trim() || 'a' } })),
      ),
    );
    const all = [...addresses.map((path) => ({ path, headers: browser })), ...headed];
    const authorised = { Authorization: `Bearer ${scene.owner.token}` };
    const acts = some(all, 150).map(({ path, headers }) => ({
      what: `${path.slice(0, 40)} ${JSON.stringify(headers).slice(0, 60)}`,
      act: () => send(scene.subject.url, { method: 'GET', path, headers: { ...authorised, ...headers } }),
    }));
    expect(await scene.tooDear(acts)).toEqual([]);
  });

  // Last: exports are asked for above, which would have all that is stored here.
  test('histories of other chats', { timeout: LONG_MS }, async () => {
    const { subject, owner, world } = scene;
    const api = callsTo(subject.url);
    const importing = async (file: string) => {
      const { _id } = await uploadHistory(subject.url, owner.token, world.ids.site, file);
      const body = { ...PLAN, dryRun: false };
      await api(`POST /sites/${world.ids.site}/imports/${_id}/run`, { token: owner.token, body });
      await endedImport(api, owner.token, world.ids.site, _id);
    };
    const acts = historiesIn(IS_LONG, '').map(({ what, file }, i) => ({
      what,
      // a conversation that is known would not be stored
      act: () => importing(historiesIn(IS_LONG, randomUUID())[i]?.file ?? file),
      growthMaxBytes: historyGrowthOf(file),
    }));
    expect(await scene.tooDear(acts)).toEqual([]);
  });

  test('the accounts and sites used still work afterwards', async () => {
    const [staff, visitor] = [await scene.staffEar(), await scene.visitorEar()];
    const message = () => ({ clientId: randomUUID(), content: 'Still here' });
    const said = await visitor.ask('send_message', message());
    const answered = await staff.ask('send_message', { ...message(), chatId: scene.world.ids.chat });
    expect([said, answered]).toMatchObject([{ ok: true }, { ok: true }]);
    const statuses = await Promise.all(
      ['GET /sites/:id', 'GET /widget/:widgetCode'].map((call) => scene.call(call, {})),
    );
    expect(statuses).toEqual([200, 200]);
  });
});

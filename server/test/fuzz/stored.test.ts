import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER, visit } from '../factories.ts';
import { callsTo } from '../harness.ts';
import { hangUp } from '../sockets.ts';
import type { JsonSchemas } from './measured.ts';
import { type Act, fresh, IS_LONG, LONG_MS, type Scene, STORE_PAGES_BYTES, startScene } from './scene.ts';
import { MARKS, run, runsIn, UNITS } from './slow.ts';

const MESSAGE_LENGTH = 5_000;
/** Search looks at some of the chats that it finds: a bomb may be spread over all of them. */
const CHATS = IS_LONG ? 10 : 2;
const MESSAGES = IS_LONG ? 20 : 3;
/** The suite takes those of which each was a bomb once. */
const PLANTED = IS_LONG ? UNITS : [MARKS, '\uFDFA', 'http://x/('];

/** An export of whatever size; `npm run bench -- exports` measures it. */
const EXPORT_GROWTH_MAX_BYTES = 64 * 1024 * 1024;
const STORED_MAX_FACTOR = 10;
/** How often an input is stored for its room on the disk to be told from that of the store's own pages. */
const TIMES = 40;
const HEAD_BYTES = 300;

let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
}, LONG_MS);
afterAll(async () => {
  hangUp();
  await scene.subject.stop();
}, LONG_MS);

/** Every way of reading what is stored, in search of a word that stands in it. */
function readings(): Act[] {
  const { wired } = scene;
  const names = Object.keys(wired.calls).filter((name) => name.startsWith('GET /'));
  return names.map((name) => {
    const { query = {} } = wired.calls[name] ?? {};
    const pairs = ['q', 'search', 'siteId'].filter((field) => field in query);
    const text = pairs.map((field) => `${field}=${field === 'siteId' ? scene.world.ids.site : 'order'}`).join('&');
    const act = () => scene.call(name, { query: text });
    return {
      what: `${name}?${text}`,
      act,
      ...(name.endsWith('/export') && { growthMaxBytes: EXPORT_GROWTH_MAX_BYTES }),
    };
  });
}

test('stored text of any kind does not make reading, searching or exporting slow', { timeout: LONG_MS }, async () => {
  const api = callsTo(scene.subject.url);
  const found: string[] = [];
  for (const unit of PLANTED) {
    const bodies = [`o${run(unit, MESSAGE_LENGTH - 6)}rder`, `order ${run(unit, MESSAGE_LENGTH - 6)}`];
    const written: Act[] = [];
    for (let chat = 0; chat < CHATS; chat++) {
      const { visitorToken } = await visit(api, scene.world.site, {
        visitor: { name: `order ${run(unit, 60)}`.trim() },
      });
      const headers = { ...BROWSER, Authorization: `Bearer ${visitorToken}` };
      for (let i = 0; i < MESSAGES; i++)
        written.push({
          what: `a message of ${JSON.stringify(unit.slice(0, 20))}`,
          act: () => {
            const body = { clientId: randomUUID(), content: bodies[i % bodies.length] };
            return api(`POST /widget/${scene.world.site.widgetCode}/messages`, { body, headers });
          },
        });
    }
    found.push(...(await scene.tooDear(written)));
    const read = await scene.tooDear(readings());
    found.push(...read.map((each) => `after messages of ${JSON.stringify(unit.slice(0, 20))}: ${each}`));
  }
  expect(found).toEqual([]);
});

/** Bodies whose texts are as long as may be, of words that nobody has used. */
function newWords(name: string): object {
  const [filled] = [...runsIn(scene.wired.calls[name]?.body ?? {}, scene.idsFor(name), 'a')];
  const words = () =>
    randomBytes(MESSAGE_LENGTH)
      .toString('hex')
      .replace(/(.{4})/g, '$1 ');
  const text = JSON.stringify(fresh(filled?.input ?? {}));
  return JSON.parse(text.replace(/a{20,}/g, (run) => words().slice(0, run.length).trim().padEnd(run.length, 'x')));
}

/** Makes a call that often with new words; gives the bytes that were sent. */
async function store(name: string, times: number): Promise<number> {
  let sent = 0;
  for (let i = 0; i < times; i++) {
    const body = JSON.stringify(newWords(name));
    await scene.call(name, { body });
    sent += Buffer.byteLength(body) + HEAD_BYTES;
  }
  return sent;
}

test('nothing is stored at more than ten times its size', { timeout: LONG_MS }, async () => {
  const found: string[] = [];
  const writes = Object.keys(scene.wired.calls).filter((name) => /^(POST|PUT|PATCH)/.test(name));
  const fat = writes.filter((name) => Object.values(scene.wired.calls[name]?.body ?? {}).some(isLong));
  expect(fat.length).toBeGreaterThan(5);
  for (const name of IS_LONG ? fat : fat.filter((each) => each === 'POST /widget/:widgetCode/messages')) {
    // the first ones also take the room that the store keeps for itself
    await store(name, TIMES / 2);
    const before = await scene.stored();
    const sent = await store(name, TIMES);
    const grown = (await scene.stored()) - before;
    if (grown > sent * STORED_MAX_FACTOR + STORE_PAGES_BYTES)
      found.push(`${name}: ${sent} bytes sent, ${grown} stored: ${(grown / sent).toFixed(1)}-fold`);
  }
  expect(found).toEqual([]);
});

const isLong = (schema: JsonSchemas[string]) => schema.type === 'string' && schema.maxLength >= 500;

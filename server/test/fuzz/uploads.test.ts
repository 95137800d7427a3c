import { randomUUID } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../harness.ts';
import { fileOfChats } from '../pastChats.ts';
import { hangUp } from '../sockets.ts';
import { filesIn, historyFilesIn, historyGrowthOf, picturesIn, replyFilesIn } from './files.ts';
import { GROWTH_MAX_BYTES, IS_LONG, LONG_MS, type Scene, STORE_PAGES_BYTES, startScene } from './scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
}, LONG_MS);
afterAll(async () => {
  hangUp();
  await scene.subject.stop();
}, LONG_MS);

/** A call that takes a file, asked so that it reads it. */
interface Door {
  give(bytes: Buffer): Promise<number>;
  /** A file that it takes. */
  plain: string | Buffer;
  growthOf(bytes: Buffer): number;
}

// The server has it once, and the store.
const growthOf = (bytes: Buffer) => 2 * bytes.length + GROWTH_MAX_BYTES;

const DOORS: Record<string, Door> = {
  'POST /chats/:id/files': door('POST /chats/:id/files', 'name=a.bin'),
  'POST /widget/:widgetCode/files': door('POST /widget/:widgetCode/files', 'name=a.bin'),
  'POST /canned-replies/:id/files': {
    async give(body) {
      const form = { siteId: scene.world.ids.site, shortcut: randomUUID(), content: 'Here it is' };
      const api = callsTo(scene.subject.url);
      // A reply has few files.
      const made = await api('POST /canned-replies', { token: scene.owner.token, body: form });
      const { _id: id } = made.body.data.reply;
      return scene.call('POST /canned-replies/:id/files', { id, body, query: 'name=a.bin' });
    },
    plain: 'Hello',
    growthOf,
  },
  'POST /articles/:id/pictures': {
    give: (body) => scene.call('POST /articles/:id/pictures', { id: scene.world.ids.article, body }),
    plain: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
      'base64',
    ),
    growthOf,
  },
  'POST /sites/:id/articles/import': {
    give: (body) => scene.call('POST /sites/:id/articles/import', { body, query: 'dryRun=yes' }),
    plain: Buffer.from(zipSync({ 'en/a.md': strToU8('# A') })),
    growthOf,
  },
  'POST /canned-replies/import': {
    give: (body) =>
      scene.call('POST /canned-replies/import', { body, query: `siteId=${scene.world.ids.site}&dryRun=yes` }),
    plain: 'shortcut,content\nhi,Hello\n',
    // Its bytes, its text, and what is left of it without NULs.
    growthOf: (bytes) => 5 * bytes.length + GROWTH_MAX_BYTES,
  },
  'POST /sites/:id/imports': {
    ...door('POST /sites/:id/imports', 'name=chats.csv', fileOfChats(1)),
    growthOf: historyGrowthOf,
  },
};

function door(call: string, query: string, plain = 'Hello'): Door {
  return { give: (body) => scene.call(call, { body, query }), plain, growthOf };
}

const act = (name: string, { give, growthOf: most }: Door, { what, bytes }: { what: string; bytes: Buffer }) => ({
  what: `${name}: ${what}`,
  act: () => give(bytes),
  growthMaxBytes: most(bytes),
});

/** The forms that take a picture. */
const FORMS: [string, (url: string) => object][] = [
  ['PUT /auth/profile', (avatar) => ({ avatar })],
  ['PATCH /settings', (avatar) => ({ section: 'account', data: { avatar } })],
  ['PATCH /settings', (logo) => ({ section: 'widget', data: { logo } })],
];

test('every call that takes a file is among these, and reads it', async () => {
  // Mails have tests of their own (`mails.test.ts`), and this server has no door for them.
  const uploads = Object.keys(scene.wired.calls).filter(
    (call) => scene.wired.calls[call]?.upload && call !== 'POST /mail/in',
  );
  expect(uploads.sort()).toEqual(Object.keys(DOORS).sort());
  for (const [name, { give, plain }] of Object.entries(DOORS))
    expect([name, Math.floor((await give(typeof plain === 'string' ? Buffer.from(plain) : plain)) / 100)]).toEqual([
      name,
      2,
    ]);
});

test('files, and what they decompress to', { timeout: LONG_MS }, async () => {
  const doors = Object.entries(DOORS);
  const files = await filesIn(IS_LONG);
  const acts = files.flatMap((file, i) =>
    doors.filter((_, at) => IS_LONG || at === i % doors.length).map(([name, each]) => act(name, each, file)),
  );
  expect(await scene.tooDear(acts)).toEqual([]);
});

test('files of canned replies, and of histories', { timeout: LONG_MS }, async () => {
  const of = (name: string, files: { what: string; bytes: Buffer }[]) =>
    files.map((file) => act(name, DOORS[name] as Door, file));
  const acts = [
    ...of('POST /canned-replies/import', replyFilesIn(IS_LONG)),
    ...of('POST /sites/:id/imports', [...historyFilesIn(IS_LONG), ...replyFilesIn(IS_LONG)]),
  ];
  expect(await scene.tooDear(acts)).toEqual([]);
});

test('pictures in forms', { timeout: LONG_MS }, async () => {
  const acts = (await picturesIn(IS_LONG)).flatMap(({ what, url }) =>
    FORMS.map(([call, bodyOf]) => ({
      what: `${call}: ${what}`,
      act: () => scene.call(call, { body: JSON.stringify(bodyOf(url)) }),
    })),
  );
  expect(await scene.tooDear(acts)).toEqual([]);
});

test('no upload takes more room on the disk than it has', { timeout: LONG_MS }, async () => {
  const files = [...(await filesIn(IS_LONG)), ...historyFilesIn(IS_LONG).slice(0, 2)];
  const found: string[] = [];
  const doors = Object.entries(DOORS);
  for (const [at, [name, { give, plain }]] of doors.entries()) {
    await give(typeof plain === 'string' ? Buffer.from(plain) : plain);
    const before = await scene.stored();
    let taken = 0;
    const own = files.filter((_, i) => IS_LONG || i % doors.length === at);
    for (const { bytes } of own) taken += (await give(bytes)) < 300 ? bytes.length : 0;
    const grown = (await scene.stored()) - before;
    if (grown > taken + STORE_PAGES_BYTES) found.push(`${name}: ${taken} bytes taken, ${grown} stored`);
  }
  expect(found).toEqual([]);
});
